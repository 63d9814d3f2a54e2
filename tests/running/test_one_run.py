"""Contexts drawn by weight, and drawn until half the interval of R is narrow enough."""

import json
from functools import partial

import numpy as np
import pytest
from helpers.toy_runs import small_config

import bvf
from bvf import BvfError

GROUPS, POPULATION = 12, 419


@pytest.fixture
def config(tmp_path, toy):
    return partial(small_config, toy, tmp_path / "out", contexts="gender-mixed", limit_groups=GROUPS)


def half_width(result):
    interval = result.uncertainty.intervals["R"]
    return (interval.high - interval.low) / 2


def shards(result):
    return {file.name: file.stat().st_mtime_ns for file in (result.folder / "probabilities").iterdir()}


def test_rounds_double_until_the_interval_is_narrow_enough(config, tmp_path):
    first = bvf.run(config(sample_contexts=100))
    before = shards(first)
    result = bvf.run(config(precision=0.7 * half_width(first)))
    assert half_width(result) <= 0.7 * half_width(first)
    assert result.uncertainty.draws in (200, 400, 800)
    assert f"of {POPULATION * GROUPS:,} prompts were asked" in result.notes[-1]
    assert before.items() <= shards(result).items()  # nothing is asked twice
    alone = bvf.run(config(precision=0.7 * half_width(first), out=str(tmp_path / "alone")))
    assert alone.model_dump(exclude={"notes"}) == result.model_dump(exclude={"notes"})


def test_draws_are_by_weight_and_the_seed_decides_on_them(config, tmp_path):
    result = bvf.run(config(sample_contexts=150))
    record = bvf.read_measurement(result.folder).record
    counts = np.array([each.count for each in record.asked.templates])
    reached = np.cumsum(counts / counts.sum())
    drawn = np.searchsorted(reached, np.random.default_rng(0).random(150) * reached[-1], side="right")
    assert [each.drawn for each in record.asked.templates] == np.bincount(drawn, minlength=POPULATION).tolist()
    assert result.number_of_contexts == len(set(drawn.tolist()))
    p = result.stereotypes()
    assert p.groupby(["group", "attribute"])["weight"].sum().to_numpy() == pytest.approx(1.0)
    other = bvf.run(config(sample_contexts=150, seed=1, out=str(tmp_path / "other")))
    assert other.R != result.R
    again = bvf.run(config(sample_contexts=150, out=str(tmp_path / "again")))
    assert again.model_dump() == result.model_dump()


def test_what_a_run_that_was_cut_off_has_of_whole_rounds_can_be_analysed(config, tmp_path):
    first, then = (bvf.run(config(sample_contexts=number)) for number in (100, 200))
    max((then.folder / "probabilities").iterdir()).unlink()
    with pytest.raises(BvfError, match="unfinished"):
        bvf.analyse(then.folder)
    of_first_round = bvf.analyse(then.folder, unfinished=True)
    assert (of_first_round.R, of_first_round.uncertainty.draws) == (first.R, 100)
    assert bvf.run(config(sample_contexts=200)) == then
    tenths = bvf.run(config(sample_contexts=100, order="contexts", out=str(tmp_path / "tenths")))
    max((tenths.folder / "probabilities").iterdir()).unlink()
    assert bvf.analyse(tenths.folder, unfinished=True).R == bvf.run(config(sample_contexts=90)).R


def test_an_extended_run_keeps_what_was_found_before_and_finds_it_again(config, command):
    first = bvf.run(config(sample_contexts=100, controls=True))
    more = bvf.run(config(sample_contexts=150, controls=True))
    assert (first.uncertainty.draws, more.uncertainty.draws, first.R == more.R) == (100, 150, False)
    assert command("verify", first.folder).code == 0
    again = bvf.run(config(sample_contexts=100, controls=True))
    assert again.model_dump() == first.model_dump()
    assert len(list((first.folder / "analyses").iterdir())) == 2
    of_80 = bvf.measure(config(sample_contexts=80))
    assert of_80.record.asked.draws.rounds == (80,)
    assert of_80.probabilities.shape[1] == len(of_80.record.asked.in_order)


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"precision": 0.01, "limit_contexts": 10}, "--precision 0.01 and --limit-contexts 10 exclude each other"),
        ({"sample_contexts": 9, "limit_contexts": 10}, "--sample-contexts 9 and --limit-contexts 10 exclude"),
        ({"precision": 0.01, "contexts": "weekday"}, "were written, not sampled"),
        (
            {"precision": 0.01, "contexts": "gender-table8"},
            "the most frequent of a source whose other contexts are unknown",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(config, choices, said):
    with pytest.raises(BvfError, match=said):
        bvf.run(config(**choices))


def test_a_result_says_what_it_is_a_sample_of(config):
    told = json.loads(bvf.run(config(sample_contexts=100)).model_dump_json())["uncertainty"]
    known = {"estimand": "source", "unit": "document", "draws": 100, "occurrences": 707, "documents": 539, "share": 1}
    assert {name: told[name] for name in known} == known
    assert told["unseen_mass"] == pytest.approx(381 / 707)
    heaviest = bvf.run(config(contexts="gender", out="")).uncertainty
    assert (heaviest.estimand, heaviest.intervals) == ("set", {})
    assert "a chosen 19.7% of their source, not a random sample" in heaviest.undefined
    assert heaviest.as_templates["R"].low < heaviest.leaving_one_out["R"][0]
