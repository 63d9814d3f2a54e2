"""Sections of a page that a third party's plugin brings: where they stand, what they get, and their options."""

import pytest
from bvf_report.page.build import page_of
from bvf_report.page.html import html_of

from bvf import BvfError, Section, load

PLUGIN = """
from bvf import Provider, Section, hookimpl
from bvf.domain.config import Config
from bvf.errors import BvfError
from bvf.results.page import PageParts, Part, Place


class Options(Config):
    shout: str = ""


class Counts(PageParts):
    place = Place.DETAILS

    def __init__(self, options):
        self.shout = options.shout

    def of_page(self, page, above):
        return [Part("counts", "Counts", (f"{len(page.all)} results {self.shout}".strip(),))]

    def of_result(self, result, number, page):
        rows = [(each.group, f"{each.weight:.2f}") for each in result.result.groups]
        table = Section("Weights of groups", ("group", "weight"), rows)
        return [Part(f"counts-{number}", f"Groups of {result.name}", (table,), 3)]


class Below(PageParts):
    place = Place.BACKGROUND

    def of_page(self, page, above):
        return [Part("below", "Below", (f"above: {', '.join(part.id for part in above)}",))]


@hookimpl
def bvf_page_parts():
    return [Provider("counts", Counts, options=Options), Provider("below", Below)]
"""


@pytest.fixture(scope="module")
def with_counts(tmp_path_factory):
    file = tmp_path_factory.mktemp("plugin") / "counts.py"
    file.write_text(PLUGIN)
    return load(extra=file)


def test_sections_of_a_plugin_stand_in_their_places_and_its_tables_can_be_sorted(result, with_counts):
    page = page_of([result.folder], with_counts)
    ids = [part.id for part in page.parts]
    assert ids.index("spread-0") < ids.index("counts-0") < ids.index("counts") < ids.index("below") < ids.index("audit")
    parts = {part.id: part for part in page.parts}
    (table,) = parts["counts-0"].blocks
    assert isinstance(table, Section)
    assert table.columns == ("group", "weight")
    assert parts["counts"].blocks == ("1 results",)
    assert parts["below"].blocks == ("above: counts",)
    assert "Weights of groups" in html_of(page)


def test_a_section_gets_the_options_that_its_provider_declares(result, with_counts):
    page = page_of([result.folder], with_counts, options={"shout": "here"})
    assert next(part for part in page.parts if part.id == "counts").blocks == ("1 results here",)
    with pytest.raises(BvfError, match='no part of a page has an option "shoutt"') as refused:
        page_of([result.folder], with_counts, options={"shoutt": "here"})
    assert "shout" in refused.value.hint


def test_the_command_takes_the_options_of_installed_sections_alone(command):
    shown = command("report", "--help-all").out
    assert "--against" in shown
    assert "--shout" not in shown
