"""The reference pages can be read in the repository: what is written from the code stands in them, and is fresh."""

import re
from pathlib import Path

import pytest
from helpers.scripts import script_at

ROOT = Path(__file__).resolve().parents[2]


WRITER = script_at(ROOT / "docs" / "reference" / "write.py")


@pytest.mark.parametrize("page", WRITER.PAGES, ids=lambda page: page.name)
def test_the_pages_are_as_the_code_is(page):
    text = page.read_text("utf-8")
    assert WRITER.written(text) == text, "run: python docs/reference/write.py"
    assert not re.search(r" at 0x[0-9a-f]{6}|\{\{", text), "what is another in every process, or is written elsewhere"


def test_every_name_that_a_template_imports_is_on_a_page():
    pages = "".join(page.read_text("utf-8") for page in WRITER.PAGES)
    missing = [
        f"{module}.{name}" for module, name in WRITER.imports_of_templates() if f"`{module}.{name}`" not in pages
    ]
    assert missing == []


def test_a_description_has_the_definition_its_arguments_and_its_methods():
    page = (ROOT / "docs" / "reference" / "hooks.md").read_text("utf-8")
    of_span = page.partition("### `bvf.interfaces.Span`\n")[2].partition("\n### ")[0]
    assert "class Span:\n    start: int\n    stop: int\n```" in of_span
    assert "- `of(self, document: Document) -> str`: Return the text of the span." in of_span
