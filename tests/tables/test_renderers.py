"""What each renderer makes of names of strangers: they stay names, whatever is written in them."""

import csv
import io
import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from bvf_report.export.papers import as_latex, as_long_latex, escaped
from helpers.hostile_texts import HOSTILE, PAYLOADS
from helpers.made_alike import measured, probabilities
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.console import Console

import bvf
from bvf.errors import CONTROL, in_one_line
from bvf.interfaces.section import Cell, Quantity, Section
from bvf.tables.markup import NUMBER, as_csv, as_html, as_markdown, frame_as_csv, without_formula
from bvf.tables.terminal import Drawn
from bvf.tables.words import undirected

MARKUP = ("a|b", "**x** _y_ `z`", "[a](javascript:b)", "~~a~~", "\\|", "![]()", "&lt;b&gt;", "C:\\x\\", "טבח")
OF_TEX = (r"\input{/etc/passwd}", "a & b % c", "#1 $x$ _y^z~", "\\\\ [x]", "{", "}}", "[2em]", "*", "--", 'a"b`c')
FORMULAS = ("=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(1)", "\t=1", " =1", "\uff1d1", "\uff0bx", "a\r\n=b\x00")
STRANGE = [each for each in (*HOSTILE, *PAYLOADS, *MARKUP, *OF_TEX, *FORMULAS) if "\ud800" not in each]
TAGS_OF_MARKDOWN = {"", "h3", "p", "blockquote", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"}
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
texts = st.sampled_from(STRANGE) | st.text(st.characters(exclude_categories=["Cs"]))


def section(*names, **more):
    """A table with the names in its rows, and the first one in every sentence."""
    said = [f"It says {names[0]}"]
    rows = [(name, Cell("0.100", 0.1, "-0.050 to 0.200")) for name in names]
    around = {"subtitle": said, "notes": said, "warnings": said, "quantities": [Quantity("R", "R", "$R$", said[0])]}
    return Section(f"Of {names[0]}", ("name", "R"), rows, **{**around, **more})


@given(texts)
def test_a_terminal_gets_no_control_character(text):
    out = io.StringIO()
    Console(file=out, width=80).print(Drawn([section(text)]))
    assert not CONTROL.search(out.getvalue())
    assert "0.100 (-0.050 to 0.200)" in out.getvalue()


@given(st.lists(texts, min_size=1, max_size=3))
@example(STRANGE)
def test_markdown_shows_a_name_as_it_is_and_obeys_nothing_of_it(names):
    tokens = PARSER.parse(as_markdown([section(*names)]))
    parts = [child for token in tokens for child in token.children or ()]
    assert {part.type for part in parts} <= {"text", "text_special", "html_inline"}
    assert {part.content for part in parts if part.type == "html_inline"} <= {"<br>"}
    assert {token.tag for token in tokens} <= TAGS_OF_MARKDOWN
    cells = [token.children for before, token in pairwise(tokens) if before.type == "td_open"]
    shown = ["".join(" " if part.type == "html_inline" else part.content for part in cell) for cell in cells]
    lines = [" ".join(map(in_one_line, name.strip().split("\n"))) for name in names]
    assert [text.split() for text in shown[::2]] == [undirected(line).split() for line in lines]
    assert set(shown[1::2]) == {"0.100 (-0.050 to 0.200)"}


def test_a_line_break_is_one_of_the_cell_in_markdown_and_a_caption_is_no_heading():
    assert "| a<br>b | 0.100" in as_markdown([section("a\nb")])
    assert as_markdown([section("nurse")], captions=True).splitlines()[2:6:3] == ["**Of nurse**", ""]


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
@example([(text, "-0.5") for text in STRANGE])
def test_csv_reads_back_and_no_spreadsheet_runs_a_cell(rows):
    shown = [[cell if NUMBER.fullmatch(cell) else without_formula(cell) for cell in row] for row in rows]
    assert list(csv.reader(io.StringIO(as_csv(("one", "two"), rows), newline=""))) == [["one", "two"], *shown]
    for cell in (cell for row in shown for cell in row if not NUMBER.fullmatch(cell)):
        assert not cell.lstrip(" \n").startswith(tuple("=+-@\uff1d\uff0b\uff0d\uff20\t"))


def test_csv_of_a_frame_keeps_numbers_and_writes_headings_as_texts():
    import pandas as pd

    frame = pd.DataFrame({"=a": ["=1", "nurse", None], "b": [-0.1, 1e-9, None]})
    assert frame_as_csv(frame) == "'=a,b\n'=1,-0.1\nnurse,1e-09\n,\n"


TOKEN = re.compile(
    r"\\([a-z]+\d*)\{\}|\\([#$%&_{}])|\{([\[\]*])\}|\$(-)\$|\$([Rr]\^)\{([bv])\}\$|(\{\})|([^\\{}#$%&_^~])", re.DOTALL
)
OF_WORDS = {"textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<", "textgreater": ">"}
OF_WORDS |= {"textbar": "|", "char34": '"', "char96": "`"}


def printed(tex):
    """What TeX prints of a text that has no command but those for characters; fails for any other one."""
    text, place = "", 0
    while place < len(tex):
        token = TOKEN.match(tex, place)
        assert token, tex[place:]
        word, *others, _, plain = token.groups()
        text += OF_WORDS[word] if word else "".join(each or "" for each in (*others, plain))
        place = token.end()
    return text


@given(texts)
@example("".join(STRANGE))
@example("---")
@example("R^b and r^v: -1")
def test_tex_prints_a_name_as_it_is_and_obeys_nothing_of_it(text):
    tex = escaped(text)
    assert printed(tex) == undirected(in_one_line(text))
    assert not tex.startswith(("[", "*"))
    assert "--" not in tex


@given(st.lists(texts, min_size=1, max_size=3))
@example(STRANGE)
def test_every_row_of_latex_has_as_many_cells_as_there_are_columns(names):
    table = section(*names)
    for tex in (as_latex(table, "t"), as_long_latex(table, "t"), as_long_latex(table, "t", 1)):
        rows = [line for line in tex.split("\\midrule\n")[1].splitlines() if line.endswith(" \\\\")]
        assert len(rows) == len(names)
        columns = len(re.search(r"\{(?:tabular|longtable)\}\{([lr]+)\}", tex)[1])
        assert {len(re.split(r" (?<!\\)& ", row)) for row in rows} == {columns}
        assert not re.search(r"(?<!\\)[#%]", tex.partition("\n")[2])
        bare = re.sub(r"\\[{}]", "", tex)
        assert bare.count("{") == bare.count("}")


def test_latex_has_formulas_for_quantities_and_numbers_without_their_zero():
    tex = as_latex(section("a -0.5"), "t")
    assert r"name & $R$ \\" in tex
    assert r"a $-$0.5 & .100 {\scriptsize($-$.050 to .200)} \\" in tex
    assert r"\smallskip{\footnotesize $R$: It says a $-$0.5. It says" in tex
    assert r"\multicolumn{1}{l}{\itshape a $-$0.5} \\*" in as_long_latex(section("a -0.5"), "t", 1)


class Page(HTMLParser):
    """The tags of a page, their attributes, and the text of its cells."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.cells = set(), set(), []
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {key for key, _ in attrs}
        self._inside = tag in ("td", "th")
        self.cells += [""] if self._inside else []

    def handle_endtag(self, tag):
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data):
        if self._inside:
            self.cells[-1] += data


TAGS = {"b", "div", "p", "table", "tbody", "td", "th", "thead", "tr"}


@given(st.lists(texts, min_size=1, max_size=3))
@example(STRANGE)
def test_a_notebook_shows_a_name_as_it_is_and_has_no_tag_of_it(names):
    page = Page(as_html([section(*names)]))
    assert page.tags <= TAGS
    assert page.attributes <= {"style", "dir"}
    assert page.cells[:2] == ["name", "R"]
    assert [cell.split() for cell in page.cells[2::2]] == [in_one_line(name).split() for name in names]
    assert set(page.cells[3::2]) == {"0.100 (-0.050 to 0.200)"}


def test_a_comparison_shows_itself_with_every_figure():
    hostile = ("<script>alert(1)</script>", '" onmouseover="alert(1)')
    models = [measured(name, probabilities(seed)) for seed, name in enumerate(hostile, 1)]
    page = Page(bvf.compare(models, unit="template")._repr_html_())
    assert page.tags <= TAGS
    assert {f"1 {hostile[0]}", f"2 {hostile[1]}", "R^b", "particular R^b"} <= set(page.cells)


@pytest.mark.parametrize("last", ["figure", "line", "text"])
def test_a_column_is_left_of_figures_or_is_one(last):
    table = Section("t", ("a", "b", "c"), [], names=1, last=last)
    assert [table.is_left(y) for y in range(3)] == [True, False, last != "figure"]
