"""Compares models: figures of each (such as R), and tests of the differences between all pairs of models.

The tests of all pairs are one family. The possible ranks of models follow from them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Unpack

import numpy as np

from bvf.analyses.compare.labels import compared_by
from bvf.analyses.compare.result import (
    ComparedModel,
    Comparison,
    Decision,
    GroupDifference,
    ModelDifference,
    TopicComparison,
    TopicCorrelation,
)
from bvf.domain.config import settings_of
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins, load
from bvf.results.chosen import choices_in_common
from bvf.results.figure import Figure, Figures
from bvf.stats.adjusting import benjamini_hochberg, holm
from bvf.stats.comparison import FEWEST_FOR_TREND, Difference, differences, rank_ranges, trend
from bvf.stats.each_group import each_group
from bvf.study.averages import named_intervals
from bvf.study.config import AnalysisConfig, AnalysisKeywords
from bvf.study.found import digests_in, read_runs
from bvf.study.names import names_over
from bvf.study.pairing import Pairing, name_of, paired, refuse_equal_digests
from bvf.study.uncertainty import Interval

TESTED = ("low", "high", "cross_fit", "p_value", "detectable")
"""The fields of a difference that are only known if it is tested."""


def compare(
    runs: Sequence[Measurement | Path | str],
    config: AnalysisConfig | None = None,
    *,
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
    by: str = "",
    **choices: Unpack[AnalysisKeywords],
) -> Comparison:
    """Compare models in the same groups and contexts.

    The result has the figures of each model (such as R), differences with intervals, and possible ranks.

    Args:
        runs: Measurements, folders of runs, or folders that contain such folders; runs of the same topic are compared.
        config: Configuration of the analysis, the same for all runs; or give its fields as keywords. What it does not
            set is as in the runs' own analyses, which must then agree.
        plugins: Plugins that define criteria; None: the installed ones.
        preferred: Plugins whose criterion is used if neither ``config`` nor the runs name one.
        by: A label of the runs, or ``parameters``. If its values are numbers, the trend over them is tested; if it has
            two values, runs that differ in this label alone are compared in pairs. ``wording``: two wordings of one
            model, such as bare and chat; otherwise runs of different wordings are refused.
        choices: Fields of `bvf.AnalysisConfig`: ``bvf.compare(["runs/a", "runs/b"], criterion="lk:2")``.

    Raises:
        BvfError: The runs cannot be compared; the message says in what they differ.
    """
    config = settings_of(AnalysisConfig, config, choices, "compare")
    available = plugins or load()
    refuse_equal_digests(digests_in(runs))
    config = choices_in_common(runs, config, available)
    measurements = read_runs(runs, words=bool(config.words))
    by_topic = _by_topic(measurements)
    pairings = [paired(of_topic, config, available, preferred, by) for of_topic in by_topic]
    named = [_Topic(*each) for each in zip(pairings, names_over(by_topic), strict=True)]
    tested = _in_one_family([_differences(each) for each in named], config.level)
    topics = tuple(_topic(*each) for each in zip(named, tested, strict=True))
    topics = compared_by(topics, by) if by else topics
    chosen = pairings[0].choices
    return Comparison(
        criterion=chosen.criterion_name,
        scale=chosen.scale,
        reference=chosen.reference,
        group_weights=chosen.group_weights,
        margin=chosen.margin,
        level=chosen.level,
        by=by,
        tests=sum(each.p_value is not None for of_topic in tested for each in of_topic),
        topics=topics,
        correlations=tuple(_correlation(first, second) for first, second in combinations(topics, 2)),
    )


def _by_topic(measurements: Sequence[Measurement]) -> list[list[Measurement]]:
    by_topic: dict[str, list[Measurement]] = {}
    for each in measurements:
        by_topic.setdefault(each.record.asked.topic, []).append(each)
    if len(by_topic) == len(measurements):
        return [list(measurements)]  # `paired` refuses them by name
    for topic, of_topic in by_topic.items():
        if len(of_topic) == 1:
            raise BvfError(
                f"{name_of(of_topic[0])} is the only run of the topic {topic}", "leave it out, or ask other models too"
            )
    return list(by_topic.values())


@dataclass(frozen=True, eq=False)
class _Topic:
    """The models of one topic, measured with the same prompts, and their names."""

    pairing: Pairing
    names: Sequence[str]

    @cached_property
    def models(self) -> list[Figures]:
        return [Figures(study, self.pairing.analysis) for study in self.pairing.models]

    @cached_property
    def fields(self) -> list[str]:
        """Names of the figures to compare, without undefined ones: `Analysis.compared`, or all if that is empty."""
        named = self.models[0].averaged()
        return [field for field in self.pairing.analysis.compared or named if field in named]

    def values(self, model: Figures) -> dict[str, float]:
        return {field: model.value_of_average(Figure(field)) for field in self.fields}

    def intervals(self, model: Figures) -> dict[str, Interval]:
        level, intervals = self.pairing.choices.level, dict[str, Interval]()
        for each in model.averages:
            weights = model.study.predictions.group_weights
            intervals |= named_intervals(each.sampled.estimates(weights, level), each.names)
        return {field: each for field, each in intervals.items() if field in self.fields}

    def tested(self, first: Figures, second: Figures) -> dict[str, Difference]:
        """Differences between two models by figure, with intervals and p; empty if contexts are not a random sample."""
        by_figure = dict[str, Difference]()
        for one, other in zip(first.averages, second.averages, strict=True):
            weights = first.study.predictions.group_weights
            of_part = differences(one.sampled, other.sampled, weights, self.pairing.choices.level)
            by_figure |= zip(one.names, (of_part.total, of_part.of_mean, of_part.rest), strict=True)
        return by_figure


def _differences(topic: _Topic) -> list[ModelDifference]:
    """The differences of all pairs of models in all figures. Their p values are not adjusted yet."""
    model_differences = list[ModelDifference]()
    for (one, first), (other, second) in combinations(zip(topic.names, topic.models, strict=True), 2):
        tested, theirs = topic.tested(first, second), topic.values(second)
        for figure, value in topic.values(first).items():
            fields = {name: getattr(tested[figure], name) for name in TESTED} if tested else {}
            known = {name: float(each) for name, each in fields.items() if each is not None}
            model_differences.append(
                ModelDifference(figure=figure, first=one, second=other, value=value - theirs[figure], **known)
            )
    return sorted(model_differences, key=lambda each: topic.fields.index(each.figure))


def _in_one_family(by_topic: Sequence[Sequence[ModelDifference]], level: float) -> list[list[ModelDifference]]:
    """The differences by topic, with p values adjusted over all topics (Holm), and the decisions of these tests."""
    p_values = [each.p_value for of_topic in by_topic for each in of_topic if each.p_value is not None]
    adjusted = iter(holm(np.array(p_values)).tolist())

    def decided(difference: ModelDifference) -> ModelDifference:
        if difference.p_value is None:
            return difference
        p = next(adjusted)
        decision = _decision(difference.value, p, 1.0 - level)
        return difference.model_copy(update={"adjusted_p": p, "decision": decision})

    return [[decided(each) for each in of_topic] for of_topic in by_topic]


def _decision(value: float, adjusted_p: float, alpha: float) -> Decision:
    return "tied" if adjusted_p >= alpha else "higher" if value > 0 else "lower"


def _topic(topic: _Topic, tested: Sequence[ModelDifference]) -> TopicComparison:
    pairing, names = topic.pairing, topic.names
    asked, sample, left_out = pairing.models[0].measurement.record.asked, pairing.sample, pairing.left_out
    ranks = _ranks(names, tested)
    return TopicComparison(
        topic=asked.topic,
        language=asked.language,
        contexts=asked.contexts,
        number_of_contexts=len(asked.in_order),
        groups=tuple(group.name for group in pairing.groups),
        unit=sample.unit if sample else "",
        units=sample.size if sample else None,
        undefined=pairing.undefined,
        groups_left_out=left_out.groups,
        contexts_left_out=left_out.contexts,
        missing=left_out.prompts,
        models=tuple(
            _compared(topic, model, name, ranks[name]) for name, model in zip(names, topic.models, strict=True)
        ),
        differences=tuple(tested),
        of_groups=tuple(_of_groups(topic)),
        notes=pairing.notes,
    )


def _compared(topic: _Topic, model: Figures, name: str, ranks: dict[str, tuple[int, int]]) -> ComparedModel:
    record, folder = model.study.measurement.record, model.study.measurement.folder
    return ComparedModel(
        name=name,
        measurement=record.digest,
        folder=str(folder or ""),
        parameters=record.model.parameters,
        wording=record.model.wording,
        labels=record.labels,
        figures=topic.values(model),
        intervals=topic.intervals(model),
        ranks=ranks,
    )


def _ranks(names: Sequence[str], tested: Sequence[ModelDifference]) -> dict[str, dict[str, tuple[int, int]]]:
    """The lowest and highest possible rank of each model, by model and then by figure."""
    ranks: dict[str, dict[str, tuple[int, int]]] = {name: {} for name in names}
    for figure in dict.fromkeys(each.figure for each in tested if each.decision):
        above = np.zeros((len(names), len(names)), dtype=bool)
        for each in tested:
            if each.figure == figure:
                i, j = names.index(each.first), names.index(each.second)
                above[i, j], above[j, i] = each.decision == "higher", each.decision == "lower"
        for name, ends in zip(names, rank_ranges(above), strict=True):
            ranks[name][figure] = ends
    return ranks


def _of_groups(topic: _Topic) -> list[GroupDifference]:
    """Differences of groups between two models, largest first.

    Empty for more models, or if groups have no intervals.
    """
    pairing, (first, *others) = topic.pairing, topic.models
    if len(others) != 1 or not first.averages or first.averages[0].of_group is None:
        return []
    one, other = first.averages[0], others[0].averages[0]
    tested = differences(one.sampled, other.sampled, each_group(len(pairing.groups)), pairing.choices.level)
    named = zip(first.averages[0].of_group[:2], (tested.total, tested.of_mean), strict=True)
    by_figure = {name: difference for name, difference in named if name}
    p_values = np.concatenate([difference.p_value for difference in by_figure.values()])
    adjusted = benjamini_hochberg(p_values).reshape(len(by_figure), -1)
    rows = [
        GroupDifference(
            group=group.name,
            gloss=group.gloss,
            figure=figure,
            value=float(difference.value[x]),
            low=float(difference.low[x]),
            high=float(difference.high[x]),
            p_value=float(difference.p_value[x]),
            adjusted_p=float(p[x]),
            decision=_decision(difference.value[x], p[x], 1.0 - pairing.choices.level),
        )
        for (figure, difference), p in zip(by_figure.items(), adjusted, strict=True)
        for x, group in enumerate(pairing.groups)
    ]
    return sorted(rows, key=lambda row: -abs(row.value))


def _correlation(first: TopicComparison, second: TopicComparison) -> TopicCorrelation:
    of_first, of_second = ({model.name: model.first_figure for model in each.models} for each in (first, second))
    both = [name for name in of_first if name in of_second]
    x, y = (np.array([of_topic[name] for name in both]) for of_topic in (of_first, of_second))
    named = {"first": first.topic, "second": second.topic, "models": len(both)}
    defined = len(both) >= FEWEST_FOR_TREND and len(set(x)) > 1 and len(set(y)) > 1
    found = trend(x, y) if defined else None
    return TopicCorrelation(
        **named, **{field: getattr(found, field, None) for field in ("correlation", "p_value", "smallest_p")}
    )
