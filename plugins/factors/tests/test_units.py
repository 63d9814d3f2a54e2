"""Logs that have one answer in several rows, and questions that are asked several times."""

import random
from collections import Counter
from math import log, sqrt

import pytest
from bvf_factors import analyse_table, compare_models, read_table, subgroups
from scipy.stats import norm

from bvf import BvfError
from bvf.domain.factors import Declaration

PEOPLE = ("nurse", "engineer", "teacher")


def wrong(number):
    """Whether the answer to a question is wrong: a little more often for engineers."""
    return random.Random(number * 7).random() > 0.35 + 0.15 * (PEOPLE[number % 3] == "engineer")


def sample(number, name="strict-match", *, right=None, **others):
    """A sample of lm-evaluation-harness."""
    right = not wrong(number) if right is None else right
    doc = {"person": PEOPLE[number % 3], "hard": number % 2}
    fixed = {"doc_id": number, "doc": doc, "target": "4", "arguments": {}, "resps": [["4"]], "filtered_resps": ["4"]}
    return {**fixed, "filter": name, "exact_match": float(right), **others}


def metric(number, name, task="qa", *, right, run="qa/m/1706000000"):
    """An instance of Every Eval Ever."""
    judged = {"evaluation_result_id": name, "evaluation": {"score": float(right), "is_correct": right}}
    asked = {"interaction_type": "single_turn", "input": {"raw": f"Question {number}?", "reference": ["4"]}}
    named = {"schema_version": "0.2.2", "evaluation_id": run, "model_id": "m", "evaluation_name": task}
    answered = {"output": {"raw": ["4"]}, "answer_attribution": [], "metadata": {"person": PEOPLE[number % 3]}}
    return {**named, "sample_id": f"s{number}", **asked, **answered, **judged}


def inspect_log(epochs=4, model="m", created="2026-11-01T10:00:00+00:00", questions=60):
    samples = [
        {
            "id": number,
            "epoch": epoch,
            "input": "q",
            "target": "4",
            "metadata": sample(number)["doc"],
            "output": {"completion": "4"},
            "scores": {"match": {"value": "IC"[not wrong(number)], "answer": "4"}},
        }
        for epoch in range(1, epochs + 1)
        for number in range(questions)
    ]
    header = {"task": "t", "model": model, "created": created, "scorers": [{"name": "match"}]}
    return {"version": 2, "status": "success", "samples": samples, "eval": header}


def declared(column="exact_match", yes="0", prefix="doc", **others):
    factors = {"person": {"column": f"{prefix}.person"}}
    return Declaration.model_validate({"outcome": {"column": column, "yes": [yes]}, "factors": factors, **others})


OF_INSPECT = declared("scores.match.value", "I", "metadata")
OF_METRICS = declared("evaluation.is_correct", "no", "metadata")


def woolf(rows):
    """The p value of engineers against others, of independent answers."""
    counts = Counter((PEOPLE[n % 3] == "engineer", wrong(n)) for n in rows)
    a, b, c, d = (counts[here, bad] for here in (True, False) for bad in (True, False))
    return 2 * norm.sf(abs(log(a * d / (b * c))) / sqrt(1 / a + 1 / b + 1 / c + 1 / d))


def of_engineers(table):
    return next(each for each in subgroups(table).found if each.levels == ("engineer",))


def refused(message, *given, **options):
    with pytest.raises(BvfError) as caught:
        read_table(*given, **options)
    assert message in caught.value.message
    assert "\n" not in caught.value.message
    return caught.value.hint


def test_a_sample_that_two_filters_judged_is_one_answer(written):
    rows = [sample(number) for number in range(60)]
    lenient = [sample(number, "flexible-extract", right=True) for number in range(60)]
    once, both = written("once.jsonl", rows), written("both.jsonl", [*rows, *lenient])
    message = 'doc_id "0" has several rows for one answer, which differ in filter: strict-match, flexible-extract'
    assert "--filter NAME" in refused(f"both.jsonl:61: {message}", [both], declared())
    chosen = read_table([both], declared(), filters=["strict-match"])
    assert chosen.notes == ("60 of 120 rows of logs: of strict-match",)
    alone = subgroups(read_table([once], declared()))
    assert subgroups(chosen) == alone
    assert subgroups(read_table([once], declared(cluster="doc_id"))) == alone, "a cluster for each prompt is none"
    assert of_engineers(chosen).p_value == pytest.approx(woolf(range(60)))
    with pytest.raises(BvfError, match="the outcome is no in all 60 rows"):
        subgroups(read_table([both], declared(), filters=["flexible-extract"]))


def test_filters_that_are_a_factor_are_all_read_and_belong_together(written):
    rows = [sample(number, name) for number in range(60) for name in ("strict-match", "flexible-extract")]
    factors = {"filter": {"type": "model"}, "person": {"column": "doc.person"}}
    table = read_table([written("both.jsonl", rows)], declared(factors=factors))
    assert (table.rows, table.cluster, len(set(table.clusters))) == (120, "doc_id", 60)


def test_a_task_without_the_named_filter_keeps_its_rows_and_a_name_in_no_row_is_refused(written):
    two = [sample(number, name) for number in range(6) for name in ("strict-match", "flexible-extract")]
    log = written("samples_maths_2026-11-23T01-10-37.5.jsonl", two)
    other = written("samples_facts_2026-11-23T01-10-37.5.jsonl", [sample(number, "none") for number in range(6)])
    assert read_table([log, other], declared(), filters=["strict-match"]).rows == 12
    hint = refused('no filter, metric or run "strikt"', [log], declared(), filters=["strikt"])
    assert "strict-match" in hint
    table = written("table.jsonl", [{"doc.person": name, "exact_match": 0} for name in "ab"])
    assert "have none" in refused('"strict"', [table], declared(), filters=["strict"])


@pytest.mark.parametrize("by", ["evaluation_result_id", "task"])
def test_an_instance_that_several_metrics_judged_is_one_answer(written, by):
    names = ("exact", "f1")
    rows = [
        metric(number, *(("same", name) if by == "task" else (name, "qa")), right=not wrong(number))
        for number in range(60)
        for name in names
    ]
    log = written("instances.jsonl", rows)
    refused(f'sample_id "s0" has several rows for one answer, which differ in {by}: exact, f1', [log], OF_METRICS)
    table = read_table([log], OF_METRICS, filters=["f1"])
    assert (table.rows, of_engineers(table).p_value) == (60, pytest.approx(woolf(range(60))))


def test_different_questions_may_have_one_identifier(written):
    """Parts of a benchmark count from 0 again, and so do tasks."""
    rows = [metric(0, "exact", right=True), {**metric(1, "exact", right=False), "sample_id": "s0"}]
    assert read_table([written("instances.jsonl", rows)], OF_METRICS).rows == 2
    names = [f"samples_{task}_2026-11-23T01-10-37.5.jsonl" for task in ("maths", "facts")]
    table = read_table([written(name, [sample(number) for number in range(6)]) for name in names], declared())
    assert (table.rows, table.cluster) == (12, "")


def test_of_several_runs_the_newest_that_has_a_question_is_taken(written):
    old = written("samples_maths_2026-11-09T01-10-37.5.jsonl", [sample(number, right=True) for number in range(60)])
    new = written("samples_maths_2026-11-23T01-10-37.5.jsonl", [sample(number, right=False) for number in range(40)])
    for files in ([old, new], [new, old]):
        table = read_table(files, declared())
        assert (table.rows, table.outcome.sum()) == (60, 40)
        assert "60 of 100 rows of logs: of the newest run of each question" in table.notes[0]
    assert read_table([old, new], declared(), filters=["2026-11-09T01-10-37.5"]).outcome.sum() == 0
    factors = {"run": {"type": "model"}, "person": {"column": "doc.person"}}
    assert read_table([old, new], declared(factors=factors)).rows == 100
    logs = [inspect_log(1, created=f"2026-11-{day}T10:00:00+00:00") for day in ("01", "02")]
    for each in logs[0]["samples"]:
        each["scores"]["match"]["value"] = "C"
    table = read_table([written(f"{number}.json", log) for number, log in enumerate(logs)], OF_INSPECT)
    assert (table.rows, table.outcome.sum()) == (60, sum(map(wrong, range(60))))
    begun = ("9" * 5000, "1" + "0" * 5000)
    runs = [metric(n, "exact", right=run == begun[1], run=f"qa/m/{run}") for n in range(6) for run in begun]
    table = read_table([written("instances.jsonl", runs)], OF_METRICS)
    assert (table.rows, table.outcome.sum()) == (6, 0)


def test_two_models_and_no_column_that_says_so(written):
    rows = [sample(number) for number in range(6)]
    two = written("two.jsonl", [*rows, *rows])
    assert '"model"' in refused('two.jsonl:7: doc_id "0" is also in', [two], declared())
    one = written("one.jsonl", rows)
    copy = written("copy.jsonl", rows)
    assert "once" in refused(f'copy.jsonl:1: doc_id "0" is also in {one}:1', [one, copy], declared())
    named = [{**row, "model": model} for model in "ab" for row in rows]
    assert read_table([written("named.jsonl", named)], declared()).cluster == "doc_id"


def test_repeated_questions_are_clusters(written):
    log = written("epochs.json", inspect_log())
    by_itself, by_name = (
        read_table([log], declared("scores.match.value", "I", "metadata", **each)) for each in ({}, {"cluster": "id"})
    )
    assert (by_itself.cluster, by_itself.notes) == ("id", ("several rows have one id: errors are by id",))
    assert by_name.notes == ()
    assert subgroups(by_itself) == subgroups(by_name)
    once = read_table([written("once.json", inspect_log(1))], OF_INSPECT)
    assert (once.cluster, once.notes) == ("", ())
    assert of_engineers(by_itself).p_value >= of_engineers(once).p_value == pytest.approx(woolf(range(60)))
    assert analyse_table(by_itself).notes == by_itself.notes
    items = written("items.jsonl", [{"id": number, "topic": number % 2} for number in range(60)])
    of_topics = declared("scores.match.value", "I", "metadata", factors={"topic": {}})
    assert read_table([log], of_topics, items=items, on=["id"]).cluster == "id"


def test_models_that_answered_the_same_questions_are_compared_without_a_declared_cluster(written):
    files = [written(f"{model}.json", inspect_log(1, model)) for model in ("small", "large")]
    factors = {"model": {"type": "model"}, "person": {"column": "metadata.person"}}
    table = read_table(files, declared("scores.match.value", "I", "metadata", factors=factors))
    compared = compare_models(table)
    assert (compared.cluster, compared.clusters, compared.pairs[0].difference) == ("id", 60, 0.0)


def test_perturbations_are_repetitions_and_requests_for_references_are_copies(written):
    def request(number, perturbation=None, reference=None):
        given = {} if perturbation is None else {"perturbation": {"name": "gender", "mode": perturbation}}
        return {
            "instance": {"id": f"id{number}", "input": {"text": "q"}, "references": [], **given},
            "train_trial_index": 0,
            **({} if reference is None else {"reference_index": reference}),
            "request": {"model": "m", "prompt": PEOPLE[number % 3]},
            "result": {"completions": [{"text": "yes" if wrong(number) else "no", "logprob": -1.0}]},
        }

    of_helm = declared("completion", "yes", factors={"person": {"column": "prompt"}})
    ways = (None, "pronouns", "terms")
    state = written("run/scenario_state.json", {"request_states": [request(n, way) for n in range(60) for way in ways]})
    table = read_table([state.parent], of_helm)
    assert (table.rows, table.cluster, len(set(table.clusters))) == (180, "id", 60)
    requests = [request(number, None, reference) for number in range(6) for reference in (0, 1)]
    separate = written("separate/scenario_state.json", {"request_states": requests})
    refused('id "id0" has several rows for one answer, which differ in reference_index: 0, 1', [separate], of_helm)


def test_wordings_of_an_item_are_repetitions(written):
    people = [{"model": "m", "item": str(n), "person": PEOPLE[n % 3], "bad": wrong(n)} for n in range(60)]
    rows = [{**each, "wording": wording} for wording in ("short", "long") for each in people]
    file = written("out/rows.jsonl", rows)
    of_rows = Declaration.model_validate({"outcome": "bad", "factors": {"person": {}}})
    assert read_table([file], of_rows).cluster == ""
    written("out/benchmark.json", {"benchmark": "pets", "model": "m", "path": "m"})
    assert read_table([file], of_rows).cluster == "item"
