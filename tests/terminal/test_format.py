"""``--format``: the same tables for people, for Markdown, as CSV and as JSON."""

import csv
import io

import pandas as pd
import pytest
import typer
from helpers.topic_text import topic_text

import bvf
from bvf.builtin import LISTED
from bvf.cli.whole import app
from bvf.interfaces.section import Section
from bvf.terminal.format import show_as

NO_TABLE = {*("export", "plot", "report", "verify", "mine", "check", "new", "topics cross")}
NO_TABLE |= {f"contexts {name}" for name in ("merge", "export", "frame", "placebo")}
LISTINGS = ["topics", "contexts", "models", "plugins", *LISTED]
HOSTILE = ["a|b", "<script>alert(1)</script>", '"quoted", with a comma', "医生"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run of a topic whose groups have names that are markup."""
    folder = tmp_path_factory.mktemp("formats")
    escaped = [name.replace('"', '\\"') for name in HOSTILE]
    (folder / "t.toml").write_text(topic_text({"one": ["he"], "two": ["she"]}, groups=escaped))
    return bvf.run(model="baseline:random", topic=str(folder / "t.toml"), out=str(folder / "run")).folder


def commands(group, before=()):
    for name, command in group.commands.items():
        path = (*before, name)
        if hasattr(command, "commands"):
            if command.invoke_without_command:
                yield " ".join(path), command
            yield from commands(command, path)
        else:
            yield " ".join(path), command


def test_every_command_that_prints_a_table_takes_a_format():
    for path, command in commands(typer.main.get_command(app)):
        options = {name for each in command.params for name in each.opts}
        assert ("--format" in options) == (path not in NO_TABLE and not path.startswith("new ")), path
        assert "--json" not in options


def test_csv_of_a_result_is_its_frame_with_every_digit_and_of_several_one_table(command, folder):
    both = pd.read_csv(io.StringIO(command("show", folder, folder, "--format", "csv").out))
    assert len(both) == 2 * len(HOSTILE)
    printed = pd.read_csv(io.StringIO(command("show", folder, "--show", "1", "--format", "csv").out))
    frame = bvf.read_result(folder).to_frame()
    assert sorted(printed["group"]) == sorted(HOSTILE)
    assert printed["r"].tolist() == pytest.approx(frame["r"].tolist(), abs=1e-15)
    assert list(printed.columns) == ["model", "contexts", *frame.columns]


def test_markdown_has_every_cell_of_the_tables_and_no_markup_of_a_name(command, folder):
    printed = command("show", "--details", folder, "--format", "md").out
    rows = [line.split(" | ")[0].removeprefix("| ") for line in printed.splitlines() if line.startswith("| ")]
    assert set(rows) >= {"model", "baseline:random", "a\\|b", "&lt;script&gt;alert(1)&lt;/script&gt;", "医生"}
    assert "<" not in printed.replace("<br>", "")


@pytest.mark.parametrize("what", LISTINGS)
def test_a_listing_has_the_same_things_in_every_format(command, what):
    found = command(what, "--format", "json").json
    things = [row["name"] for row in found]
    assert any(row["version"] for row in found)
    rows = list(csv.DictReader(io.StringIO(command(what, "--format", "csv").out)))
    assert [row["name"] for row in rows] == things
    markdown = [line for line in command(what, "--format", "md").out.splitlines() if line.startswith("| ")]
    tables = len([line for line in markdown if line.startswith("| ---")])
    assert len(markdown) == 2 * tables + len(things)
    text = command(what).out
    assert all(f" {name} " in text for name in things)
    assert all(row.get("summary", "") in text for row in found if not row.get("usable"))
    assert "…" not in text


def test_a_context_set_as_csv_is_a_file_of_contexts(command, tmp_path):
    file = tmp_path / "again.csv"
    file.write_text(command("contexts", "show", "gender", "--format", "csv").out)
    same = command("contexts", "compare", "gender", file, "--format", "json").json
    assert same["jensen_shannon"] == 0
    assert same["shared"] == same["templates"][0] == same["templates"][1] == 10


def test_a_gate_has_a_row_per_limit(command, folder):
    limit = ("gate", folder, "--min", "R=0.5", "--as-is", "--format")
    (row,) = csv.DictReader(io.StringIO(command(*limit, "csv").out))
    assert (row["figure"], row["verdict"], float(row["value"])) == ("R", "pass", bvf.read_result(folder).R)
    assert "| pass | R |" in command(*limit, "md").out


def test_a_format_that_is_not_there_is_one_line(command, folder):
    done = command("show", folder, "--format", "xml")
    first, second = done.refusal.splitlines()
    assert "'xml' is not one of 'text', 'md', 'csv', 'json'" in first
    assert (second.startswith(" hint: "), done.out) == (True, "")
    assert second.endswith("show --help-all shows what there is")


def test_no_spreadsheet_runs_a_cell_of_a_command(capsys):
    show_as("csv", [Section("t", ("a",), [("=1+1",)])], None)
    show_as("csv", [], None, lambda: pd.DataFrame({"a": ["=1+1"]}))
    assert capsys.readouterr().out == "a\n'=1+1\n" * 2
