"""Tables as GitHub-flavoured Markdown. No text of a cell or sentence is read as Markdown or HTML."""

from collections.abc import Iterator, Sequence

from bvf.errors import in_one_line
from bvf.interfaces.section import Section
from bvf.tables.words import undirected

SPECIAL = str.maketrans({**{char: f"\\{char}" for char in "\\`*_[]~|$"}, "&": "&amp;", "<": "&lt;", ">": "&gt;"})


def as_markdown(sections: Sequence[Section], *, captions: bool = False) -> str:
    r"""Return tables as Markdown, each below its title: a heading, or a bold line if ``captions``.

    >>> print(as_markdown([Section("t", ("group", "r"), [("a|b", "0.5")])]))
    ### t
    <BLANKLINE>
    | group | r |
    | --- | ---: |
    | a\|b | 0.5 |
    <BLANKLINE>
    """
    return "\n".join(line for section in sections for line in _lines(section, "**{}**" if captions else "### {}"))


def escaped(text: str) -> str:
    r"""Return a text on one line that Markdown shows as it is.

    >>> escaped("a|b <i> *c*")
    'a\\|b &lt;i&gt; \\*c\\*'
    """
    return undirected(in_one_line(text)).translate(SPECIAL)


def _with_breaks(text: str) -> str:
    return "<br>".join(map(escaped, text.strip().split("\n")))


def _lines(section: Section, title: str) -> Iterator[str]:
    for warning in section.warnings:
        yield from (f"> {_with_breaks(warning)}", "")
    yield from (title.format(_with_breaks(section.title)), "")
    for sentence in section.subtitle:
        yield from (_with_breaks(sentence), "")
    if section.columns:
        rules = ["---" if section.is_left(y) else "---:" for y in range(len(section.columns))]
        rows = [[_with_breaks(str(cell)) for cell in row] for row in (section.columns, *section.above, *section.rows)]
        yield from (f"| {' | '.join(cells)} |" for cells in (rows[0], rules, *rows[1:]))
        yield ""
    if meanings := [f"- {escaped(each.symbol)}: {escaped(each.meaning)}" for each in section.explained]:
        yield from (*meanings, "")
    for sentence in section.notes:
        yield from (_with_breaks(sentence), "")
