"""``bvf regress``, and its figure and part of a page, as somebody types it."""

import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest

SCHEMA = Path(__file__).resolve().parents[3] / "docs" / "schema" / "regressions-1.json"
AGAINST = ("--against", "wages", "--against", "women", "--weights", "employment")


@pytest.fixture(scope="module")
def run(run_of):
    return run_of(limit_groups=40).folder


def test_the_tables_say_slope_errors_and_family(run, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    done = command("regress", run, *AGAINST, "--show", "2")
    assert (done.code, done.err) == (0, "")
    said = " ".join(done.out.split())
    assert "Social factors: gender (en), toy:hash, criterion linf, weights employment" in said
    assert "weekly wage (2024), slope per 1,000 $" in said
    assert "with the error of contexts, which all groups share" in said
    assert "adjusted by Holm for all 2 regressions" in said
    assert "the groups that move the slope most (2 of" in said
    assert all(len(line.rstrip()) <= 100 for line in done.out.splitlines())


def test_json_is_as_the_schema_says_and_csv_has_its_figures(run, command):
    regressed = json.loads(command("regress", run, *AGAINST, "--format", "json").out)
    jsonschema.validate(regressed, json.loads(SCHEMA.read_text()))
    assert [each["figure"] for each in regressed["regressions"]] == ["r", "association:male"]
    rows = list(csv.DictReader(io.StringIO(command("regress", run, *AGAINST, "--format", "csv").out)))
    for row, each in zip(rows, regressed["regressions"], strict=True):
        assert float(row["slope"]) == pytest.approx(each["slope"])
        assert int(row["groups"]) == len(each["groups"])
    assert "\n### Social factors" in command("regress", run, *AGAINST, "--format", "md").out


def test_a_figure_and_a_page_show_the_same_slope(run, command, tmp_path):
    (each,) = json.loads(command("regress", run, "--against", "wages", "--format", "json").out)["regressions"]
    slope = f"Slope per 1,000 $ {each['slope']:.4g}"
    done = command("plot", run, "--kind", "regression", "--against", "wages", "-o", tmp_path / "f.svg")
    assert done.code == 0, done.err
    assert slope in " ".join(done.out.split())
    page = tmp_path / "page.html"
    done = command("report", run, "--against", "wages", "-o", page)
    assert done.code == 0, done.err
    text = page.read_text("utf-8")
    assert slope in text
    assert 'id="social-0"' in text
    assert "says what goes together in these groups, and nothing of why" in text


SVG = ("-o", "f.svg")


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (("regress", "RUN"), "--against is missing: nothing to compare figures with", "--against wages"),
        (("regress", "none", "--against", "wages"), "none: neither the folder of a run", "--out"),
        (("plot", "RUN", "--kind", "regression", *AGAINST, *SVG), "2 regressions, and this figure", "--against"),
        (("plot", "RUN", "--kind", "lean", "--against", "wages", *SVG), "does nothing", "--kind regression"),
        (("plot", "RUN", "--kind", "lean", "--weights", "employment", *SVG), "does nothing", "--against"),
        (("plot", "RUN", "--kind", "frames", *SVG), "the contexts are not templates in frames", "bvf contexts frame"),
        (("report", "RUN", "--of", "r", "--light"), "--of does nothing without --against", "--against"),
    ],
)
def test_mistakes_are_one_line(arguments, message, hint, run, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = command(*(run if each == "RUN" else each for each in arguments))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert message in done.err
    assert hint in done.err
    assert not list(tmp_path.iterdir())
