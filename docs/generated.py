"""A hook of mkdocs: formulas, between $ or $$ in a page, as MathML; the search finds guides before the reference."""

import re
from typing import Any

from latex2mathml.converter import convert

GENERATED = re.compile(r"^<!-- (python|hooks|cli|modules) -->$", re.MULTILINE)
FENCED = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
BOOST_OF_GUIDES, BOOST_OF_GENERATED = 2, 0.1
"""What a match in a page counts in the search, where one in another page counts 1."""
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Called by mkdocs with the text of every page."""
    if GENERATED.search(markdown):
        page.meta["search"] = {"boost": BOOST_OF_GENERATED}
    elif page.url.startswith("how-to/"):
        page.meta["search"] = {"boost": BOOST_OF_GUIDES}
    parts = FENCED.split(markdown)
    return "".join(part if index % 2 else FORMULA.sub(_mathml, part) for index, part in enumerate(parts))


def _mathml(match: re.Match[str]) -> str:
    if match[1]:
        before = match.string[: match.start()].rpartition("\n")[2]
        indent = "" if before.strip() else before
        formula = convert(match[1].strip(), display="block")
        return f'\n\n{indent}<div style="overflow-x: auto">{formula}</div>\n\n{indent}'
    return f"<span>{convert(match[2])}</span>"  # a line that begins with <math> would be a block
