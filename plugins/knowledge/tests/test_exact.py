"""End-to-end runs on models whose knowledge is known exactly."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from bvf_knowledge.stats.candidates import draw_candidates

import bvf
from bvf.hooks.loader import load

KNOWER = str(Path(__file__).parent / "data" / "knower.py")
FOUR = "template,count\nThe seat of [X] is [Y],1\n[X] is ruled from [Y],1\nGo to [X] and see [Y],1\nIn [X] lies [Y],1\n"


def measure(folder, knows, **choices):
    (folder / "four.csv").write_text(FOUR)
    given = {"topic": "knowledge/capitals", "contexts": str(folder / "four.csv"), "limit_groups": 10, **choices}
    return bvf.run(bvf.RunConfig(model=f"knower:{knows}", plugin=(KNOWER,), out=str(folder / "out"), **given))


@pytest.mark.parametrize(
    ("knows", "mastery", "expected_score", "gap", "accuracy", "consistency", "said"),
    [
        ("always", 1.0, 1.0, 0.0, 1.0, 1.0, "true"),
        ("half", 0.5**0.5, 0.5, 0.5**0.5 - 0.5, 0.0, 1 / 3, None),  # two contexts have one answer, and two another
        ("never", 0.0, 0.0, 0.0, 0.0, 1.0, "wrong"),
    ],
)
def test_exact_answers(tmp_path, knows, mastery, expected_score, gap, accuracy, consistency, said):
    result = measure(tmp_path, knows)
    assert result.criterion == "knowledge:sqrt"
    figures = (result.mastery, result.expected_score, result.confidence_gap)
    assert figures == pytest.approx((mastery, expected_score, gap), abs=1e-12)
    assert (result.accuracy, result.consistency) == pytest.approx((accuracy, consistency))
    assert [group.mastery for group in result.groups] == pytest.approx([mastery] * 10, abs=1e-12)
    first = result.groups[0]
    assert said == (first.says and ("true" if first.says == first.truth else "wrong"))


def test_one_wording_has_no_pairs(tmp_path):
    result = measure(tmp_path, "always", limit_contexts=1)
    assert result.consistency is None
    assert bvf.read_result(result.folder).groups[0].consistency is None


def test_a_criterion_of_risk_can_still_be_asked_for(tmp_path):
    assert pytest.approx(1.0) == measure(tmp_path, "always", criterion="linf").R


CONTINENTS = {"topic": "knowledge/continents", "limit_groups": 5, "distractors": 2}


def test_distractors_are_a_share_of_the_stored_probabilities(tmp_path):
    """Compared with a plain computation from the stored tables."""
    result = bvf.run(model="bundled:en-causal", seed=3, out=str(tmp_path / "out"), limit_contexts=4, **CONTINENTS)
    names = list(load().topics.in_language("en").find("knowledge/continents").make().attribute_names)
    stored = pd.concat(pd.read_parquet(file) for file in (tmp_path / "out" / "probabilities").glob("*.parquet"))
    for group in result.groups:
        rows = stored[stored["group"] == group.group]
        mask = draw_candidates([group.group], np.array([names]) == group.truth, 2, 3)[0]
        among = [f"p_{name}" for name, kept in zip(names, mask, strict=True) if kept]
        p = rows[f"p_{group.truth}"] / rows[among].sum(axis=1)
        assert group.mastery == pytest.approx(p.mean() ** 0.5)
        assert group.expected_score == pytest.approx((p**0.5).mean())
        assert list(group.mean_probabilities) == [name.removeprefix("p_") for name in among]
    assert result.distractors == 2
    written = json.loads((tmp_path / "out" / "result.json").read_text())["groups"]
    assert [each["mean_probabilities"] for each in written] == [each.mean_probabilities for each in result.groups]
    assert bvf.read_result(result.folder).groups == result.groups


def test_answers_that_were_not_asked_are_empty_in_tables(tmp_path, command):
    result = bvf.run(model="baseline:random", out=str(tmp_path / "out"), limit_contexts=2, **CONTINENTS)
    table, data = tmp_path / "table.csv", tmp_path / "data"
    assert command("export", result.folder, "--to", "csv", "--table", "groups", "-o", table).code == 0
    assert command("export", result.folder, "--to", "datasets", "-o", data).code == 0
    for frame in (pd.read_csv(table), pd.read_parquet(data / "groups.parquet")):
        frame = frame.set_index("group")
        assert len([column for column in frame if column.startswith("p_")]) > 3
        for group in result.groups:
            known = frame.loc[group.group].filter(regex="^p_").astype(float).dropna()
            assert dict(known) == pytest.approx({f"p_{name}": p for name, p in group.mean_probabilities.items()})
            assert len(frame.loc[group.group].filter(regex="^lean_").dropna()) == 3
