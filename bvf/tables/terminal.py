"""Lays out tables for a terminal or a pipe. They are as wide as the terminal, and their columns are aligned."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from unicodedata import category

from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from bvf.errors import harmless, in_one_line
from bvf.interfaces.section import Cell, Section
from bvf.tables.words import NAME_WIDTH, shortened

EDGE, BETWEEN, INDENT = 1, 2, 4
LEAST_NAME, WIDEST_WORD, WIDEST_HEADING = 8, 12, 20
LEAST_ROOM = {"line": 24, "text": 40}
"""If the last column would be narrower than this, its texts are printed below their rows."""
WIDEST_TEXT = 100
"""Sentences are wrapped at this width, as wider lines are hard to read."""
COMMAND = re.compile(r"`bvf [^`]*`|(?:^|(?<=: ))bvf(?: [^\s`]*[^\s`.,;:])+$")
"""A command in a sentence: between backticks, or all that follows a colon, without the marks of a sentence."""
OPENING = ("Ps", "Pi")
SHIELD = "\ue000"
"""Stands for a blank that no line may end at."""
Row = Sequence[str]
Lines = Iterator[tuple[str, str]]


class Drawn:
    """Tables below each other, as an object that a rich console can print.

    Args:
        sections: The tables.
        whole: True: no cell is cut, and lines may be wider than the console; False: each table fits the console.
    """

    def __init__(self, sections: Sequence[Section], *, whole: bool = False) -> None:
        self._sections, self._whole = sections, whole

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        for number, section in enumerate(self._sections):
            if number:
                yield Text()
            for text, style in _section(section, options.max_width, console, self._whole):
                line = text.expandtabs()
                is_whole = self._whole or COMMAND.search(line) or cell_len(line) <= options.max_width
                shown = line if is_whole else chop_cells(line, options.max_width)[0]
                yield Text(shown, style, no_wrap=True, overflow="ignore")


def _section(section: Section, width: int, console: Console, whole: bool) -> Lines:
    def wrapped(sentences: Iterable[str], style: str = "") -> Lines:
        for sentence in sentences:
            yield from ((line, style) for line in _wrapped(sentence, min(width, WIDEST_TEXT), console))

    if section.warnings:
        yield from wrapped(section.warnings, "bold red")
        yield "", ""
    yield from wrapped([section.title], "bold")
    yield from wrapped(section.subtitle)
    yield "", ""
    if section.columns and section.last == "figure":
        yield from _columns(section, width)
    elif section.columns:
        yield from _with_text(section, max(width, _whole_width(section)) if whole else width, console)
    if section.notes:
        yield "", ""
        yield from wrapped(section.notes, "dim")


def _columns(section: Section, width: int) -> Lines:
    """The lines of a table whose columns hold names and figures.

    If it is too wide, spare columns are left out and headings are wrapped; if it still is, names are, and the table is
    split into blocks of columns.
    """
    named, room = section.names, width - EDGE
    wanted = _widths(section, WIDEST_HEADING)
    if _together(wanted) > room:
        wanted = [*(min(each, NAME_WIDTH) for each in wanted[:named]), *wanted[named:]]
    if section.spare and _together(wanted) > room:
        wanted = wanted[: -section.spare]
    if _together(wanted) > room:
        wanted = [*wanted[:named], *_widths(section, WIDEST_HEADING, wrapped=True)[named : len(wanted)]]
    words = _longest_words(section)
    if sum(_narrowed(wanted[:named], 0, words)) + BETWEEN * named + LEAST_NAME > room:  # too little for a figure
        words = [0] * named
    least = sum(_narrowed(wanted[:named], 0, words)) + BETWEEN * (named - 1)
    figures = sum(BETWEEN + each for each in wanted[named:])
    names = _narrowed(wanted[:named], room - figures if least + figures <= room else max(least, room // 3), words)
    room -= sum(names) + BETWEEN * (named - 1)
    for number, block in enumerate(_blocks(wanted[named:], room)):
        if number:
            yield "", ""
        shown = [*range(named), *(named + y for y in block)]
        widths = [*names, *(min(wanted[y], room - BETWEEN) for y in shown[named:])]
        above, rows = (_rows_in(part, shown, named) for part in (section.above, section.rows))
        yield from _head(section, shown, widths)
        yield from ((line, "dim") for row in above for line in _row(row, widths, named))
        if above:
            yield _rule(widths), ""
        yield from ((line, "") for row in rows for line in _row(row, widths, named))


def _with_text(section: Section, width: int, console: Console) -> Lines:
    """The lines of a table with long texts in its last column. A text that does not fit beside its row stands below."""
    *wanted, longest = _widths(section)
    columns, named = range(len(wanted)), section.names
    figures = sum(BETWEEN + each for each in wanted[named:])
    names = _narrowed(wanted[:named], width - EDGE - figures, _longest_words(section))
    widths = [*names, *wanted[named:]]
    left = EDGE + sum(BETWEEN + each for each in widths)
    room = width - left
    beside = room >= min(LEAST_ROOM[section.last], longest)
    yield from _head(section, [*columns, len(wanted)] if beside else columns, [*widths, min(room, longest)])
    for row in section.rows:
        *cells, text = map(str, row)
        line = _line(cells, widths, named)
        if not beside:
            yield line, ""
            yield from ((" " * INDENT + part, "dim") for part in _wrapped(text, width - INDENT, console))
        elif section.last == "line":
            shown = in_one_line(text)
            if cell_len(shown) > room:
                shown = f"{chop_cells(shown, room - 1)[0].rstrip()}…"
            yield _padded(line, left) + shown, ""
        else:
            first, *more = _wrapped(text, min(room, WIDEST_TEXT), console)
            yield _padded(line, left) + first, ""
            yield from ((" " * left + part, "") for part in more)


def _head(section: Section, shown: Sequence[int], widths: Sequence[int]) -> Lines:
    left = len(section.columns) if section.last != "figure" else section.names
    headings = [_wrapped_heading(section.columns[y], width) for y, width in zip(shown, widths, strict=False)]
    highest = max(map(len, headings))
    for cells in zip(*([""] * (highest - len(lines)) + lines for lines in headings), strict=True):
        yield _line(cells, widths[: len(shown)], left), ""
    yield _rule(widths[: len(shown)]), ""


def _wrapped_heading(heading: str, width: int) -> list[str]:
    """A heading wrapped to ``width`` between words, and within words that are wider."""
    first, *more = in_one_line(heading).split() or [""]
    if max(map(cell_len, (first, *more))) > width:
        return _folded(heading, width)
    lines = [first]
    for word in more:
        if cell_len(f"{lines[-1]} {word}") <= width:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines


def _rule(widths: Sequence[int]) -> str:
    return " " * EDGE + "─" * _together(widths)


def _rows_in(rows: Sequence[Sequence[str | Cell]], shown: Sequence[int], named: int) -> list[Row]:
    """The rows restricted to the columns ``shown``. Rows with figures only in other columns are left out."""
    texts = [list(map(str, row)) for row in rows]
    chosen = [[row[y] for y in shown] for row in texts]
    return [part for part, row in zip(chosen, texts, strict=True) if any(part[named:]) or not any(row[named:])]


def _row(cells: Row, widths: Sequence[int], named: int) -> list[str]:
    """The lines of a row. Names wider than their column are wrapped, and figures are in the first line."""
    parts = [_folded(cell, width) for cell, width in zip(cells[:named], widths, strict=False)]
    figures = [[figure] for figure in cells[named:]]
    return [_line(line, widths, named) for line in zip_longest(*parts, *figures, fillvalue="")]


def _folded(text: str, width: int) -> list[str]:
    """A text wrapped to a width.

    It is cut after a punctuation mark (but not an opening bracket) or blank in the second half of a line, if possible.
    """
    lines, rest = list[str](), in_one_line(text)
    while cell_len(rest) > width:
        line = chop_cells(rest, width)[0]
        ends = [not sign.isalnum() and category(sign) not in OPENING for sign in line]
        signs = [place for place, is_end in enumerate(ends, 1) if is_end and 2 * place > len(line)]
        line = line[: signs[-1]] if signs else line
        lines.append(line.rstrip())
        rest = rest[len(line) :].lstrip()
    return [*lines, rest]


def _line(cells: Row, widths: Sequence[int], left: int) -> str:
    """The cells of a row as a line. The first ``left`` cells are left-aligned, the others right-aligned."""
    fitting = [shortened(in_one_line(cell), width) for cell, width in zip(cells, widths, strict=True)]
    padding = [" " * (width - cell_len(cell)) for cell, width in zip(fitting, widths, strict=True)]
    pairs = zip(fitting, padding, strict=True)
    aligned = [cell + space if y < left else space + cell for y, (cell, space) in enumerate(pairs)]
    return (" " * EDGE + (" " * BETWEEN).join(aligned)).rstrip()


def _together(widths: Sequence[int]) -> int:
    return sum(widths) + BETWEEN * (len(widths) - 1)


def _widths(section: Section, widest_heading: int | None = None, *, wrapped: bool = False) -> list[int]:
    """The width of each column, from its cells and its heading. If ``wrapped``, from the heading's longest word."""
    rows = (*section.above, *section.rows)
    whole = [in_one_line(heading) for heading in section.columns]
    headings = [max(map(cell_len, heading.split() if wrapped else [heading]), default=0) for heading in whole]
    headings = headings if widest_heading is None else [min(each, widest_heading) for each in headings]
    cells = [[cell_len(in_one_line(str(row[y]))) for row in rows] for y in range(len(headings))]
    return [max(heading, *column) for heading, column in zip(headings, ([0, *each] for each in cells), strict=True)]


def _whole_width(section: Section) -> int:
    """The width at which a table with lines or texts is uncut. Texts are wrapped, and do not count."""
    widths = _widths(section)
    return EDGE + sum(BETWEEN + each for each in (widths if section.last == "line" else widths[:-1]))


def _longest_words(section: Section) -> list[int]:
    """The width of the longest word in each column of names, up to a maximum."""
    words = [[word for row in section.rows for word in str(row[y]).split()] for y in range(section.names)]
    return [min(max(map(cell_len, of_column), default=0), WIDEST_WORD) for of_column in words]


def _narrowed(widths: Sequence[int], room: int, words: Sequence[int]) -> list[int]:
    """Column widths reduced to the total width ``room``. The widest columns are cut first, none below a minimum.

    That is the width of the longest of its ``words``, which are not broken.
    """
    narrowed, least = list(widths), [max(LEAST_NAME, each) for each in words]
    while _together(narrowed) > room and (wide := [y for y, each in enumerate(narrowed) if each > least[y]]):
        narrowed[max(wide, key=narrowed.__getitem__)] -= 1
    return narrowed


def _blocks(widths: Sequence[int], room: int) -> list[list[int]]:
    """Indices of columns, split into blocks that fit the width ``room``. A block has at least one column."""
    blocks, left = [list[int]()], room
    for column, width in enumerate(widths):
        if BETWEEN + width > left and blocks[-1]:
            blocks.append([])
            left = room
        blocks[-1].append(column)
        left -= BETWEEN + width
    return blocks


def _wrapped(text: str, width: int, console: Console) -> list[str]:
    """The lines of a text, wrapped between words. A command stays in one line, however long, so it can be copied."""
    shielded = COMMAND.sub(lambda command: command[0].replace(" ", SHIELD), harmless(text))
    before, _, last = shielded.rpartition(" ")
    too_long = [last] if SHIELD in last and cell_len(last) > width else []
    lines = [line.plain for line in Text(before if too_long else shielded).wrap(console, width)]
    return [line.replace(SHIELD, " ").rstrip() for line in (*lines, *too_long)] or [""]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))
