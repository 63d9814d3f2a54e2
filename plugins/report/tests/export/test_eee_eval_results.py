"""Entries for the repository of a model, read by the hub's own library."""

import pytest
import yaml
from huggingface_hub import eval_result_entries_to_yaml, parse_eval_result_entries

from bvf import BvfError, export


@pytest.mark.parametrize("kind", ["result", "knowledge", "doubt"])
def test_the_library_of_the_hub_reads_every_entry_and_writes_the_same(request, kind):
    given = export.eval_results(request.getfixturevalue(kind), "acme/bias")
    entries = parse_eval_result_entries(yaml.safe_load(yaml.safe_dump(given)))
    assert eval_result_entries_to_yaml(entries) == given
    assert {entry.dataset_id for entry in entries} == {"acme/bias"}


def test_an_entry_is_a_figure_with_its_interval_and_direction_in_the_notes(result):
    entries = parse_eval_result_entries(export.eval_results(result, "acme/bias"))
    assert [(entry.task_id, entry.value) for entry in entries] == [
        ("gender-R", result.R),
        ("gender-R_bias", result.R_bias),
        ("gender-R_volatility", result.R_volatility),
    ]
    interval = result.uncertainty.intervals["R"]
    notes = entries[0].notes
    assert f"lower is better; {interval.low:.4f} to {interval.high:.4f}; Intervals of 95%" in notes
    assert "criterion linf; unit scale; 4 of 116 groups (drawn) in" in notes


def test_knowledge_says_which_way_is_better(knowledge):
    notes = {entry["dataset"]["task_id"]: entry["notes"] for entry in export.eval_results(knowledge, "a/b")}
    assert "higher is better" in notes["knowledge-capitals-mastery"]
    assert "lower is better" in notes["knowledge-capitals-confidence_gap"]


@pytest.mark.parametrize("name", ["bias", "a/b/c", "../x", "a/", "acme/bias\n", "acme/x y"])
def test_what_is_no_data_set_of_the_hub_is_refused(result, name):
    with pytest.raises(BvfError, match="not the name of a data set"):
        export.eval_results(result, name)
