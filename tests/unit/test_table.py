"""The tables: columns that line up where characters are two columns wide, in 80 columns at most."""

import io
import unicodedata

import pytest
from rich.cells import cell_len
from rich.console import Console

from bvf.report.table import group_table, model_table, shortened
from bvf.result import CandidateMass, GroupKnowledge, GroupRisk, KnowledgeResult, Result

NAMES = ["医生", "地球物理学家", "CEO", "坐轮椅的人", "佛教徒", "nurse", "보육교사", "カウンセラー"]
GLOSSES = ["doctor", "geophysicist", "ceo", "wheelchair user", "Buddhist", "", "childcare worker", "counselor"]
COMMON = {
    "backend": "b",
    "language": "zh",
    "criterion": "linf",
    "reference": "uniform",
    "contexts": "c",
    "number_of_contexts": 1,
    "effective_contexts": 1.0,
    "prompts": 1,
    "missing": 0,
    "candidate_mass": CandidateMass(prompts=1, mean=0.5, quantile_05=0.5, quantile_25=0.5),
    "notes": (),
}


def columns_of(text):
    """How many columns a text takes on a terminal, by Unicode's East Asian widths."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def risks(names=NAMES, glosses=GLOSSES, model="bundled:zh-causal"):
    groups = tuple(
        GroupRisk(
            group=name,
            gloss=gloss,
            weight=1 / len(names),
            mean_probabilities={"male": 0.75, "female": 0.25},
            reference_probabilities={"male": 0.5, "female": 0.5},
            r=0.9 - index / 100,
            r_bias=0.5,
            r_volatility=0.4 - index / 100,
        )
        for index, (name, gloss) in enumerate(zip(names, glosses, strict=True))
    )
    return Result(
        **COMMON, model=model, topic="gender", scale="unit", R=0.5, R_bias=0.25, R_volatility=0.25, groups=groups
    )


def scores():
    groups = tuple(
        GroupKnowledge(
            group=name,
            gloss=gloss,
            weight=0.5,
            mean_probabilities={"p": 1.0},
            reference_probabilities={"p": 1.0},
            truth="巴黎",
            answer="巴黎",
            consistency=1.0,
            mastery=0.5,
            expected_score=0.25,
            confidence_gap=0.25,
        )
        for name, gloss in [("法国", "France"), ("日本", "Japan"), ("UK", "Britain")]
    )
    values = {"mastery": 0.5, "expected_score": 0.25, "confidence_gap": 0.25, "accuracy": 1.0, "consistency": None}
    return KnowledgeResult(**COMMON, model="m", topic="capitals", groups=groups, **values)


def lines(renderable):
    out = io.StringIO()
    Console(file=out, width=80, highlight=False, emoji=False).print(renderable)
    return out.getvalue().splitlines()


def body(rendered):
    """The rows below the rule under the heading."""
    rule = next(index for index, line in enumerate(rendered) if set(line.strip()) == {"─"})
    return [line for line in rendered[rule + 1 :] if line.strip()]


@pytest.mark.parametrize("result", [risks(), scores()], ids=["risks", "scores"])
def test_columns_begin_and_end_at_the_same_place_in_every_row(result):
    rendered = lines(group_table(result))
    heading = next(line for line in rendered if "meaning" in line)
    meaning = columns_of(heading[: heading.index("meaning")])
    for group, row in zip(result.groups, body(rendered), strict=True):
        assert row.startswith(f" {group.group} ")
        if group.gloss:
            assert columns_of(row[: row.index(group.gloss)]) == meaning
        for column in ("r^b", "mastery"):
            if column in heading:
                assert columns_of(row[: row.index("0.5000")]) + 6 == heading.index(column) + len(column)
    assert {columns_of(row) for row in body(rendered)} == {columns_of(heading)}


def test_rich_and_unicode_agree_on_the_width():
    for rendered in (lines(group_table(risks())), lines(model_table([], [risks(model="模型/很小的模型")]))):
        assert [(cell_len(line), line) for line in rendered] == [(columns_of(line), line) for line in rendered]


def test_no_line_is_wider_than_80_columns():
    long = risks(["患有" + "慢性" * 30 + "疾病的人"], ["person with a chronic illness " * 4], model="路径/" * 30)
    for rendered in (lines(group_table(long)), lines(model_table([], [long])), lines(group_table(scores()))):
        assert max(columns_of(line) for line in rendered) <= 80
    assert "0.9000" in " ".join(lines(group_table(long)))


def test_no_column_of_meanings_where_the_topic_has_none():
    assert not any("meaning" in line for line in lines(group_table(risks(glosses=[""] * len(NAMES)))))


@pytest.mark.parametrize("name", ["a" * 40, "模" * 20])
def test_a_name_of_40_columns_stays_as_it_is(name):
    assert shortened(name) == name


@pytest.mark.parametrize("name", ["a" * 41, "模型" * 11, "a" + "模" * 20, "abc/" * 30, "模a" * 30])
def test_a_longer_name_loses_its_middle(name):
    short = shortened(name)
    begin, end = short.split("…")
    assert name.startswith(begin)
    assert name.endswith(end)
    assert 36 <= columns_of(short) <= 40
