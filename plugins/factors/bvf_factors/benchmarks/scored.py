"""Scores of models on a benchmark, with intervals by cluster: of the whole, of parts and of groups; differences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from statistics import fmean
from typing import Any, Literal

import numpy as np
import pandas as pd
from pydantic import Field

from bvf import Benchmark, BvfError
from bvf.domain import Amount, Count, Finite, Level, Share, parts_of_path, value_text
from bvf.errors import nearest
from bvf.interfaces import Answer, Item, Score
from bvf.stats import holm
from bvf.study import distinct_names
from bvf_factors.benchmarks.answer_folder import items_digest
from bvf_factors.benchmarks.asking import Answered, Asked
from bvf_factors.benchmarks.intervals import Difference, Estimate, difference_of, estimated, mcnemar, mean_of
from bvf_factors.clusters import ENOUGH_CLUSTERS, few_clusters
from bvf_factors.reading.table import Frozen

ITEM = "item"
EVERY = "all"
ENOUGH_DIFFERING = {"McNemar": 10, "t": ENOUGH_CLUSTERS, "": 0}
"""With fewer answers that differ, or fewer clusters by Kish's number, the interval of a difference is rough."""
Key = tuple[str, tuple[tuple[str, str], ...]]


class ScoreFigure(Frozen):
    """A score of a model: of the whole benchmark, or of a part."""

    model: str
    name: str
    of: dict[str, str] = Field(description="The part of the benchmark, as a value by column; empty: all of it")
    value: Finite | None = Field(description="The score, or its mean over wordings; None: undefined")
    items: Count = Field(description="Number of answers that it is computed from, in one wording")
    low: Finite | None = Field(
        None,
        description="Lower end of its interval; None: the score is a count of answers, is undefined, or has "
        "fewer than two clusters",
    )
    high: Finite | None = None
    clusters: Count = Field(0, description="Number of clusters with an answer; 0: it is a count of answers")
    effective: Amount | None = Field(
        None, description="Kish's number of these clusters: so many of equal size say as much; None: not known"
    )
    rough: bool = Field(
        False, description="The interval rests on few clusters of several answers, and may hold the truth less often"
    )
    lowest: Finite | None = Field(None, description="The lowest score that is possible; None: it is a count of answers")
    highest: Finite | None = Field(None, description="The highest score that is possible")
    ideal: Finite | None = Field(None, description="The value of an ideal model; None: no value is ideal")
    p_value: Share | None = Field(
        None,
        description="p value of the test that the score is ideal; None: the ideal is an end of the scale, or unknown",
    )
    needed: Count | None = Field(
        None, description="The clusters with which such a score is told from its ideal in 80 of 100 benchmarks"
    )
    by_wording: dict[str, Finite | None] = Field(
        default_factory=dict, description="The score in each wording, where there are several"
    )

    @property
    def key(self) -> Key:
        """The name of the score and the part of the benchmark."""
        return self.name, tuple(self.of.items())

    def why_rough(self, cluster: str) -> str:
        """Return why the interval is rough; empty: it is not."""
        effective = self.clusters if self.effective is None else self.effective
        return few_clusters(self.clusters, effective, cluster) if self.rough else ""

    @property
    def full_name(self) -> str:
        """The name by which limits of ``bvf gate`` name it: of a part, as ``accuracy[Age]``."""
        return f"{self.name}[{', '.join(self.of.values())}]" if self.of else self.name


class ScoreDifference(Frozen):
    """A score of the first model less that of the second."""

    name: str
    of: dict[str, str]
    first: str
    second: str
    value: Finite
    low: Finite | None = Field(
        description="Lower end of the interval; None: nothing varies between clusters, the score has a kink, or one "
        "cluster has most of the answers"
    )
    high: Finite | None
    p_value: Share | None = Field(description="p value of the test that there is no difference")
    adjusted_p: Share | None = Field(description="``p_value``, adjusted for all pairs of models (Holm 1979)")
    method: Literal["McNemar", "t", ""] = Field(
        description="``McNemar`` for shares of independent answers; ``t`` by cluster; empty: there is no test"
    )
    rough: bool = Field(
        False,
        description="The interval rests on few answers that differ, or on few clusters, and may be too wide or "
        "too narrow",
    )

    @property
    def key(self) -> Key:
        """The name of the score and the part of the benchmark."""
        return self.name, tuple(self.of.items())

    def why_rough(self, cluster: str) -> str:
        """Return why the interval is rough; empty: it is not."""
        enough = ENOUGH_DIFFERING[self.method]
        values = f"values of {cluster} are compared, by Kish's number"
        what = "answers differ" if self.method == "McNemar" else values
        return f"fewer than {enough} {what}" if self.rough else ""


class GroupScore(Frozen):
    """A score of the items about a group, and its difference from that of items about other groups."""

    model: str
    group: str = Field(description="Who the items are about")
    name: str
    of: dict[str, str] = Field(description="The part of the benchmark, such as its ambiguous items; empty: all of it")
    value: Finite
    low: Finite
    high: Finite
    items: Count = Field(description="Number of answers that it is computed from")
    clusters: Count = Field(description="Number of clusters with an answer")
    rough: bool = Field(description="There are few clusters, by Kish's number: the intervals are rough")
    others: Finite | None = Field(None, description="The score of items about other groups")
    difference: Finite | None = Field(
        None, description="``value`` less ``others``; its interval and p are by Student's t, paired by cluster"
    )
    difference_low: Finite | None = None
    difference_high: Finite | None = None
    p_value: Share | None = None
    adjusted_p: Share | None = Field(
        None, description="``p_value``, adjusted for all groups, score by score (Holm 1979)"
    )


class GroupTreated(Frozen):
    """How far a model ties a group, such as an occupation, to another, such as women: in each item about it."""

    model: str
    group: str
    to: tuple[str, ...] = Field(description="Names of whom the group is tied to, such as women and female")
    values: tuple[Finite, ...] = Field(description="By how much, in log odds: one per item, in the first wording")


class ModelAsked(Frozen):
    """A model, where its answers are, and by what an answer is chosen."""

    model: str
    path: str
    folder: str
    by: str | None


class BenchmarkScores(Frozen):
    """The scores of models on a benchmark."""

    schema_: Literal["bvf.benchmark_scores/2"] = Field("bvf.benchmark_scores/2", alias="schema")
    benchmark: str
    title: str
    cluster: str = Field(description="The column whose values are the clusters; ``item``: each item is one")
    level: Level = Field(description="Confidence level of the intervals")
    items: str = Field(
        "",
        description="The digest of the items that were asked, with their wordings; empty: not known, as in files "
        "of before",
    )
    said: str = Field(description="How many items were asked, and by what an answer is chosen")
    notes: tuple[str, ...] = Field((), description="What a reader should know about the data")
    models: tuple[ModelAsked, ...]
    scores: tuple[ScoreFigure, ...] = Field(description="All scores of each model")
    differences: tuple[ScoreDifference, ...] = Field(
        (), description="Differences between each two models, for the scores that both have"
    )
    groups: tuple[GroupScore, ...] = Field(
        (), description="The scores of each group that items are about, where they were asked for"
    )
    groups_left_out: tuple[str, ...] = Field(
        (),
        description="Groups that were asked for and have no score with an interval, as their items are of one cluster",
    )
    called: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="Other names of each group, such as ``female`` of ``women``"
    )

    treated: tuple[GroupTreated, ...] = Field((), description="How models treat each group, where items tell")

    @property
    def main(self) -> frozenset[Key]:
        """The scores of as much of the benchmark as they are defined for: of a name, those with the fewest columns."""
        fewest: dict[str, int] = {}
        for each in self.scores:
            fewest[each.name] = min(len(each.of), fewest.get(each.name, len(each.of)))
        return frozenset(each.key for each in self.scores if len(each.of) == fewest[each.name])

    def to_frame(self) -> pd.DataFrame:
        """Return a row per model and score (and group, if asked for). Parts of the benchmark have their own columns."""
        if self.groups or self.groups_left_out:
            found = [{**each.of, **each.model_dump(exclude={"of"})} for each in self.groups]
            named = [name for name in GroupScore.model_fields if name != "of"]
            return pd.DataFrame(found, columns=None if found else named)
        left_out = {"model", "name", "of", "by_wording", "lowest", "highest"}
        rows = [
            {"model": each.model, "score": each.name, **each.of, **each.model_dump(exclude=left_out)}
            | {f"in {wording}": value for wording, value in each.by_wording.items()}
            for each in self.scores
        ]
        return pd.DataFrame(rows)


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
    first = models[0]
    asked = first.asked
    clusters, wanted = clusters_of(asked, cluster), groups_of(asked, groups)
    facts = [(*parts_of_path(each.path)[::-1], str(each.folder)) for each in models]
    named = dict(zip(distinct_names([each.model for each in models], facts), models, strict=True))
    scored = {name: _scores_of(each, clusters) for name, each in named.items()}
    of_groups = [
        each
        for name, model in (named if wanted else {}).items()
        for each in _group_scores(name, model, clusters, level, against_others=against_others)
        if each.group in wanted
    ]
    with_score = {each.group for each in of_groups}
    return BenchmarkScores(
        benchmark=asked.name,
        title=asked.benchmark.title,
        cluster=clusters.column,
        level=level,
        items=items_digest(asked),
        said=first.summary,
        notes=(*asked.notes, *_begun_otherwise(named)),
        models=tuple(
            ModelAsked(model=name, path=each.path, folder=str(each.folder), by=each.asked.by)
            for name, each in named.items()
        ),
        scores=tuple(_figure(name, each, level) for name, scores in scored.items() for each in scores.values()),
        differences=tuple(_differences(scored, level)),
        groups=tuple(of_groups),
        groups_left_out=tuple(name for name in wanted if name not in with_score),
        called={name: asked.benchmark.called(name) for name in wanted if name in with_score},
        treated=tuple(each for name, model in named.items() for each in _treated(name, model)),
    )


def _treated(model: str, answered: Answered) -> Iterator[GroupTreated]:
    benchmark, values = answered.asked.benchmark, dict[tuple[str, str], list[float]]()
    for answer in next(iter(answered.answers.values())):
        if known := benchmark.treated(answer):
            values.setdefault(known[:2], []).append(known[2])
    for (group, to), of_group in values.items():
        names = (to, *benchmark.called(to))
        yield GroupTreated(model=model, group=group, to=names, values=tuple(of_group))


def _begun_otherwise(models: Mapping[str, Answered]) -> Iterator[str]:
    """A note where models have different rules for the token before a text with nothing left of it."""
    if len({each.start for each in models.values()} - {""}) > 1:
        rules = ", ".join(f"{each.start} for {name}" for name, each in models.items() if each.start)
        yield f"Texts with nothing left of them do not begin alike (-B start): {rules}."


@dataclass(frozen=True)
class Clusters:
    """Which items belong together: the column whose values are the clusters, and the cluster of each item, by id."""

    column: str
    of_item: Mapping[str, int]

    @cached_property
    def number(self) -> int:
        """G, the number of clusters."""
        return 1 + max(self.of_item.values())

    def estimate(self, score: Score | None) -> Estimate | None:
        """Return a score with how much each cluster moves it; None: there is none, or it has no interval."""
        if score is None or score.sums is None or not len(score.sums.numbers):
            return None
        sums, bounds = score.sums, (score.sums.lowest, score.sums.highest)
        places = np.array([self.of_item[answer.item.id] for answer in sums.answers], dtype=np.intp)
        return estimated(sums.numbers, places, sums.formulas, bounds, self.number, sums.reach)


def clusters_of(asked: Asked, wanted: str = "") -> Clusters:
    """Return the clusters of items.

    ``wanted`` is the user's column; empty: that of the benchmark. No answer is needed, so a wrong column is refused
    before a model is asked.

    Raises:
        BvfError: The answers have no such column, it has one value, or its value depends on the answer.
    """
    column = wanted or asked.benchmark.declaration.cluster or ITEM
    index: dict[str, int] = {}
    of_item = {item.id: index.setdefault(_label(asked.benchmark, item, column), len(index)) for item in asked.items}
    if wanted and len(index) < 2:
        raise BvfError(
            f'--cluster {wanted}: it is "{next(iter(index))}" in all items: no interval is possible',
            f"take a column that differs, or {ITEM}, where all answers are independent",
        )
    return Clusters(column, of_item)


def _label(benchmark: Benchmark, item: Item, column: str) -> str:
    """The value of a column, which is the same whether the first or the last choice is the answer."""
    if column == ITEM:
        return item.id
    first, last = (
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


class _Scored:
    """A score in each wording, and its estimate over all of them."""

    def __init__(self, scores: Mapping[str, Score], clusters: Clusters) -> None:
        self.scores = dict(scores)
        self.first = next(iter(scores.values()))
        self.sums = [score.sums for score in scores.values() if score.sums is not None]
        known = [each for each in map(clusters.estimate, scores.values()) if each is not None]
        self.estimate = mean_of(known) if len(known) == len(scores) else None
        self.clusters = len({clusters.of_item[answer.item.id] for sums in self.sums for answer in sums.answers})

    @property
    def independent(self) -> bool:
        """Whether each answer is a cluster of its own, in one wording, and no answer has several texts."""
        if self.estimate is None or len(self.sums) != 1:
            return False
        answers = self.sums[0].answers
        return self.estimate.clusters == len(answers) and all(len(each.texts) <= 1 for each in answers)


def _scores_of(answered: Answered, clusters: Clusters) -> dict[Key, _Scored]:
    of_key: dict[Key, dict[str, Score]] = {}
    for wording, answers in answered.answers.items():
        for score in answered.asked.benchmark.scores(answers):
            of_key.setdefault((score.name, tuple(score.of.items())), {})[wording] = score
    return {key: _Scored(scores, clusters) for key, scores in of_key.items()}


def _figure(model: str, scored: _Scored, level: float) -> ScoreFigure:
    score, estimate = scored.first, scored.estimate
    by_wording = {name: each.value for name, each in scored.scores.items()}
    values = [value for value in by_wording.values() if value is not None]
    found: dict[str, Any] = {}
    if estimate is not None:
        found = dict(zip(("low", "high"), estimate.interval(level), strict=True))
        found |= {"effective": estimate.effective}
        found["rough"] = estimate.effective < ENOUGH_CLUSTERS and not scored.independent
        if score.ideal is not None and estimate.lowest < score.ideal < estimate.highest:
            found |= {"p_value": estimate.p_value(score.ideal), "needed": estimate.needed(score.ideal, level)}
    return ScoreFigure(
        model=model,
        name=score.name,
        of=dict(score.of),
        value=fmean(values) if values else None,
        items=score.items,
        lowest=score.sums.lowest if score.sums else None,
        highest=score.sums.highest if score.sums else None,
        ideal=score.ideal,
        clusters=scored.clusters,
        by_wording=by_wording if len(by_wording) > 1 else {},
        **found,
    )


def _differences(scored: Mapping[str, Mapping[Key, _Scored]], level: float) -> Iterator[ScoreDifference]:
    """Yield the differences of each score between each two models; p is adjusted for all pairs, score by score."""
    for key in dict.fromkeys(key for scores in scored.values() for key in scores):
        having = [name for name in scored if key in scored[name]]
        pairs = [
            (one, other, _difference(scored[one][key], scored[other][key], level))
            for one, other in combinations(having, 2)
        ]
        found = [(one, other, each) for one, other, each in pairs if each is not None]
        adjusted = _adjusted([each.p_value for _, _, each in found])
        for (one, other, each), adjusted_p in zip(found, adjusted, strict=True):
            tested = asdict(each)
            rough = tested.pop("differing") < ENOUGH_DIFFERING[each.method]
            named: dict[str, Any] = {"name": key[0], "of": dict(key[1]), "first": one, "second": other}
            yield ScoreDifference(**named, **tested, adjusted_p=adjusted_p, rough=rough)


def _difference(first: _Scored, second: _Scored, level: float) -> Difference | None:
    if first.estimate is None or second.estimate is None:
        return None
    one, other = first.sums[0], second.sums[0]
    alike = one.is_share and [each.item.id for each in one.answers] == [each.item.id for each in other.answers]
    if alike and first.independent and second.independent:
        return mcnemar(one.numbers[:, 0] > 0.5, other.numbers[:, 0] > 0.5, level, one.highest)
    return difference_of(first.estimate, second.estimate, level)


def _adjusted(p_values: Sequence[float | None]) -> list[float | None]:
    known = [number for number, p_value in enumerate(p_values) if p_value is not None]
    adjusted = dict(zip(known, holm(np.array([p_values[number] for number in known], float)).tolist(), strict=True))
    return [adjusted.get(number) for number in range(len(p_values))]


def groups_of(asked: Asked, wanted: Sequence[str]) -> list[str]:
    """Return the wanted groups that items are about; ``all``: every one. Refuses a group of no item."""
    groups = list(dict.fromkeys(item.group for item in asked.items if item.group))
    if wanted and not groups:
        raise BvfError(f"--group: the items of {asked.name} do not say whom they are about", "leave it out")
    unknown = next((name for name in wanted if name not in (*groups, EVERY)), None)
    if unknown is not None:
        raise BvfError(f'--group {unknown}: no item is about "{unknown}"', nearest(unknown, [*groups, EVERY]))
    return [each for each in groups if EVERY in wanted or each in wanted]


def _group_scores(
    model: str, answered: Answered, clusters: Clusters, level: float, *, against_others: bool
) -> list[GroupScore]:
    """The main scores of each group in the first wording, the highest first; p by Holm over all groups."""
    benchmark, answers = answered.asked.benchmark, next(iter(answered.answers.values()))
    made = list[GroupScore]()
    for group in dict.fromkeys(answer.item.group for answer in answers if answer.item.group):
        others = [answer for answer in answers if answer.item.group not in ("", group)] if against_others else []
        rest = _main_scores(benchmark, others) if others else {}
        for name, score in _main_scores(benchmark, [each for each in answers if each.item.group == group]).items():
            mine, theirs = clusters.estimate(score), clusters.estimate(rest.get(name))
            if mine is not None:
                made.append(_group_score(model, group, score, mine, theirs, level))
    adjusted = list[GroupScore]()
    for name in dict.fromkeys(each.name for each in made):
        of_name = [each for each in made if each.name == name]
        p_values = _adjusted([each.p_value for each in of_name])
        adjusted += [each.model_copy(update={"adjusted_p": p}) for each, p in zip(of_name, p_values, strict=True)]
    order = list(dict.fromkeys((each.name, *each.of.values()) for each in made))
    return sorted(adjusted, key=lambda each: (order.index((each.name, *each.of.values())), -each.value))


def _main_scores(benchmark: Benchmark, answers: Sequence[Answer]) -> dict[str, Score]:
    """Each score that has sums, of as much of the benchmark as it is defined for."""
    main: dict[str, Score] = {}
    for score in benchmark.scores(answers):
        if score.sums is not None and (score.name not in main or len(score.of) < len(main[score.name].of)):
            main[score.name] = score
    return main


def _group_score(
    model: str, group: str, score: Score, mine: Estimate, theirs: Estimate | None, level: float
) -> GroupScore:
    low, high = mine.interval(level)
    apart: dict[str, Any] = {}
    if theirs is not None:
        found = difference_of(mine, theirs, level, same_items=False)
        apart = {"others": theirs.value, "difference": found.value, "p_value": found.p_value}
        apart |= {"difference_low": found.low, "difference_high": found.high}
    return GroupScore(
        model=model,
        group=group,
        name=score.name,
        of=dict(score.of),
        value=mine.value,
        low=low,
        high=high,
        items=score.items,
        clusters=mine.clusters,
        rough=mine.effective < ENOUGH_CLUSTERS,
        **apart,
    )
