"""Renders a page as one HTML file. Every text is escaped, and only the scripts of the page may run."""

import base64
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from bvf import BvfError, Picture, Section
from bvf.errors import harmless
from bvf.interfaces import Cell, Columns
from bvf_report.page.content import Block, Page

TEMPLATES = "templates"
GENERATOR: bytes = b'<meta name="generator" content="bvf">'
"""What every page has, and by which a page of bvf is known."""
DOTS_PER_INCH, COLOURS, EFFORT = 150, 64, 60
MOST_SEEN_AT_ONCE = 30
"""A table with more rows scrolls."""
MOST_OF_A_KIND = 20
"""A light page draws no pictures of a kind of which it has more: the drawings of 20 runs take a minute and 5 MB."""
SPARK = (120, 22)
"""Width and height of the drawing in a cell."""
PLOT = 450
"""Height in pixels of a picture of plotly that names none."""
NUMBER = "{ text-align: right; white-space: nowrap; }"
BEGINS = re.compile(r"(-?\d[\d,]*(?:\.\d+)?)%?(?= |$)")
"""A text that begins with a number, which `page.js` reads too."""
NAME = "{ min-width: 7.5rem; }"
ESCAPED = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""Characters that could end a script block or start a comment or a tag in it."""
EXPONENT, COMMAND = re.compile(r"([Rr])\^([bv])"), re.compile("`([^`]+)`")
FOLDERS = re.compile(r"(?<![\w.~/\\<])(?:~|[A-Za-z]:)?[/\\](?:[^\s/\\'\",;:()=<>]+[/\\])+(?=[^\s/\\'\",;:()=<>])")
"""The folders of an absolute path, which are of the machine that wrote the page."""


@dataclass(frozen=True)
class Drawn:
    """A picture in HTML. It has ``data`` for plotly (JSON with a height in pixels), or ``image``, a data URL.

    ``narrow`` is a data URL too: the drawing for phones. With neither data nor image, the page has the caption alone.
    """

    id: str
    caption: str
    data: str = ""
    image: str = ""
    narrow: str = ""
    height: int = 0


def html_of(page: Page, *, light: bool = False) -> str:
    """Return a page as one HTML file."""
    pictures = [block for part in page.parts for block in part.blocks if isinstance(block, Picture)]
    kinds = Counter(map(type, pictures)) if light else {}
    many = {kind: number for kind, number in kinds.items() if number > MOST_OF_A_KIND}
    drawn = dict(_drawings(pictures, many, light))
    interactive = any(each.data for each in drawn.values())
    scripts = [] if light else [*([_plotly()] if interactive else []), _own("page.js")]
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{each}'" for each in hashes) or "'none'"
    return _template(light).render(
        page=page,
        drawn=drawn,
        not_drawn=_not_drawn(many),
        light=light,
        style=_style(page),
        scripts=[Markup(script) for script in scripts],
        policy=f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:",
    )


@cache
def _template(light: bool) -> Template:
    environment = Environment(
        loader=PackageLoader("bvf_report.page", TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        finalize=_plain,
    )
    filters: dict[str, Callable[..., Any]] = {"kind": _kind, "shown": shown, "spark": _spark, "linked": _linked}
    filters |= {"identity": id, "order": _order, "sorted_as_shown": _sorted_as_shown, "cells": _cells, "notes": _notes}
    environment.filters |= filters
    environment.globals["most_seen_at_once"] = MOST_SEEN_AT_ONCE
    return environment.get_template("page.html.jinja")


def shown(text: str) -> Markup:
    """Return a text as escaped HTML. Symbols such as ``R^b`` get superscripts, and texts between backticks are code."""
    escaped = COMMAND.sub(r"<code>\1</code>", str(Markup.escape(_plain(text))))
    return Markup(EXPONENT.sub(r"\1<sup>\2</sup>", escaped) if "^" in escaped else escaped)


def json_in_script(value: Any) -> Markup:
    """Return a value as JSON for a script block. It is escaped such that no name in it can end the block."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup("".join(ESCAPED.get(character, character) for character in text))


def _not_drawn(many: Mapping[type[Picture], int]) -> str:
    """A sentence on the pictures that a light page leaves out; empty if there are none."""
    if not many:
        return ""
    kinds = "; ".join(f"{kind.title or kind.__name__} ({number})" for kind, number in many.items())
    return (
        f"This light page has captions without drawings for pictures of which there are more than {MOST_OF_A_KIND}: "
        f"{kinds}. bvf report draws them without --light, and with --light for a single run."
    )


def _drawings(
    pictures: Sequence[Picture], many: Mapping[type[Picture], int], light: bool
) -> Iterator[tuple[int, Drawn]]:
    """Yield every picture of a page as HTML, and the ``id()`` of its block."""
    for number, picture in enumerate(pictures, 1):
        named = (f"picture-{number}", picture.caption())
        figure = None if light else picture.interactive()
        if figure is not None:
            drawn = Drawn(*named, data=json_in_script(figure), height=figure["layout"].get("height", PLOT))
        elif type(picture) in many:
            drawn = Drawn(*named)
        else:
            drawn = Drawn(*named, image=_image(picture, 2), narrow=_image(picture, 1))
        yield id(picture), drawn


def _image(picture: Picture, columns: Columns) -> str:
    """A data URL of the picture's drawing in few colours, as wide as ``columns`` of a journal page."""
    figure: Any = picture.draw(None, columns).figure
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    figure.set_dpi(DOTS_PER_INCH)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    small = io.BytesIO()
    dots = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    dots.quantize(COLOURS).convert("RGB").save(small, format="webp", lossless=True, quality=EFFORT)
    return f"data:image/webp;base64,{base64.b64encode(small.getvalue()).decode()}"


def _kind(block: Block) -> str:
    """The name by which the HTML template distinguishes kinds of blocks."""
    return "Picture" if isinstance(block, Picture) else type(block).__name__


def _plotly() -> str:
    try:
        from plotly.offline import get_plotlyjs
    except ImportError as error:
        message = "a page with plotly needs plotly, which is not installed"
        raise BvfError(message, "pip install 'bvf[report]', or use --light") from error
    return str(get_plotlyjs())


def _plain(value: Any) -> Any:
    """A value for the template. Texts lose folders, and show what a terminal would obey; others are unchanged."""
    if type(value) is not str:
        return value
    if not value.startswith("data:"):
        value = FOLDERS.sub("", value)
    return value if value.isascii() and value.isprintable() else harmless(value)


def _own(name: str) -> str:
    return (files("bvf_report.page") / TEMPLATES / name).read_text("utf-8")


def _linked(cell: Cell) -> Markup:
    text = shown(str(cell))
    return Markup('<a href="{}">{}</a>').format(cell.link, text) if cell.link else text


def _spark(cell: Cell) -> Markup:
    width, height = SPARK
    return Markup(f'<svg viewBox="0 0 {width} {height}" aria-hidden="true"><path d="{outline(cell.spark)}"/></svg>')


def outline(shares: Sequence[float]) -> str:
    """Return an outline of fractions in bins of equal width from 0 to 1, as the attribute ``d`` of an SVG path.

    >>> outline([0.0, 1.0])
    'M0 22V22h60V0h60V22Z'
    """
    width, height = SPARK
    most, step = max(shares) or 1.0, width // len(shares)
    levels = groupby(round(height * (1 - share / most)) for share in shares)
    steps = "".join(f"V{level}h{step * len(list(bins))}" for level, bins in levels)
    return f"M0 {height}{steps}V{height}Z"


def _cells(section: Section) -> list[list[Cell]]:
    """The cells of a table. A text that is a number is sorted by it."""
    rows = (*section.above, *section.rows)
    return [[cell if isinstance(cell, Cell) else Cell(cell, _number(cell)) for cell in row] for row in rows]


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("%"))
    except ValueError:
        return None


def _notes(sentences: Sequence[str]) -> list[str]:
    return [line for each in sentences for line in each.splitlines()]


def _sorted_as_shown(rows: Sequence[Sequence[Cell]], columns: int) -> list[bool]:
    """For each column, whether the numbers that its texts begin with sort it as its values do, so that it needs none.

    >>> _sorted_as_shown([[Cell("0.10", 0.1, "0.09 to 0.11"), Cell("2-5", 3.5)]], 2)
    [True, False]
    """

    def is_sorted(cells: Sequence[Cell]) -> bool:
        in_order = sorted((cell for cell in cells if cell.value is not None), key=lambda cell: cell.value or 0.0)
        begun = [BEGINS.match(str(cell)) for cell in in_order]
        numbers = [float(each[1].replace(",", "")) for each in begun if each]
        return len(numbers) == len(cells) and all(low <= high for low, high in pairwise(numbers))

    return [is_sorted([row[y] for row in rows]) for y in range(columns)]


def _order(cell: Cell) -> Markup:
    return Markup("" if cell.value is None else f' data-order="{cell.value:.7g}"')


def _style(page: Page) -> Markup:
    """The style sheet of the page. It aligns cells right of the names as numbers, so that cells need no class."""
    names = sorted({block.names for part in page.parts for block in part.blocks if isinstance(block, Section)})
    numbers = (f".names-{each} tr > :nth-child(n+{max(each, 1) + 1}) {NUMBER}\n" for each in names)
    named = (f".names-{each} td:nth-child(-n+{each}) {NAME}\n" for each in names if each > 1)
    return Markup("".join([_own("page.css"), *numbers, "@media screen {\n", *named, "}\n"]))
