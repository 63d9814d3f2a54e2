"""Tables for other programs: names from strangers stay names, whatever is written in them."""

import csv
import io
from html.parser import HTMLParser

import pytest
from helpers.made_alike import measured, probabilities
from hypothesis import given
from hypothesis import strategies as st
from markdown import markdown as rendered

import bvf
from bvf.interfaces.analysis import Section
from bvf.tables.markup import NUMBER, as_csv, html, markdown, without_formula

HOSTILE = [
    "<script>alert(1)</script>",
    '" onmouseover="alert(1)',
    "</table><img src=x onerror=alert(1)>",
    "a|b",
    "`code` *bold* _thin_ ~~no~~",
    "[link](http://example.org)",
    "&lt;b&gt;",
    "C:\\x\\",
    "医生 👩‍⚕️",
    "טבח",
    "x" * 300,
]
TAGS = {"b", "div", "p", "table", "tbody", "td", "th", "thead", "tr"}
name = st.sampled_from(HOSTILE) | st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]))


class Page(HTMLParser):
    """The tags of a page, their attributes, and the text of its cells."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.cells = [], set(), []
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= {key for key, _ in attrs}
        if tag in ("td", "th"):
            self.cells.append("")
            self._inside = True

    def handle_endtag(self, tag):
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data):
        if self._inside:
            self.cells[-1] += data


def table(*names, **more):
    return Section("t", ("group", "r"), [(each, "0.5") for each in names], **more)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_name_stays_a_name_in_a_notebook(hostile):
    section = table(hostile, subtitle=[hostile], notes=[hostile], warnings=[hostile])
    page = Page(html([section]))
    assert set(page.tags) <= TAGS
    assert page.attributes <= {"style", "dir"}
    assert page.cells == ["group", "r", hostile, "0.5"]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_name_stays_a_name_in_markdown(hostile):
    page = Page(rendered(markdown([table(hostile)]), extensions=["tables"]))
    assert set(page.tags) == {"h3", "table", "tbody", "td", "th", "thead", "tr"}
    # \~, \$ are escapes on GitHub and not in this library
    assert [cell.replace("\\~", "~") for cell in page.cells] == ["group", "r", hostile.strip(), "0.5"]


@given(st.lists(name, min_size=1, max_size=4))
def test_no_name_makes_a_tag_or_another_cell(names):
    page = Page(html([table(*names)]))
    assert set(page.tags) <= TAGS
    assert len(page.cells) == 2 + 2 * len(names)
    rows = [line for line in markdown([table(*names)]).split("\n") if line.startswith("|")]
    assert len(rows) == 2 + len(names)


def test_a_line_break_is_one_of_the_cell_in_markdown():
    assert "| a<br>b | 0.5 |" in markdown([table("a\nb")])


@given(st.lists(st.tuples(name, name), min_size=1, max_size=4))
def test_csv_reads_back(rows):
    shown = [[cell if NUMBER.fullmatch(cell) else without_formula(cell) for cell in row] for row in rows]
    assert list(csv.reader(io.StringIO(as_csv(("one", "two"), rows)))) == [["one", "two"], *shown]


def test_a_comparison_shows_itself_with_every_figure():
    models = [measured(hostile, probabilities(seed)) for seed, hostile in enumerate(HOSTILE[:2], 1)]
    page = Page(bvf.compare(models, unit="template")._repr_html_())
    assert set(page.tags) <= TAGS
    assert {f"1 {HOSTILE[0]}", f"2 {HOSTILE[1]}", "R^b", "particular R^b"} <= set(page.cells)
