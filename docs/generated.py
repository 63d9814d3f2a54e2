"""A hook of mkdocs: formulas, between $ or $$ in a page, as MathML."""

import re
from typing import Any

from latex2mathml.converter import convert

FENCED = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by mkdocs with the text of every page."""
    parts = FENCED.split(markdown)
    return "".join(part if index % 2 else FORMULA.sub(_mathml, part) for index, part in enumerate(parts))


def _mathml(match: re.Match[str]) -> str:
    if match[1]:
        before = match.string[: match.start()].rpartition("\n")[2]
        indent = "" if before.strip() else before
        formula = convert(match[1].strip(), display="block")
        return f'\n\n{indent}<div style="overflow-x: auto">{formula}</div>\n\n{indent}'
    return f"<span>{convert(match[2])}</span>"  # a line that begins with <math> would be a block
