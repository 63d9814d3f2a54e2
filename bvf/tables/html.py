"""Tables as HTML for notebooks. It has no scripts, and texts are escaped."""

from collections.abc import Sequence
from html import escape

from bvf.errors import in_one_line
from bvf.interfaces.section import Cell, Section

CELL = "padding:.15em .6em;border:0;white-space:nowrap;background:none"
RULE = "border-bottom:1px solid"
PLAIN = "margin:.3em 0;max-width:60em"


def as_html(sections: Sequence[Section]) -> str:
    """Return tables as HTML without scripts. Colours are inherited from the page."""
    return "\n".join(_html(section) for section in sections)


def _html(section: Section) -> str:
    head = _row("th", section.columns, section, f"{CELL};{RULE}")
    above = [_row("td", row, section, f"{CELL};opacity:.7") for row in section.above]
    rows = [_row("td", row, section, CELL) for row in section.rows]
    bodies = "".join(f'<tbody style="{RULE}">{"".join(part)}</tbody>' for part in (above, rows) if part)
    return (
        f"{_paragraphs(section.warnings, f'{PLAIN};font-weight:bold')}"
        f'<p style="{PLAIN};margin-top:1.2em"><b>{_escaped(section.title)}</b></p>'
        f"{_paragraphs(section.subtitle, PLAIN)}"
        '<div style="overflow-x:auto"><table style="border-collapse:collapse;margin:.6em 0;'
        f'font-variant-numeric:tabular-nums"><thead>{head}</thead>{bodies}</table></div>'
        f"{_paragraphs(section.notes, f'{PLAIN};opacity:.7')}"
    )


def _row(tag: str, cells: Sequence[str | Cell], section: Section, style: str) -> str:
    sides = ["left" if section.is_left(y) else "right" for y in range(len(cells))]
    inner = [
        f'<{tag} dir="auto" style="{style};text-align:{side}">{_escaped(str(cell))}</{tag}>'
        for cell, side in zip(cells, sides, strict=True)
    ]
    return f"<tr>{''.join(inner)}</tr>"


def _paragraphs(sentences: Sequence[str], style: str) -> str:
    return "".join(f'<p style="{style}">{_escaped(sentence)}</p>' for sentence in sentences)


def _escaped(text: str) -> str:
    return escape(in_one_line(text))
