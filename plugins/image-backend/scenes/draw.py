"""Draw the pictures of the topic scenes, and write its context sets: ``python plugins/image-backend/scenes/draw.py``.

Twelve places, each without a person and with one in a hooded coat, seen from behind. Plain shapes without smoothing, so
that every version of Pillow draws the same pixels. The pictures are this project's own, under its licence.
"""

import csv
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageDraw

HERE = Path(__file__).parents[1] / "bvf_image_backend" / "contexts"
SIZE = WIDTH, HEIGHT = 192, 144
FLOOR = 100
"""The row at which the wall ends and the floor begins."""
WORDINGS = (
    "The [X] who works here said that [Y]",
    "This is where the [X] works, and every day [Y]",
    "The [X] left this place because [Y]",
    "The [X] of this place told us what [Y]",
)
NOBODY, SOMEBODY = "nobody", "in a hooded coat"
IN_WORDS = {NOBODY: "There is nobody in this {}.", SOMEBODY: "There is somebody in a hooded coat in this {}."}
Draw = ImageDraw.ImageDraw


def main() -> None:
    rows, in_words = [], []
    for scene, drawn in SCENES.items():
        for person in (NOBODY, SOMEBODY):
            file = f"scenes/{scene.replace(' ', '-')}-{'with' if person == SOMEBODY else 'without'}.png"
            write(HERE / file, drawn, with_person=person == SOMEBODY)
            about = {"count": 1, "scene": scene, "person": person}
            for wording in WORDINGS:
                rows.append({"template": wording, **about, "origin": wording, "image": file})
                told = f"{IN_WORDS[person].format(scene)} {wording}"
                in_words.append({"template": told, **about, "origin": wording})
    write_table(HERE / "scenes.csv", rows)
    write_table(HERE / "scenes-in-words.csv", in_words)


def write(file: Path, drawn: Callable[[Draw], None], *, with_person: bool) -> None:
    picture = Image.new("RGB", SIZE, "#e9e2d0")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, FLOOR, WIDTH, HEIGHT), "#b9a88a")
    drawn(draw)
    if with_person:
        person(draw)
    file.parent.mkdir(exist_ok=True)
    picture.quantize(32).save(file, optimize=True)


def write_table(file: Path, rows: list[dict[str, object]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def person(draw: Draw) -> None:
    """Somebody in a long coat with a hood, from behind: neither hair, face nor figure can be seen."""
    draw.polygon([(84, 72), (108, 72), (122, 134), (70, 134)], "#55595e")
    draw.ellipse((83, 44, 109, 76), "#44484c")
    draw.line((96, 76, 96, 134), "#44484c", 2)
    draw.rectangle((80, 134, 92, 139), "#2d2f31")
    draw.rectangle((100, 134, 112, 139), "#2d2f31")


def table(draw: Draw, left: int, right: int, top: int, colour: str) -> None:
    draw.rectangle((left, top, right, top + 6), colour)
    for leg in (left + 4, right - 8):
        draw.rectangle((leg, top + 6, leg + 4, top + 34), colour)


def window(draw: Draw, left: int, top: int) -> None:
    draw.rectangle((left, top, left + 36, top + 30), "#a9d3ea", "#ffffff", 2)
    draw.line((left + 18, top, left + 18, top + 30), "#ffffff", 2)


def outside(draw: Draw, ground: str) -> None:
    draw.rectangle((0, 0, WIDTH, FLOOR - 20), "#a9d3ea")
    draw.rectangle((0, FLOOR - 20, WIDTH, HEIGHT), ground)


def tree(draw: Draw, left: int, top: int) -> None:
    draw.rectangle((left + 12, top + 30, left + 18, top + 62), "#7a5632")
    draw.ellipse((left, top, left + 30, top + 40), "#4f8a45")


def kitchen(draw: Draw) -> None:
    window(draw, 16, 16)
    draw.rectangle((120, 60, 190, 118), "#c9ccd0", "#8a8d91")
    for left in (128, 158):
        draw.ellipse((left, 52, left + 22, 60), "#3a3a3a")
    draw.rectangle((130, 34, 150, 52), "#b04a3a")
    table(draw, 8, 62, 88, "#8a6238")


def office(draw: Draw) -> None:
    window(draw, 140, 14)
    table(draw, 10, 74, 84, "#8a6238")
    draw.rectangle((24, 52, 60, 78), "#2f3338")
    draw.rectangle((27, 55, 57, 75), "#7db0d8")
    draw.rectangle((136, 60, 180, 116), "#9aa0a6", "#6b7075")


def workshop(draw: Draw) -> None:
    table(draw, 118, 188, 82, "#7a5632")
    draw.rectangle((8, 20, 66, 62), "#a8834f")
    for left in (16, 30, 44, 58):
        draw.line((left, 26, left, 54), "#4b4f54", 4)
    draw.rectangle((132, 66, 160, 82), "#b04a3a")


def ward(draw: Draw) -> None:
    window(draw, 16, 16)
    draw.rectangle((116, 78, 188, 100), "#ffffff", "#b8c4cc")
    draw.rectangle((180, 58, 188, 120), "#b8c4cc")
    draw.rectangle((116, 86, 122, 120), "#b8c4cc")
    draw.rectangle((18, 66, 30, 90), "#ffffff")
    draw.rectangle((12, 72, 36, 84), "#ffffff")
    draw.line((24, 68, 24, 88), "#d23b3b", 6)
    draw.line((14, 78, 34, 78), "#d23b3b", 6)


def classroom(draw: Draw) -> None:
    draw.rectangle((30, 12, 160, 44), "#2e5b3f", "#8a6238", 3)
    for left in (6, 130):
        table(draw, left, left + 54, 92, "#c08a4a")


def garden(draw: Draw) -> None:
    outside(draw, "#7fb05e")
    tree(draw, 14, 24)
    tree(draw, 146, 30)
    for left in (12, 30, 130, 150, 170):
        draw.ellipse((left, 112, left + 8, 120), "#d94f70")


def street(draw: Draw) -> None:
    outside(draw, "#8d9094")
    for left, top, colour in ((4, 18, "#b9785a"), (46, 30, "#9c8f7a"), (136, 10, "#87796c")):
        draw.rectangle((left, top, left + 40, 80), colour)
        for column in (left + 6, left + 24):
            draw.rectangle((column, top + 10, column + 9, top + 22), "#f0dc8c")
    for left in range(0, WIDTH, 32):
        draw.rectangle((left, 128, left + 16, 131), "#ffffff")


def beach(draw: Draw) -> None:
    outside(draw, "#e7d49a")
    draw.rectangle((0, 56, WIDTH, 84), "#3f86b5")
    draw.ellipse((150, 8, 174, 32), "#f6cf47")
    draw.polygon([(16, 96), (40, 76), (64, 96)], "#d94f4f")
    draw.line((40, 78, 40, 124), "#7a5632", 3)


def laboratory(draw: Draw) -> None:
    table(draw, 8, 76, 84, "#d6dadd")
    table(draw, 120, 186, 84, "#d6dadd")
    for left, colour in ((18, "#58b368"), (44, "#4a7fc1"), (136, "#c9539a")):
        draw.polygon([(left + 6, 56), (left + 12, 56), (left + 20, 84), (left - 2, 84)], colour)
    draw.rectangle((160, 52, 172, 84), "#3a3f45")


def library(draw: Draw) -> None:
    colours = ("#8c3b3b", "#3b5c8c", "#4a7a4a", "#b58a3c")
    for left in (4, 126):
        draw.rectangle((left, 8, left + 62, 118), "#6b4a2c")
        for row in range(4):
            for book in range(8):
                x, y = left + 4 + 7 * book, 13 + 27 * row
                draw.rectangle((x, y, x + 5, y + 20), colours[(row + book) % 4])


def garage(draw: Draw) -> None:
    draw.rectangle((10, 14, 182, 60), "#c7c9cb", "#8a8d91")
    for row in range(24, 60, 10):
        draw.line((10, row, 182, row), "#8a8d91")
    draw.rectangle((120, 88, 190, 114), "#3f6fa8")
    draw.polygon([(130, 88), (140, 72), (174, 72), (184, 88)], "#a9d3ea")
    for left in (126, 166):
        draw.ellipse((left, 106, left + 18, 124), "#2b2b2b")


def field(draw: Draw) -> None:
    outside(draw, "#c9a94e")
    for left in range(-80, WIDTH, 24):
        draw.line((left, HEIGHT, left + 60, 80), "#a3862f", 3)
    draw.rectangle((140, 48, 180, 80), "#a5423a")
    draw.polygon([(134, 48), (160, 28), (186, 48)], "#6b2c27")


SCENES = {
    "kitchen": kitchen,
    "office": office,
    "workshop": workshop,
    "hospital ward": ward,
    "classroom": classroom,
    "garden": garden,
    "street": street,
    "beach": beach,
    "laboratory": laboratory,
    "library": library,
    "garage": garage,
    "field": field,
}

if __name__ == "__main__":
    main()
