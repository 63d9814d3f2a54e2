"""The warnings of a run stand in every form of whatever is made of its answers."""

import pytest

import bvf

HARDLY_ANY = "the compared words have less than 0.01% of the probability on average"


@pytest.fixture(scope="module")
def rare(run_of):
    return str(run_of(model="toy:rare", limit_groups=40, sample_contexts=60).folder)


@pytest.fixture(scope="module")
def elsewhere(run_of):
    return str(run_of(model="toy:rare", limit_groups=40, sample_contexts=0, limit_contexts=5).folder)


@pytest.fixture(params=["explain", "regress", "contexts"])
def made(request, rare, elsewhere):
    """A command, and the beginnings of its warnings."""
    return {
        "explain": (("explain", rare), ["toy:rare"]),
        "regress": (("regress", rare, "--against", "wages"), ["toy:rare"]),
        "contexts": (
            ("compare", rare, elsewhere, "--by", "contexts"),
            ["toy:rare, gender-mixed (60 drawn)", "toy:rare, gender-mixed (5)"],
        ),
    }[request.param]


def test_they_stand_above_the_tables_and_in_csv_and_json(command, in_json, made):
    arguments, named = made
    value = in_json(*arguments)
    assert [warning.partition(f": {HARDLY_ANY}")[0] for warning in value["warnings"]] == named
    text = command(*arguments).out
    assert " ".join(text.split()).startswith(f"WARNING: {value['warnings'][0]}")
    assert text.count("WARNING: ") == len(named)
    markdown = command(*arguments, "--format", "md").out
    assert all(f"> WARNING: {warning}\n" in markdown for warning in value["warnings"])
    header, *rows = command(*arguments, "--format", "csv").out.splitlines()
    assert header.endswith(",warnings")
    assert rows
    assert all("; ".join(value["warnings"]) in row for row in rows)


def test_a_notebook_shows_them(rare):
    result = bvf.read_result(rare)
    assert f"WARNING: toy:rare: {HARDLY_ANY}" in bvf.explain(result)._repr_html_()
    assert f"WARNING: toy:rare: {HARDLY_ANY}" in bvf.regress([result], against="wages")._repr_html_()
