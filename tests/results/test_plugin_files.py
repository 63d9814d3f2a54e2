"""Files of plugins: read by their schema, shown on a page, drawn by kind."""

import json

import pytest

from bvf.errors import BvfError
from bvf.hooks.loader import load
from bvf.results.plugin_files import read_reported, reported_in

PLUGIN = """
from dataclasses import dataclass
from bvf.errors import BvfError
from bvf.hooks.provider import Provider
from bvf.hooks.specs import hookimpl
from bvf.interfaces.picture import Picture
from bvf.interfaces.reported_file import ReportedFile
from bvf.interfaces.section import Section


@dataclass(frozen=True)
class Bars(Picture):
    kind = "bars"
    title = "Bars"
    heights: tuple[float, ...]

    def caption(self):
        return f"{len(self.heights)} bars."

    def draw(self, ax=None, columns=1):
        from bvf.drawing.style import axes_of

        axes = axes_of(ax, columns, 2.0)
        axes.bar(range(len(self.heights)), self.heights)
        return axes


class Heights(ReportedFile):
    what = "Heights"
    pictures = (Bars,)

    def __init__(self, values, name):
        if "heights" not in values:
            raise BvfError("it has no heights", "write a list of numbers")
        self.title, self.heights = values.get("title") or name, tuple(values["heights"])

    def sections(self, show=24):
        return [Section(self.title, ("height",), [(f"{each:g}",) for each in self.heights[: show or None]])]

    def picture(self, of, *, show=24, factors=()):
        if not self.heights:
            raise BvfError("there is nothing to draw")
        return Bars(self.heights)


@hookimpl
def bvf_files():
    return [Provider("heights/1", Heights, "a file with heights")]
"""
UNKNOWN = "tall.json: a file with a schema that no plugin reads"
HINT = "it takes a file with heights"


@pytest.fixture
def plugin(tmp_path):
    file = tmp_path / "heights.py"
    file.write_text(PLUGIN)
    return str(file)


@pytest.fixture
def written(tmp_path):
    def write(values, name="tall.json"):
        (tmp_path / name).write_text(values if isinstance(values, str) else json.dumps(values))
        return tmp_path / name

    return write


def test_a_file_is_read_by_the_plugin_that_knows_its_schema(plugin, written):
    plugins = load(extra=plugin)
    file = read_reported(written({"schema": "heights/1", "heights": [1.5, 2]}), plugins)
    assert (file.title, file.heights) == ("tall", (1.5, 2))
    assert [list(section.rows) for section in file.sections()] == [[("1.5",), ("2",)]]


@pytest.mark.parametrize(
    ("values", "message", "hint"),
    [
        ({"schema": "bvf.other/1"}, UNKNOWN, HINT),
        ([1], UNKNOWN, HINT),
        ({"schema": "heights/1"}, "tall.json: it has no heights", "write a list of numbers"),
        ("{", "tall.json", ""),
        (None, "tall.json: no file", HINT),
    ],
)
def test_other_files_are_one_line(plugin, written, tmp_path, values, message, hint):
    file = tmp_path / "tall.json" if values is None else written(values)
    with pytest.raises(BvfError) as refused:
        read_reported(file, load(extra=plugin))
    assert message in refused.value.message
    assert hint in refused.value.hint


def test_of_a_folder_its_own_files_are_taken_and_none_to_which_a_link_leads(plugin, written, tmp_path):
    mine, plugins = written({"schema": "heights/1", "heights": [1.5]}), load(extra=plugin)
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "a.json").symlink_to(mine)
    assert reported_in(theirs, plugins) is None
    (theirs / "b.json").write_text(mine.read_text())
    assert reported_in(theirs, plugins) == theirs / "b.json"
    (tmp_path / "linked").symlink_to(theirs)  # the user may name a folder, or a file, by a link
    assert reported_in(tmp_path / "linked", plugins) == tmp_path / "linked" / "b.json"
    assert read_reported(theirs / "a.json", plugins).heights == (1.5,)


def test_a_report_shows_its_tables_and_pictures_and_says_what_cannot_be_drawn(command, plugin, written, tmp_path):
    tall = written({"schema": "heights/1", "heights": [1.5, 2]})
    none = written({"schema": "heights/1", "heights": [], "title": "Nothing"}, "none.json")
    page = tmp_path / "page.html"
    done = command("report", tall, none, "--plugin", plugin, "-o", page)
    assert (done.code, done.out) == (0, "")
    text = page.read_text()
    assert "Heights: tall" in text
    assert "2 bars." in text
    assert "Not drawn: there is nothing to draw." in text
