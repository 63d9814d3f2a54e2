"""Results made by hand, and their tables as they are drawn on a terminal of so many columns."""

import io
import unicodedata

from bvf_knowledge.result import GroupKnowledge, KnowledgeResult
from rich.console import Console

from bvf.analyses.risk.result import GroupRisk, Result
from bvf.domain.measurement import CandidateMass
from bvf.study.uncertainty import Uncertainty
from bvf.tables.terminal import Drawn

NAMES = ["医生", "地球物理学家", "CEO", "坐轮椅的人", "佛教徒", "nurse", "보육교사", "カウンセラー"]
GLOSSES = ["doctor", "geophysicist", "ceo", "wheelchair user", "Buddhist", "", "childcare worker", "counselor"]
COMMON = {
    "measurement": "0123456789abcdef",
    "backend": "b",
    "group_weights": "uniform",
    "words": {},
    "language": "zh",
    "contexts": "c",
    "number_of_contexts": 2,
    "effective_contexts": 1.0,
    "prompts": 1,
    "missing": 0,
    "candidate_mass": CandidateMass(prompts=1, mean=0.5, quantile_05=0.5, quantile_25=0.5),
    "uncertainty": Uncertainty(estimand="set", undefined="the contexts were written, not sampled", level=0.95),
    "warnings": (),
    "notes": (),
}


def columns_of(text):
    """How many columns a text takes on a terminal, by Unicode's East Asian widths."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def risks(names=NAMES, glosses=GLOSSES, model="bundled:zh-causal", means=None, p_star=None, aparts=None, **changes):
    """A result with a group per name, the first of them with the highest risk."""
    groups = tuple(
        GroupRisk(
            group=name,
            gloss=gloss,
            weight=1 / len(names),
            mean_probabilities=means[index] if means else {"male": 0.75, "female": 0.25},
            reference_probabilities=p_star or {"male": 0.5, "female": 0.5},
            r=0.9 - index / 100,
            r_bias=0.5,
            r_volatility=0.4 - index / 100,
            spread=0.125,
            changes_sides=False,
            particular=0.5 + index / 100,
            particular_bias=0.25 + index / 100,
            particular_volatility=0.25,
            apart=(aparts or [{"male": 0.25, "female": -0.25}] * len(names))[index],
        )
        for index, (name, gloss) in enumerate(zip(names, glosses, strict=True))
    )
    figures = {
        "R": 0.5,
        "R_bias": 0.25,
        "R_volatility": 0.25,
        "spread": 0.125,
        "groups_changing_sides": 0,
        **{"shared": 0.375, "shared_bias": 0.375, "shared_volatility": 0.0},
        **{"particular": 0.625, "particular_bias": 0.5, "particular_volatility": 0.125},
        "references": (),
        **{"criterion": "linf", "reference": "uniform", "scale": "unit", "divisor": 1.0},
    }
    return Result(**COMMON, model=model, topic="gender", groups=groups, **{**figures, **changes})


def scores(**changes):
    groups = tuple(
        GroupKnowledge(
            group=name,
            gloss=gloss,
            weight=1 / 3,
            mean_probabilities={"p": 1.0},
            reference_probabilities={"p": 1.0},
            truth=truth,
            says=says,
            consistency=1.0,
            mastery=0.5,
            expected_score=0.25,
            confidence_gap=0.25,
        )
        for name, gloss, truth, says in [
            ("法国", "France", "巴黎", "伦敦"),
            ("日本", "Japan", "东京", None),
            ("UK", "Britain", "伦敦", "伦敦"),
        ]
    )
    values = {"mastery": 0.5, "expected_score": 0.25, "confidence_gap": 0.25, "accuracy": 1.0, "consistency": None}
    said = {"references": (), "chance": 1 / 3, "most_frequent_answer": "伦敦", "subjects_with_it": 2}
    about = {"model": "m", "topic": "capitals", "criterion": "knowledge:sqrt", "reference": "uniform"}
    return KnowledgeResult(**COMMON, **about, groups=groups, **{**values, **said, **changes})


def lines(*sections, width=80, crop=True, whole=False):
    out = io.StringIO()
    Console(file=out, width=width, highlight=False, emoji=False).print(Drawn(sections, whole=whole), crop=crop)
    return out.getvalue().splitlines()


def body(rendered):
    """The rows below the rule under the heading."""
    rule = next(index for index, line in enumerate(rendered) if set(line.strip()) == {"─"})
    return [line for line in rendered[rule + 1 :] if line.strip(" ─")]
