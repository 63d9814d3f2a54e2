"""Who is judged worse: the scores of each group that items are about, against those of all other groups."""

from collections.abc import Mapping, Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict

from bvf.domain.numbers import Count, Finite, Share
from bvf.errors import BvfError, nearest
from bvf.interfaces.benchmark import Answer, Score
from bvf.stats.comparing.adjusting import holm
from bvf_factors.benchmarks.answered import Answered
from bvf_factors.benchmarks.asking import Asked
from bvf_factors.benchmarks.intervals import Estimate, difference_of, estimated
from bvf_factors.reading.table import ENOUGH_CLUSTERS

EVERY = "all"


class GroupScore(BaseModel):
    """A score of the items about a group, and its difference from that of items about other groups.

    Attributes:
        model: Name of the model.
        group: Who the items are about.
        name: Name of the score.
        of: The part of the benchmark, such as its ambiguous items; empty: all of it.
        items: Number of answers that it is computed from.
        clusters: Number of clusters with an answer.
        rough: There are few clusters: the intervals are rough.
        others: The score of items about other groups.
        difference: ``value`` less ``others``; its interval and p are by Student's t, paired by cluster.
        adjusted_p: ``p_value``, adjusted for all groups, score by score (Holm 1979).
    """

    model_config = ConfigDict(frozen=True)

    model: str
    group: str
    name: str
    of: dict[str, str]
    value: Finite
    low: Finite
    high: Finite
    items: Count
    clusters: Count
    rough: bool
    others: Finite | None = None
    difference: Finite | None = None
    difference_low: Finite | None = None
    difference_high: Finite | None = None
    p_value: Share | None = None
    adjusted_p: Share | None = None


def groups_of(asked: Asked, wanted: Sequence[str]) -> list[str]:
    """Return those groups that items are about and that are wanted; ``all``: every one.

    No answer is needed, so a wrong group is refused before a model is asked.

    Raises:
        BvfError: No item is about a group that is wanted, or items name no groups.
    """
    groups = list(dict.fromkeys(item.group for item in asked.items if item.group))
    if wanted and not groups:
        raise BvfError(f"--group: the items of {asked.name} do not say whom they are about", "leave it out")
    unknown = next((name for name in wanted if name not in (*groups, EVERY)), None)
    if unknown is not None:
        raise BvfError(f'--group {unknown}: no item is about "{unknown}"', nearest(unknown, [*groups, EVERY]))
    return [each for each in groups if EVERY in wanted or each in wanted]


def group_scores(
    model: str,
    answered: Answered,
    place: Mapping[str, int],
    wanted: Sequence[str],
    level: float,
    *,
    against_others: bool = True,
) -> list[GroupScore]:
    """Return the main scores of each group of a model's answers in its first wording, the highest first.

    Without ``against_others`` they are not compared with those of other groups. Holm's rule adjusts for all groups,
    also for those that are not wanted.
    """
    answers, of_group = next(iter(answered.answers.values())), dict[str, list[Answer]]()
    for answer in answers:
        if answer.item.group:
            of_group.setdefault(answer.item.group, []).append(answer)
    made = []
    for group, about in of_group.items():
        others = [answer for answer in answers if answer.item.group not in ("", group)] if against_others else []
        made += _of_group(model, group, answered, about, others, place, level)
    adjusted = _adjusted(made)
    kept = [each for each in adjusted if each.group in wanted]
    order = {key: number for number, key in enumerate(dict.fromkeys((e.name, *e.of.values()) for e in adjusted))}
    return sorted(kept, key=lambda each: (order[each.name, *each.of.values()], -each.value))


def _of_group(  # noqa: PLR0913 - a group, its answers and those of others, and how they are judged
    model: str,
    group: str,
    answered: Answered,
    about: Sequence[Answer],
    others: Sequence[Answer],
    place: Mapping[str, int],
    level: float,
) -> list[GroupScore]:
    rest = _main(answered, others) if others else {}
    made = []
    for key, score in _main(answered, about).items():
        mine, theirs = _estimate(score, place), _estimate(rest.get(key), place)
        if mine is None:
            continue
        low, high = mine.interval(level)
        apart: dict[str, float | None] = {}
        if theirs is not None:
            found = difference_of(mine, theirs, level, same_items=False)
            apart = {"others": theirs.value, "difference": found.value, "p_value": found.p_value}
            apart |= {"difference_low": found.low, "difference_high": found.high}
        made.append(
            GroupScore(
                model=model,
                group=group,
                name=score.name,
                of=dict(score.of),
                value=mine.value,
                low=low,
                high=high,
                items=score.items,
                clusters=mine.clusters,
                rough=mine.clusters < ENOUGH_CLUSTERS,
                **apart,
            )
        )
    return made


def _main(answered: Answered, answers: Sequence[Answer]) -> dict[str, Score]:
    """Each score that has sums, of as much of the benchmark as it is defined for."""
    main: dict[str, Score] = {}
    for score in answered.asked.benchmark.scores(answers):
        if score.sums is not None and (score.name not in main or len(score.of) < len(main[score.name].of)):
            main[score.name] = score
    return main


def _estimate(score: Score | None, place: Mapping[str, int]) -> Estimate | None:
    if score is None or score.sums is None or not len(score.sums.numbers):
        return None
    sums = score.sums
    clusters = np.array([place[answer.item.id] for answer in sums.answers], dtype=np.intp)
    bounds = (sums.lowest, sums.highest)
    return estimated(sums.numbers, clusters, sums.formulas, bounds, 1 + max(place.values()), sums.reach)


def _adjusted(scores: Sequence[GroupScore]) -> list[GroupScore]:
    of_name: dict[str, list[int]] = {}
    for number, each in enumerate(scores):
        if each.p_value is not None:
            of_name.setdefault(each.name, []).append(number)
    made = list(scores)
    for numbers in of_name.values():
        p_values = np.array([scores[number].p_value for number in numbers], dtype=np.float64)
        for number, p_value in zip(numbers, holm(p_values).tolist(), strict=True):
            made[number] = scores[number].model_copy(update={"adjusted_p": p_value})
    return made
