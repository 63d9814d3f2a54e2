"""Tables are as wide as the terminal: nothing is lost in a narrow one, and a wide one is used."""

from functools import partial

import pytest
from helpers.rendered import lines as cropped
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from bvf.interfaces.section import Section
from bvf.tables.markup import as_markdown

FIGURES = ("R", "R^b", "R^v", "spread", "shared", "particular")
MODELS = Section(
    "models",
    ("model", *FIGURES),
    [("bundled:en-causal", *(f"0.{number}000" for number in range(1, 7)))],
    above=[("randomly stereotyped *", "1.0000", "0.0000", "1.0000", "", "", "")],
    notes=["R: how far predictions are from p*. " * 6],
)
LISTING = Section(
    "topics",
    ("name", "lang", "plugin", "what"),
    [
        ("knowledge/official-languages", "en", "knowledge", "The official language of a country, and of what it owns"),
        ("region", "zh", "zh", "给出某人来自哪里时人们对他的评价是好还是坏呢"),
    ],
    names=3,
    last="line",
)
lines = partial(cropped, crop=False)
FACTS = Section("gender", ("what", "is"), [("reference p*", "Uniform by default. " * 8)], last="text")


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
@pytest.mark.parametrize("section", [MODELS, LISTING, FACTS], ids=lambda section: section.title)
def test_no_line_is_wider_than_the_terminal_or_ends_in_blanks(section, width):
    rendered = lines(section, width=width)
    assert max(map(cell_len, rendered)) <= width
    assert [line.rstrip() for line in rendered] == rendered


def test_a_table_that_is_too_wide_goes_on_below_with_its_names():
    rendered = lines(MODELS, width=40)
    headings = [line.split() for line in rendered if line.startswith(" model ")]
    assert [heading[1:] for heading in headings] == [["R", "R^b", "R^v"], ["spread", "shared"], ["particular"]]
    rows = [line.split()[1:] for line in rendered if line.startswith(" bundle")]
    assert rows == [["0.1000", "0.2000", "0.3000"], ["0.4000", "0.5000"], ["0.6000"]]
    assert sum("random" in line for line in rendered) == 1  # it says nothing in the other columns
    assert sum(line.startswith(" model ") for line in lines(MODELS, width=80)) == 1


def test_figures_end_where_their_column_does():
    heading, *rows = [line for line in lines(MODELS, width=80) if line.startswith((" model", " bundled", " random"))]
    for number, column in enumerate(("R ", "R^b", "R^v")):
        end = heading.index(column) + len(column.strip())
        assert [row[end - 6 : end] for row in rows] == [MODELS.above[0][number + 1], MODELS.rows[0][number + 1]]


@pytest.mark.parametrize(("width", "shown"), [(80, False), (120, True)])
def test_spare_columns_are_shown_where_there_is_room(width, shown):
    wide = Section("t", ("group", *"abcdefgh"), [("nurse", *["0.50000000"] * 8)], spare=4)
    (heading,) = [line for line in lines(wide, width=width) if line.startswith(" group")]
    assert ("h" in heading.split()) == shown
    assert "d" in heading.split()


@pytest.mark.parametrize("bracket", ["(", "\uff08"])
def test_a_long_name_is_folded_and_its_figures_stand_in_its_first_line(bracket):
    name = f"a-model-that-somebody-gave-a-name-as-long-as-a-sentence {bracket}of-one-folder-among-many)"
    table = Section("t", ("model", name, "R"), [(name, "0.1000", "0.2000")])
    rendered = lines(table, width=60)
    rule = next(number for number, line in enumerate(rendered) if "─" in line)
    heading, row = rendered[2:rule], rendered[rule + 1 :]
    assert row[0].split()[1:] == ["0.1000", "0.2000"]
    assert "".join("".join(row).split()).replace("0.10000.2000", "") == name.replace(" ", "")
    assert heading[-1].split()[0] == "model"
    assert "".join("".join(heading).replace("model   ", "").split()).removesuffix("R") == name.replace(" ", "")
    assert not any("…" in line for line in rendered)
    assert not any(part.endswith(("(", "\uff08")) for line in rendered for part in line.split("  "))


def test_a_listing_has_a_line_per_thing_whose_end_is_cut_where_it_must():
    wide, usual = lines(LISTING, width=120), lines(LISTING, width=80)
    assert wide[-2].endswith("and of what it owns")
    assert usual[-2].startswith(" knowledge/official-languages  en    knowledge  The official")
    assert usual[-2].endswith("…")
    assert len(usual) == len(wide) == 6


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_whole_listing_has_a_line_per_thing_however_narrow_the_console_is(width):
    things = [tuple(line.split(maxsplit=3)) for line in lines(LISTING, width=width, whole=True)[-2:]]
    assert things == LISTING.rows


def test_whole_names_stand_beside_or_above_a_text_that_is_wrapped():
    name = "a-model-that-somebody-gave-a-name-as-long-as-a-whole-sentence-of-some-hundred-characters"
    facts = Section("t", ("what", "is"), [(name, "A sentence that goes on. " * 8)], last="text")
    assert any("…" in line for line in lines(facts, width=60))
    whole = lines(facts, width=60, whole=True)
    assert not any("…" in line for line in whole)
    assert f" {name}" in whole
    rendered = lines(LISTING, width=40)  # what a thing is stands below its name where the terminal is narrow
    below = [line.strip() for line in rendered[4:] if line.startswith("    ")]
    assert " ".join(below[:2]) == LISTING.rows[0][-1]
    assert "".join(below[2:]) == LISTING.rows[1][-1]
    assert rendered[2].split() == ["name", "lang", "plugin"]


def test_characters_of_two_columns_do_not_move_a_column():
    groups = Section("t", ("group", "meaning", "r"), [("医生", "doctor", "0.5"), ("nurse", "保育士", "0.25")], names=2)
    rows = lines(groups, width=80)[-2:]
    assert {cell_len(row) for row in rows} == {cell_len(rows[0])}
    assert cell_len(rows[0][: rows[0].index("doctor")]) == cell_len(rows[1][: rows[1].index("保")])


cell = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=30)


@given(
    st.integers(1, 3), st.integers(1, 5), st.integers(40, 130), st.sampled_from(["figure", "line", "text"]), st.data()
)
def test_whatever_the_cells_are_the_table_fits(names, figures, width, last, data):
    columns = names + figures
    row = st.lists(cell, min_size=columns, max_size=columns)
    section = Section("t", data.draw(row), data.draw(st.lists(row, min_size=1, max_size=3)), names=names, last=last)
    rendered = lines(section, width=width)
    assert len(rendered) >= 4
    if last == "figure":
        assert max(map(cell_len, rendered)) <= width


def test_a_heading_is_wrapped_between_words_where_the_table_would_be_too_wide():
    section = Section("t", ("name", "points above others", "p"), [("captain", "female +12.2", "0.1")])
    assert lines(section, width=60)[2].split() == ["name", "points", "above", "others", "p"]
    assert [line.split() for line in lines(section, width=30)[2:4]] == [["points", "above"], ["name", "others", "p"]]


@pytest.mark.parametrize(("width", "parts"), [(80, ["particular R^b"]), (60, ["particular", "R^b"])])
def test_a_name_is_whole_if_it_fits_and_else_breaks_between_words(width, parts):
    columns = ("figure", "models", "difference", "interval", "Holm p", "", "to find")
    row = ("particular R^b", "1 - 8", "-0.0007", "-0.0025 to -0.0010", "<0.0001", "higher", "0.0025")
    drawn = lines(Section("Differences", columns, [row], names=2), width=width)
    shown = [line.strip().partition("  ")[0] for line in drawn]
    first = shown.index(parts[0])
    assert shown[first : first + len(parts)] == parts


def test_a_table_without_columns_is_its_sentences():
    section = Section("Agree?", (), (), subtitle=["Nothing can be told."])
    assert [line for line in lines(section, width=80) if line] == ["Agree?", "Nothing can be told."]
    assert as_markdown([section]).split("\n") == ["### Agree?", "", "Nothing can be told.", ""]


@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize(
    ("sentence", "command"),
    [
        ("details: bvf show --details 'my runs/a' b", "bvf show --details 'my runs/a' b"),
        ("Each holds for one model: `bvf compare A B` tests which differ", "`bvf compare A B`"),
    ],
)
def test_a_command_stays_in_one_line_however_narrow_the_terminal_is(width, sentence, command):
    rendered = lines(Section("", (), (), notes=(sentence,)), width=width, whole=True)
    assert sum(command in line for line in rendered) == 1
    assert " ".join(rendered).split() == sentence.split()
