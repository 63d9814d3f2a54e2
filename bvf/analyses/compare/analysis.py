"""Compares models: figures of each (such as R), and tests of the differences between all pairs of models.

The tests of all pairs are one family. The possible ranks of models follow from them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from os import PathLike
from typing import Unpack

import numpy as np

from bvf.analyses.compare.labels import compared_by
from bvf.analyses.compare.orders import changed_by_thought, leans_of, orders_of
from bvf.analyses.compare.result import (
    ComparedModel,
    Comparison,
    Decision,
    GroupDifference,
    ModelDifference,
    TopicComparison,
    TopicCorrelation,
)
from bvf.analyses.risk.exactness import ends_of_figures, off_by
from bvf.analyses.risk.other_words import among_other_words
from bvf.analyses.risk.parts_of_lean import parts_of_lean
from bvf.analyses.risk.sampled import most_together
from bvf.arrays import BoolArray, FloatArray, each_group
from bvf.domain.config import settings_of
from bvf.domain.measurement import Measurement
from bvf.domain.variants.formats import FORMAT
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins, load
from bvf.results.figure import Figure, Figures
from bvf.results.footnotes import of_drawn_groups
from bvf.results.which import FoundRuns
from bvf.stats.comparing.adjusting import benjamini_hochberg, holm
from bvf.stats.comparing.comparison import (
    FEWEST_FOR_TREND,
    Comparable,
    comparable,
    differences_of,
    differences_of_pairs,
    rank_ranges,
    trend,
)
from bvf.study.config import AnalysisConfig, AnalysisKeywords
from bvf.study.found import StoredRun
from bvf.study.names import names_over
from bvf.study.pairing import Pairing, in_formats, paired, refuse_equal_digests
from bvf.study.sample import are_wordings
from bvf.study.study import RISK, Averages, Names, Study, named_intervals
from bvf.study.uncertainty import Interval, Uncertainty, few_units, uncertainty_of
from bvf.study.words import CountedWords
from bvf.tables.words import DECIDED

OF_WORDS = (*RISK, "particular_bias")
"""Figures whose decisions are made again without each unit of words."""
MOST_WITHOUT_UNITS = 4
"""The most models for which they are."""
P_VALUE = "p_value"
TESTED = ("low", "high", "cross_fit", P_VALUE, "detectable")
"""The fields of a difference that are only known if it is tested."""
Tests = dict[str, dict[str, FloatArray]]
"""By figure the fields of the tests of all pairs of models, shape (P,) each, in the order of `combinations`."""


def compare(
    runs: PathLike[str] | str | Sequence[Measurement | PathLike[str] | str],
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
        runs: Results, measurements, folders of runs, or folders that contain such folders; runs of the same topic are
            compared.
        config: Configuration of the analysis, the same for all runs; or give its fields as keywords. What it does not
            set is as in the runs' own analyses, which must then agree.
        plugins: Plugins that define criteria; None: the installed ones.
        preferred: Plugins whose criterion is used if neither ``config`` nor the runs name one.
        by: A label of the runs, or ``parameters``. If its values are numbers, the trend over them is tested; if it has
            two values, runs that differ in this label alone are compared in pairs. ``wording``: two wordings of one
            model, such as bare and chat; otherwise runs of different wordings are refused. ``format``: the formats in
            which each template of a run was asked, in place of the run as a whole.
        choices: Fields of `bvf.AnalysisConfig`: ``bvf.compare(["runs/a", "runs/b"], criterion="lk:2")``.

    Raises:
        BvfError: The runs cannot be compared; the message says in what they differ.
    """
    config = settings_of(AnalysisConfig, config, choices, "compare")
    available = plugins or load()
    found = FoundRuns.among(runs)
    refuse_equal_digests((str(each.folder), each.record.digest) for each in found.runs if isinstance(each, StoredRun))
    config = found.choices_in_common(config, available)
    measurements = found.measurements(words=True if config.words else None)
    return compared_by_choices(measurements, config, available, preferred, by)


def compared_by_choices(
    measurements: Sequence[Measurement],
    config: AnalysisConfig,
    plugins: Plugins,
    preferred: Sequence[str] = (),
    by: str = "",
) -> Comparison:
    """Compare measurements as `compare` does. What ``config`` does not set is as by default, not as in the runs."""
    are_formats = by == FORMAT and not any(FORMAT in each.record.labels for each in measurements)
    by_topic = _by_topic(in_formats(measurements) if are_formats else measurements)
    pairings = [paired(of_topic, config, plugins, preferred, by) for of_topic in by_topic]
    named = [_Topic(*each) for each in zip(pairings, names_over(by_topic), strict=True)]
    tests = [_tests(each) for each in named]
    topics = tuple(_topic(each, found) for each, found in zip(named, _decided(named, tests), strict=True))
    topics = compared_by(topics, by) if by and not are_formats else topics
    chosen = named[0].pairing.choices
    return Comparison(
        criterion=chosen.criterion_name,
        analysis=chosen.analysis,
        scale=chosen.scale,
        reference=chosen.reference,
        group_weights=chosen.group_weights,
        margin=chosen.margin,
        level=chosen.level,
        by=by,
        tests=sum(len(fields[P_VALUE]) for of_topic in tests for fields in of_topic.values()),
        topics=topics,
        correlations=tuple(_correlation(first, second) for first, second in combinations(topics, 2)),
    )


def _decided(named: Sequence["_Topic"], tests: Sequence[Tests]) -> Iterator[list[ModelDifference]]:
    """The differences in each topic, with the decisions that change where a unit of words is left out of its models."""
    for place, (topic, tested) in enumerate(zip(named, _in_one_family(tests), strict=True)):
        differences, without = _differences(topic, tested), dict[str, list[Decision]]()
        there = [each.figure in OF_WORDS and each.decision in DECIDED for each in differences]
        for unit, fewer in topic.without_each_unit() if any(there) and len(topic.names) <= MOST_WITHOUT_UNITS else ():
            if fewer is None:
                without[unit] = [""] * len(differences)
                continue
            again = _in_one_family([*tests[:place], _tests(fewer), *tests[place + 1 :]])[place]
            decisions = [each.decision for each in _differences(fewer, again)]
            inexact = any(study.predictions.bounds.any() for study in fewer.pairing.models)
            without[unit] = ["" if inexact and each == "tied" else each for each in decisions]
        for i in np.flatnonzero(there if without else []).tolist():
            changed = {unit: found[i] for unit, found in without.items() if found[i] != differences[i].decision}
            differences[i] = differences[i].model_copy(update={"without": changed})
        yield differences


def _by_topic(measurements: Sequence[Measurement]) -> list[list[Measurement]]:
    by_topic: dict[str, list[Measurement]] = {}
    for each in measurements:
        by_topic.setdefault(each.record.asked.topic, []).append(each)
    if len(by_topic) == len(measurements):
        return [list(measurements)]  # `paired` refuses them by name
    for topic, of_topic in by_topic.items():
        if len(of_topic) == 1:
            raise BvfError(
                f"{of_topic[0].run_name} is the only run of the topic {topic}", "leave it out, or ask other models too"
            )
    return list(by_topic.values())


@dataclass(frozen=True)
class _Model:
    """Figures and intervals of a model, and what tests need of it. The arrays of its answers are let go.

    Args:
        averages: Each average over contexts, by the names of its three figures.
        of_groups: That of the first average, for each group; None if groups are not tested.
    """

    figures: dict[str, float]
    intervals: dict[str, Interval]
    averages: dict[Names, Comparable]
    of_groups: tuple[Names, Comparable] | None


@dataclass(frozen=True, eq=False)
class _Topic:
    """The models of one topic, measured with the same prompts, and their names."""

    pairing: Pairing
    names: Sequence[str]
    by_groups: bool = True

    def without_each_unit(self) -> Iterator[tuple[str, "_Topic | None"]]:
        """Yield the models without each unit of words; None: they have no answers to the same prompts as with it.

        Nothing where p-hat of words was not stored, or units differ.
        """
        words = [each for study in self.pairing.models if (each := CountedWords.of(study))]
        if len(words) < len(self.names) or any(each.units != words[0].units for each in words):
            return
        for unit, *models in zip(words[0].units, *(each.without_each_unit() for each in words), strict=False):
            missing = [np.isnan(study.predictions.probabilities) for study in (self.pairing.models[0], *models)]
            whole = all(np.array_equal(each, missing[0]) for each in missing)
            fewer = _Topic(replace(self.pairing, models=tuple(models)), self.names, by_groups=False)
            yield "/".join(unit), fewer if whole else None

    @cached_property
    def models(self) -> list[_Model]:
        """The models, each with the figures (and their intervals) that all of them have."""
        models = [self._model(Figures(study, self.pairing.analysis)) for study in self.pairing.models]
        of_all = set.intersection(*(set(each.figures) for each in models))
        return [
            replace(
                each,
                figures={name: value for name, value in each.figures.items() if name in of_all},
                intervals={name: ends for name, ends in each.intervals.items() if name in of_all},
            )
            for each in models
        ]

    @property
    def fields(self) -> list[str]:
        """Names of the figures to compare: of `Analysis.compared`, or of all if that is empty, those of every model."""
        return list(self.models[0].figures)

    def _model(self, model: Figures) -> _Model:
        level, weights = self.pairing.choices.level, model.study.predictions.group_weights
        named = model.averaged()
        fields = [field for field in model.analysis.compared or named if field in named]
        figures = {field: model.value_of_average(Figure(field)) for field in fields}
        intervals, averages, together = dict[str, Interval](), dict[Names, Comparable](), most_together(model.study)
        for each in (each for each in model.averages if set(each.names) & set(fields)):
            estimates = each.sampled.estimates(weights, level)
            intervals |= _reaching_further(named_intervals(estimates, each.names), each, weights)
            found = comparable(each.sampled, weights, estimates, each.within)
            most = np.minimum(found.most, together.get(each.names[0], np.inf))
            averages[each.names] = replace(found, most=most)
        capped = together.keys() & intervals.keys() & figures.keys()
        return _Model(
            figures,
            intervals | {name: intervals[name].within(max(together[name], figures[name])) for name in capped},
            averages,
            self._of_groups(model.averages),
        )

    def _of_groups(self, averages: Sequence[Averages]) -> tuple[Names, Comparable] | None:
        """What tests of single groups need of a model: of two models alone, if groups have intervals."""
        if not self.by_groups or len(self.pairing.models) != 2 or not averages or averages[0].of_group is None:
            return None
        weights = each_group(len(self.pairing.groups))
        sampled, level = averages[0].sampled, self.pairing.choices.level
        estimates = sampled.estimates(weights, level)
        return averages[0].of_group, comparable(sampled, weights, estimates, averages[0].within)


def _reaching_further(
    intervals: dict[str, Interval], averages: Averages, group_weights: FloatArray
) -> dict[str, Interval]:
    """Intervals by field, widened by the error bounds of averages where probabilities are not exact."""
    if averages.within is None:
        return intervals
    most = float(averages.sampled.most(group_weights))
    bounds = dict(zip(averages.names, (averages.within @ group_weights).tolist(), strict=True))
    return {name: each.further(bounds[name]).within(max(most, each.high)) for name, each in intervals.items()}


def _tests(topic: _Topic) -> Tests:
    """The tests of all pairs of models in all figures; empty if contexts are not a random sample."""
    tests, level = Tests(), topic.pairing.choices.level
    averages = [model.averages for model in topic.models]
    for names in (each for each in averages[0] if all(each in others for others in averages)):
        rows = list(differences_of_pairs([of_model[names] for of_model in averages], level))
        for place, figure in enumerate(names):
            if figure in topic.fields:
                of_figure = [row[place] for row in rows]
                tests[figure] = {
                    field: np.concatenate([getattr(each, field) for each in of_figure])
                    for field in TESTED
                    if getattr(of_figure[0], field) is not None
                }
    return {figure: tests[figure] for figure in topic.fields if figure in tests}


def _in_one_family(by_topic: Sequence[Tests]) -> list[Tests]:
    """The tests by topic, with p values adjusted over all figures and topics (Holm)."""
    adjusted = holm(np.array([p for tests in by_topic for fields in tests.values() for p in fields[P_VALUE]]))
    places = iter(np.split(adjusted, np.cumsum([len(f[P_VALUE]) for tests in by_topic for f in tests.values()])))
    return [{figure: {**fields, "adjusted_p": next(places)} for figure, fields in tests.items()} for tests in by_topic]


def _differences(topic: _Topic, tests: Tests) -> list[ModelDifference]:
    """The differences of all pairs of models in all figures, and the decisions of their tests."""
    level, first, second = topic.pairing.choices.level, *np.triu_indices(len(topic.models), 1)
    differences = list[ModelDifference]()
    for figure in topic.fields:
        values = np.array([model.figures[figure] for model in topic.models])
        columns = {"value": values[first] - values[second], **tests.get(figure, {})}
        for i, j, *row in zip(first, second, *(each.tolist() for each in columns.values()), strict=True):
            known = dict(zip(columns, row, strict=True))
            decision = _decision(known["value"], known["adjusted_p"], 1.0 - level) if "adjusted_p" in known else ""
            both = {"first": topic.names[i], "second": topic.names[j]}
            differences.append(ModelDifference(figure=figure, **both, **known, decision=decision))
    return differences


def _decision(value: float, adjusted_p: float, alpha: float) -> Decision:
    return "tied" if adjusted_p >= alpha else "higher" if value > 0 else "lower"


def _topic(topic: _Topic, tested: Sequence[ModelDifference]) -> TopicComparison:
    pairing, names = topic.pairing, topic.names
    asked, sample, left_out = pairing.models[0].measurement.record.asked, pairing.sample, pairing.left_out
    ranks, uncertainty = _ranks(names, tested), uncertainty_of(pairing.models[0].measurement, pairing.choices)
    by_chance = pairing.analysis.by_chance(pairing.models[0])
    unit = f", with {uncertainty.unit}s as the sampling unit" if uncertainty.estimand == "source" else ""
    return TopicComparison(
        topic=asked.topic,
        language=asked.language,
        contexts=asked.contexts,
        number_of_contexts=len(asked.in_order),
        groups=tuple(group.name for group in pairing.groups),
        unit="" if sample is None else "template" if pairing.models[0].measurement.format else sample.unit,
        wordings=sample is not None and sample.unit == "template" and are_wordings(asked, pairing.choices),
        population=f"{uncertainty.population}{unit}" if sample else "",
        units=sample.size if sample else None,
        undefined=pairing.undefined,
        groups_left_out=left_out.groups,
        contexts_left_out=left_out.contexts,
        missing=left_out.prompts,
        models=tuple(
            _compared(study, model, name, ranks[name])
            for study, model, name in zip(pairing.models, topic.models, names, strict=True)
        ),
        by_chance={figure: by_chance[figure] for figure in topic.fields if figure in by_chance},
        differences=tuple(tested),
        of_groups=tuple(_of_groups(topic)),
        orders=orders_of(pairing.models, names) if pairing.models[0].is_of_risk else (),
        leans=leans_of(pairing.models) if pairing.models[0].is_of_risk else (),
        changed=changed_by_thought(pairing.models, names),
        notes=tuple(_notes(topic, uncertainty)),
    )


def _notes(topic: _Topic, uncertainty: Uncertainty) -> Iterator[str]:
    """Notes of the pairing, on a small sample, on groups that were drawn, and on the texts of each model."""
    measurement = topic.pairing.models[0].measurement
    yield from topic.pairing.notes
    if topic.pairing.sample:
        if (few := few_units(uncertainty)) and not measurement.format:
            yield few
        drawn = of_drawn_groups(measurement.record.asked.selection, len(topic.pairing.groups))
        yield from (sentence.removesuffix(".") for sentence in drawn)
    for name, study in zip(topic.names, topic.pairing.models, strict=True):
        if texts := study.measurement.answers.summary:
            yield f"{name}: {texts.in_full}"


def _compared(study: Study, model: _Model, name: str, ranks: dict[str, tuple[int, int]]) -> ComparedModel:
    record, folder = study.measurement.record, study.measurement.folder
    return ComparedModel(
        name=name,
        measurement=record.digest,
        folder=str(folder or ""),
        parameters=record.model.parameters,
        generation=record.asked.generation,
        thinking=record.asked.thinking,
        wording=record.model.wording,
        format=study.measurement.format,
        labels=record.labels,
        figures=model.figures,
        between=ends_of_figures(study, off_by(study), model.figures, study.predictions.group_weights),
        intervals=model.intervals,
        ranks=ranks,
        parts_of_lean=parts_of_lean(study)[0].fields.get("parts_of_lean"),
        other_words=among_other_words(study)[0].fields.get("other_words"),
    )


def _ranks(names: Sequence[str], tested: Sequence[ModelDifference]) -> dict[str, dict[str, tuple[int, int]]]:
    """The lowest and highest possible rank of each model, by model and then by figure."""
    ranks: dict[str, dict[str, tuple[int, int]]] = {name: {} for name in names}
    place, above = {name: i for i, name in enumerate(names)}, dict[str, BoolArray]()
    for each in tested:
        if each.decision:
            i, j = place[each.first], place[each.second]
            of_figure = above.setdefault(each.figure, np.zeros((len(names), len(names)), dtype=bool))
            of_figure[i, j], of_figure[j, i] = each.decision == "higher", each.decision == "lower"
    for figure, of_figure in above.items():
        for name, ends in zip(names, rank_ranges(of_figure), strict=True):
            ranks[name][figure] = ends
    return ranks


def _of_groups(topic: _Topic) -> list[GroupDifference]:
    """Differences of groups between two models, largest first.

    Empty for more models, or if groups have no intervals.
    """
    pairing, level = topic.pairing, topic.pairing.choices.level
    both = [model.of_groups for model in topic.models if model.of_groups is not None]
    if not both:
        return []
    (names, one), (_, other) = both
    tested = differences_of(one, other, level)
    by_figure = {
        name: difference for name, difference in zip(names, (tested.total, tested.of_mean), strict=False) if name
    }
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
            decision=_decision(difference.value[x], p[x], 1.0 - level),
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
