"""Scores of models on a benchmark, with intervals by cluster, and the differences between models."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Literal

import numpy as np
import pandas as pd
from pydantic import BaseModel, ConfigDict, Field

from bvf.domain.factors import value_text
from bvf.domain.model_names import parts_of
from bvf.domain.numbers import Count, Finite, Level, Share
from bvf.errors import BvfError, nearest
from bvf.interfaces.benchmark import Answer, Benchmark, Item, Score, Sums
from bvf.stats.comparing.adjusting import holm
from bvf.study.names import distinct_names
from bvf_factors.benchmarks.answer_folder import items_digest
from bvf_factors.benchmarks.answered import Answered
from bvf_factors.benchmarks.asking import Asked
from bvf_factors.benchmarks.intervals import Difference, Estimate, difference_of, estimated, mcnemar, mean_of
from bvf_factors.benchmarks.judged import GroupScore, group_scores, groups_of
from bvf_factors.reading.table import ENOUGH_CLUSTERS

ITEM = "item"
ENOUGH_DIFFERING = {"McNemar": 10, "t": ENOUGH_CLUSTERS, "": 0}
"""With fewer answers that differ, or fewer clusters, the interval of a difference is rough."""
Key = tuple[str, tuple[tuple[str, str], ...]]


class ScoreFigure(BaseModel):
    """A score of a model: of the whole benchmark, or of a part.

    Attributes:
        model: Name of the model.
        name: Such as ``accuracy``.
        of: The part of the benchmark, as a value by column; empty: all of it.
        value: The score, or its mean over wordings; None: undefined.
        items: Number of answers that it is computed from, in one wording.
        low: Lower end of its interval; None: the score is a count of answers, is undefined, or has fewer than two
            clusters.
        high: Upper end of its interval.
        clusters: Number of clusters with an answer; 0: it is a count of answers.
        rough: The interval rests on few clusters of several answers, and may hold the truth less often.
        lowest: The lowest score that is possible; None: it is a count of answers.
        highest: The highest score that is possible.
        ideal: The value of an ideal model; None: no value is ideal.
        p_value: p value of the test that the score is ideal; None: the ideal is an end of the scale, or unknown.
        needed: The clusters with which such a score is told from its ideal in 80 of 100 benchmarks.
        by_wording: The score in each wording, where there are several.
    """

    model_config = ConfigDict(frozen=True)

    model: str
    name: str
    of: dict[str, str]
    value: Finite | None
    items: Count
    low: Finite | None = None
    high: Finite | None = None
    clusters: Count = 0
    rough: bool = False
    lowest: Finite | None = None
    highest: Finite | None = None
    ideal: Finite | None = None
    p_value: Share | None = None
    needed: Count | None = None
    by_wording: dict[str, Finite | None] = Field(default_factory=dict)

    @property
    def key(self) -> Key:
        """The name of the score and the part of the benchmark."""
        return self.name, tuple(self.of.items())

    @property
    def full_name(self) -> str:
        """The name by which limits of ``bvf gate`` name it: of a part, as ``accuracy[Age]``."""
        return f"{self.name}[{', '.join(self.of.values())}]" if self.of else self.name


class ScoreDifference(BaseModel):
    """A score of the first model less that of the second.

    Attributes:
        low: Lower end of the interval; None: nothing varies between clusters, or the score has a kink.
        high: Upper end of the interval.
        p_value: p value of the test that there is no difference.
        adjusted_p: ``p_value``, adjusted for all pairs of models (Holm 1979).
        method: ``McNemar`` for shares of independent answers; ``t`` by cluster; empty: there is no test.
        rough: The interval rests on few answers that differ, or on few clusters, and may be too wide or too narrow.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    of: dict[str, str]
    first: str
    second: str
    value: Finite
    low: Finite | None
    high: Finite | None
    p_value: Share | None
    adjusted_p: Share | None
    method: Literal["McNemar", "t", ""]
    rough: bool = False


class ModelAsked(BaseModel):
    """A model, where its answers are, and by what an answer is chosen."""

    model_config = ConfigDict(frozen=True)

    model: str
    path: str
    folder: str
    by: str | None


class BenchmarkScores(BaseModel):
    """The scores of models on a benchmark.

    Attributes:
        schema_: ``schema`` in the file: ``bvf.benchmark_scores/2``.
        benchmark: Name of the benchmark.
        title: Its title.
        cluster: The column whose values are the clusters; ``item``: each item is one.
        level: Confidence level of the intervals.
        items: The digest of the items that were asked, with their wordings; empty: not known, as in files of before.
        said: How many items were asked, and by what an answer is chosen.
        notes: What a reader should know about the data.
        models: The models.
        scores: All scores of each model.
        differences: Differences between each two models, for the scores that both have.
        groups: The scores of each group that items are about, where they were asked for.
        groups_left_out: Groups that were asked for and have no score with an interval, as their items are of one
            cluster.
        called: Other names of each group, such as ``female`` of ``women``.
    """

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    schema_: Literal["bvf.benchmark_scores/2"] = Field("bvf.benchmark_scores/2", alias="schema")
    benchmark: str
    title: str
    cluster: str
    level: Level
    items: str = ""
    said: str
    notes: tuple[str, ...] = ()
    models: tuple[ModelAsked, ...]
    scores: tuple[ScoreFigure, ...]
    differences: tuple[ScoreDifference, ...] = ()
    groups: tuple[GroupScore, ...] = ()
    groups_left_out: tuple[str, ...] = ()
    called: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    @property
    def main(self) -> frozenset[Key]:
        """The scores of as much of the benchmark as they are defined for: of a name, those with the fewest columns."""
        fewest: dict[str, int] = {}
        for each in self.scores:
            fewest[each.name] = min(len(each.of), fewest.get(each.name, len(each.of)))
        return frozenset(each.key for each in self.scores if len(each.of) == fewest[each.name])

    def to_frame(self) -> pd.DataFrame:
        """Return a row per model and score, or, where groups were asked for, per model, score and group.

        The parts of the benchmark are in columns of their own.
        """
        if self.groups or self.groups_left_out:
            found = [{**each.of, **each.model_dump(exclude={"of"})} for each in self.groups]
            named = [name for name in GroupScore.model_fields if name != "of"]
            return pd.DataFrame(found, columns=None if found else named)
        rows = [
            {"model": each.model, "score": each.name, **each.of, **each.model_dump(exclude=LEFT_OUT)}
            | {f"in {wording}": value for wording, value in each.by_wording.items()}
            for each in self.scores
        ]
        return pd.DataFrame(rows)


LEFT_OUT = {"model", "name", "of", "by_wording", "lowest", "highest"}


def benchmark_scores(
    models: Sequence[Answered],
    *,
    cluster: str = "",
    level: float = 0.95,
    groups: Sequence[str] = (),
    against_others: bool = True,
) -> BenchmarkScores:
    """Return the scores of models that answered the same items.

    Args:
        models: The answers of each model.
        cluster: A column of the answers, whose values are the clusters; empty: that of the benchmark.
        level: Confidence level of the intervals.
        groups: Groups that items are about, whose scores are compared with those of others; ``all``: every group.
        against_others: Scores of groups are compared with those of all other groups.

    Raises:
        BvfError: The answers have no such column, or one value in it; or no item is about such a group.
    """
    from bvf_factors.benchmarks.tables import summary

    first = models[0]
    asked = first.asked
    column, place = clusters_of(asked, cluster)
    facts = [(*parts_of(each.path)[::-1], str(each.folder)) for each in models]
    names = distinct_names([each.model for each in models], facts)
    scored = {name: _scores_of(each, place) for name, each in zip(names, models, strict=True)}
    wanted = groups_of(asked, groups)
    of_groups = tuple(
        each
        for name, model in zip(names, models, strict=True)
        for each in (group_scores(name, model, place, wanted, level, against_others=against_others) if wanted else ())
    )
    scores_of_group = {each.group for each in of_groups}
    return BenchmarkScores(
        benchmark=asked.name,
        title=asked.benchmark.title,
        cluster=column,
        level=level,
        items=items_digest(asked),
        said=summary(first),
        notes=asked.notes,
        models=tuple(
            ModelAsked(model=name, path=each.path, folder=str(each.folder), by=each.asked.by)
            for name, each in zip(names, models, strict=True)
        ),
        scores=tuple(_figure(name, each, level) for name, scores in scored.items() for each in scores.values()),
        differences=tuple(_differences(scored, level)),
        groups=of_groups,
        groups_left_out=tuple(name for name in wanted if name not in scores_of_group),
        called={name: asked.benchmark.called(name) for name in wanted if name in scores_of_group},
    )


class _Scored:
    """A score in each wording, and its estimate over all of them."""

    def __init__(self, scores: Mapping[str, Score], place: Mapping[str, int]) -> None:
        self.scores = dict(scores)
        self.first = next(iter(scores.values()))
        self.sums = [score.sums for score in scores.values() if score.sums is not None]
        count = 1 + max(place.values())
        estimates = [_estimate(sums, place, count) for sums in self.sums]
        known = [each for each in estimates if each is not None]
        whole = known and len(known) == len(scores)
        self.estimate: Estimate | None = mean_of(known) if whole else None
        self.clusters = len({place[answer.item.id] for sums in self.sums for answer in sums.answers})

    @property
    def value(self) -> float | None:
        """The mean over the wordings in which the score is defined."""
        values = [score.value for score in self.scores.values() if score.value is not None]
        return fmean(values) if values else None

    @property
    def independent(self) -> bool:
        """Whether each answer is a cluster of its own, in one wording, and no answer has several texts."""
        if self.estimate is None or len(self.sums) != 1:
            return False
        answers = self.sums[0].answers
        return self.estimate.clusters == len(answers) and all(len(each.texts) <= 1 for each in answers)


def _estimate(sums: Sums, place: Mapping[str, int], count: int) -> Estimate | None:
    if not len(sums.numbers):
        return None
    clusters = np.array([place[answer.item.id] for answer in sums.answers], dtype=np.intp)
    return estimated(sums.numbers, clusters, sums.formulas, (sums.lowest, sums.highest), count, sums.reach)


def _scores_of(answered: Answered, place: Mapping[str, int]) -> dict[Key, _Scored]:
    of_key: dict[Key, dict[str, Score]] = {}
    for wording, answers in answered.answers.items():
        for score in answered.asked.benchmark.scores(answers):
            of_key.setdefault((score.name, tuple(score.of.items())), {})[wording] = score
    return {key: _Scored(scores, place) for key, scores in of_key.items()}


def _figure(model: str, scored: _Scored, level: float) -> ScoreFigure:
    score, estimate, value = scored.first, scored.estimate, scored.value
    made = ScoreFigure(
        model=model,
        name=score.name,
        of=dict(score.of),
        value=value,
        items=score.items,
        lowest=score.sums.lowest if score.sums else None,
        highest=score.sums.highest if score.sums else None,
        ideal=score.ideal,
        clusters=scored.clusters,
        by_wording={name: each.value for name, each in scored.scores.items()} if len(scored.scores) > 1 else {},
    )
    if estimate is None:
        return made
    low, high = estimate.interval(level)
    found: dict[str, object] = {
        "low": low,
        "high": high,
        "rough": estimate.clusters < ENOUGH_CLUSTERS and not scored.independent,
    }
    ideal = score.ideal
    if ideal is not None and estimate.lowest < ideal < estimate.highest:
        found |= {"p_value": estimate.p_value(ideal), "needed": estimate.needed(ideal, level)}
    return made.model_copy(update=found)


def _differences(scored: Mapping[str, Mapping[Key, _Scored]], level: float) -> list[ScoreDifference]:
    """The differences of each score between each two models; p values are adjusted for all pairs, score by score."""
    keys = dict.fromkeys(key for scores in scored.values() for key in scores)
    made: list[ScoreDifference] = []
    for key in keys:
        pairs = [
            (one, other, _difference(scored[one][key], scored[other][key], level))
            for one, other in combinations(scored, 2)
            if key in scored[one] and key in scored[other]
        ]
        found = [(one, other, each) for one, other, each in pairs if each is not None]
        tested = [each.p_value for _, _, each in found if each.p_value is not None]
        adjusted = iter(holm(np.array(tested)).tolist())
        made += [
            ScoreDifference(
                name=key[0],
                of=dict(key[1]),
                first=one,
                second=other,
                value=each.value,
                low=each.low,
                high=each.high,
                p_value=each.p_value,
                adjusted_p=None if each.p_value is None else next(adjusted),
                method=each.method,
                rough=each.differing < ENOUGH_DIFFERING[each.method],
            )
            for one, other, each in found
        ]
    return made


def _difference(first: _Scored, second: _Scored, level: float) -> Difference | None:
    if first.estimate is None or second.estimate is None:
        return None
    one, other = first.sums[0], second.sums[0]
    alike = one.is_share and [each.item.id for each in one.answers] == [each.item.id for each in other.answers]
    if alike and first.independent and second.independent:
        return mcnemar(one.numbers[:, 0] > 0.5, other.numbers[:, 0] > 0.5, level, one.highest)
    return difference_of(first.estimate, second.estimate, level)


def clusters_of(asked: Asked, wanted: str = "") -> tuple[str, dict[str, int]]:
    """Return the column of the clusters, and the number of the cluster of each item.

    ``wanted`` is the user's column; empty: that of the benchmark. No answer is needed, so a wrong column is refused
    before a model is asked.

    Raises:
        BvfError: The answers have no such column, it has one value, or its value depends on the answer.
    """
    column = wanted or asked.benchmark.declaration.cluster or ITEM
    index: dict[str, int] = {}
    place = {item.id: index.setdefault(_label(asked.benchmark, item, column), len(index)) for item in asked.items}
    if wanted and len(index) < 2:
        raise BvfError(
            f'--cluster {wanted}: it is "{next(iter(index))}" in all items: no interval is possible',
            f"take a column that differs, or {ITEM}, where all answers are independent",
        )
    return column, place


def _label(benchmark: Benchmark, item: Item, column: str) -> str:
    """The value of a column, which is the same whether the first or the last choice is the answer."""
    if column == ITEM:
        return item.id
    first, *_, last = (
        benchmark.row(Answer(item, tuple(float(index == chosen) for index in range(len(item.choices)))))
        for chosen in (0, len(item.choices) - 1)
    )
    if column not in first:
        raise BvfError(f'--cluster: the answers have no column "{column}"', nearest(column, [*first, ITEM]))
    label = value_text(first[column])
    if label is None:
        raise BvfError(f"--cluster {column}: the item {item.id} has no value in it", "take another column")
    if value_text(last.get(column)) != label:
        raise BvfError(f"--cluster {column}: its value depends on the answer", "take a column that describes items")
    return label
