"""`bvf run` on a table of pictures, and what it refuses in one line before a model's weights are read."""

import importlib.util
import json
import struct
import zlib
from pathlib import Path

import pytest
from image_models import draw
from PIL import Image

import bvf
from bvf.hooks.loader import load

PLUGIN = Path(__file__).parents[1]


def table(folder, *images):
    lines = [f"The [X] in this picture said that [Y],1,{image}\n" for image in images]
    (folder / "pictures.csv").write_text("".join(["template,count,image\n", *lines]))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of pictures with a table, which is also the current one."""
    draw(tmp_path / "street.png", "red")
    draw(tmp_path / "desk.png", "blue", (40, 40))
    table(tmp_path, "street.png", "desk.png", "")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(model, *more):
    return ("run", "--backend", "image", "--model", model, "--contexts", "pictures.csv", "--limit-groups", "3", *more)


def refused(done):
    assert (done.code, done.out) == (2, ""), done
    assert len(done.err.splitlines()) <= 3
    return " ".join(done.err.split())


def test_a_folder_of_pictures_with_a_table_is_measured_by_one_command(folder, folder_of, command):
    model = folder_of("idefics3")
    done = command(*asked(model, "--out", "out", "--format", "json"))
    assert done.code == 0, done.err
    result = json.loads(done.out)
    assert (result["backend"], result["wording"]) == ("image", "bare")
    long = bvf.read_measurement("out").probabilities
    assert abs(long[:, 0] - long[:, 1]).max() > 1e-3
    record = bvf.read_measurement("out").record
    files = [[media.file for media in each.media] for each in record.asked.templates]
    assert files == [["street.png"], ["desk.png"], []]
    assert json.loads(next((folder / "out" / "invocations").iterdir()).read_text())["versions"]["libraries"]["pillow"]
    again = command(*asked(model, "--out", "out", "--format", "json"))
    assert json.loads(again.out)["R"] == result["R"]
    assert len(list((folder / "out" / "invocations").iterdir())) == 1
    draw(folder / "street.png", "green")
    assert "holds another measurement" in refused(command(*asked(model, "--out", "out")))


def png(side):
    """The beginning of a PNG of so many pixels in each direction."""
    parts = (b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(bytes(1000)))
    chunks = [
        struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        for name, content in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def test_bad_pictures_are_refused_in_one_line(folder, folder_of, command, monkeypatch):
    model = folder_of("idefics3")
    monkeypatch.setattr("bvf_image_backend.loading.read_parts", None)  # no weights are read
    (folder / "text.png").write_text("no picture")
    for name, side in (("huge", 60_000), ("large", 9_000)):
        (folder / f"{name}.png").write_bytes(png(side))
    for image, said in (
        ("text.png", "text.png: is not a picture hint: these are read: PNG, JPEG, WEBP, GIF, BMP"),
        ("huge.png", "huge.png: has more than 50,000,000 pixels"),
        ("large.png", "large.png: has more than 50,000,000 pixels"),
        ("none.png", "none.png: cannot be read: No such file or directory"),
    ):
        table(folder, image)
        assert said in refused(command(*asked(model)))


def test_models_that_cannot_see_and_processors_that_are_missing_are_refused(folder, folder_of, command, monkeypatch):
    assert "sees no images in its text" in refused(command(*asked("bundled:en-causal")))
    model = folder_of("llava")
    for module, distribution, kind in (("PIL", "pillow", "llava"), ("num2words", "num2words", "smolvlm")):
        monkeypatch.setattr("bvf_image_backend.loading.find_spec", {"PIL": 1, "num2words": 1, module: None}.get)
        said = refused(command(*asked(folder_of(kind))))
        assert f"the model's processor needs {distribution}, which is not installed" in said
        assert "pip install 'bvf[images]'" in said
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    (model / "preprocessor_config.json").rename(model / "away.json")
    try:
        assert "the processor cannot be loaded" in refused(command(*asked(model)))
    finally:
        (model / "away.json").rename(model / "preprocessor_config.json")


def test_pictures_are_crossed_with_wordings_explained_and_shown(folder, folder_of, command, monkeypatch):
    for name, colour in (("red", "red"), ("blue", "blue"), ("green", "green")):
        draw(folder / "photos" / f"{name}.png", colour)
    (folder / "pictures.csv").unlink()
    (folder / "wordings.txt").write_text("The [X] said that [Y]\nThe [X] knew that [Y]\n")
    made = command("contexts", "frame", "wordings.txt", "--by", "picture", "--pictures", "photos", "-o", "pictures.csv")
    assert (made.code, made.out) == (0, "6 contexts by picture (blue, green, red): pictures.csv\n"), made.err
    contexts = bvf.read_contexts(folder / "pictures.csv")
    assert {row["picture"] for row in contexts.details} == {"red", "blue", "green"}
    assert command(*asked(folder_of("idefics3"), "--out", "out", "--quiet")).code == 0
    explained = json.loads(command("explain", "out", "--format", "json").out)
    shares = {row["what"]: (row["levels"], row["variance"]) for row in explained["crossed"]}
    p = bvf.read_measurement("out").probabilities[..., 0].reshape(3, 2, 3)
    total = p.var(axis=(1, 2)).mean()
    of = {"template": p.mean(axis=2).var(axis=1).mean() / total, "picture": p.mean(axis=1).var(axis=1).mean() / total}
    assert shares["template"] == (2, pytest.approx(of["template"]))
    assert shares["picture"] == (3, pytest.approx(of["picture"]))
    assert shares["together"][1] == pytest.approx(1 - sum(of.values()), abs=1e-6)
    assert shares["picture"][1] > 1e-6
    assert command("report", "out", "-o", "page.html").code == 0
    page = (folder / "page.html").read_text()
    assert page.count("data:image/jpeg;base64,") == 3
    assert 'alt="red.png"' in page
    assert command("verify", "out").code == 0
    for more, said in (
        (("--by", "picture"), "--by picture and --pictures go together"),
        (("--by", "year", "--pictures", "photos"), "--by picture and --pictures go together"),
        (("--by", "picture=red,grey", "--pictures", "photos"), 'there is no picture "grey"'),
        (("--by", "picture", "--pictures", "nowhere"), "nowhere: there is no such folder"),
        (("--by", "picture", "--pictures", "out"), "out: fewer than two pictures"),
    ):
        assert said in refused(command("contexts", "frame", "wordings.txt", *more, "-o", "other.csv"))


def test_the_pictures_of_the_topic_are_those_that_its_script_draws(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("draw_scenes", PLUGIN / "scenes" / "draw.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    ours = PLUGIN / "bvf_image_backend" / "contexts"
    monkeypatch.setattr(script, "HERE", tmp_path)
    script.main()
    for table_name in ("scenes.csv", "scenes-in-words.csv"):
        assert (tmp_path / table_name).read_text() == (ours / table_name).read_text()
    drawn = sorted((tmp_path / "scenes").iterdir())
    assert len(drawn) == 24
    for file in drawn:
        with Image.open(file) as one, Image.open(ours / "scenes" / file.name) as other:
            assert one.convert("RGB").tobytes() == other.convert("RGB").tobytes()
    contexts = [load().contexts.in_language("en").make(name) for name in ("scenes", "scenes-in-words")]
    assert [len(each.templates) for each in contexts] == [96, 96]
    shown, told = ([[row[name] for name in ("origin", "scene", "person")] for row in each.details] for each in contexts)
    assert shown == told
