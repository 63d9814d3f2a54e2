"""Answers of made-up models to items of benchmarks, and where the published data of benchmarks are."""

from pathlib import Path

import pytest
from bvf_factors.benchmarks.asking import Answered, Asked
from bvf_factors.benchmarks.scoring import Wording
from bvf_factors.reading.table import tabulate

from bvf.files.table_files import Row
from bvf.interfaces.benchmark import Answer, Item

PUBLISHED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
needs_shared = pytest.mark.skipif(not PUBLISHED.is_dir(), reason="../shared is absent")
TOY_BENCHMARK = str(Path(__file__).resolve().parents[2] / "plugins" / "factors" / "tests" / "data" / "toy_benchmark.py")


def sample_of(pack):
    return Path(str(pack.sample))


def scores_by_name(pack, answers):
    """The scores of answers by name and part."""
    return {(score.name, *score.of.values()): score for score in pack.scores(answers)}


def values_by_name(pack, answers):
    return {name: score.value for name, score in scores_by_name(pack, answers).items()}


def tabulated(pack, answers, **options):
    """The answers as a table of the factors that the pack declares."""
    rows = [Row(f"row {number}", pack.row(answer)) for number, answer in enumerate(answers)]
    return tabulate(rows, pack.declaration, **options)


def answered(benchmark, model, *of_wordings, name="made-up", folder=Path("runs")):
    """What a model answered to the items of a benchmark, once or in several wordings."""
    names = [f"w{number}" for number in range(len(of_wordings))]
    items = tuple(answer.item for answer in of_wordings[0])
    asked = Asked(name, "tests", benchmark, items, tuple(Wording(each, "{left}") for each in names), "sum")
    return Answered(asked, model, model, folder, dict(zip(names, map(tuple, of_wordings), strict=True)))


QUESTION = {"category": "age", "condition": "ambiguous", "polarity": "negative", "origin": "x", "names": "label"}
QUESTION |= {"label": "2", "unknown": "2", "biased": "0", "target": "0"}


def chosen(choices, **values):
    """An answer per index of a choice, or None, to questions that are alike, four of a template."""
    return [
        Answer(
            Item(str(n), ("a", "b", "c"), values={**QUESTION, "template": f"age {n // 4}", **values}),
            tuple(float(index == choice) for index in range(3)),
        )
        for n, choice in enumerate(choices)
    ]


def pairs(flags, direction="stereo", **values):
    """A pair of sentences per flag: whether the first sentence, by default the stereotype, is more probable."""
    return [
        Answer(
            Item(str(n), ("a", "b"), values={"bias_type": "age", "direction": direction, "file": "x", **values}),
            (0.0, -1.0) if flag else (-1.0, 0.0),
        )
        for n, flag in enumerate(flags)
    ]
