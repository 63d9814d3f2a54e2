"""From a configuration to an analysis: looks up names, and refuses choices that cannot work."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.asked import Asked
from bvf.domain.groups import named_groups
from bvf.errors import BvfError
from bvf.files.table_files import read_group_weights
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Choices, View
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.measuring.kind import kind_called
from bvf.stats.figures.risk import check_criterion
from bvf.study.analysis import Analysis
from bvf.study.config import AnalysisConfig
from bvf.study.margin import margin_of
from bvf.study.reference import UNIFORM, chosen_reference, named_file, no_groups, stored_groups


def prepared(
    config: AnalysisConfig, asked: Asked, plugins: Plugins, *, preferred: Sequence[str] = (), view: View | None = None
) -> tuple[Analysis[Any], Choices]:
    """Return the analysis that a configuration names, and also its choices: objects and arrays in place of names.

    If it names no criterion, one from the ``preferred`` plugins is used, else that of the topic, else the default.

    Raises:
        BvfError: A name is unknown, a table is wrong, or the choices do not fit each other or the questions.
    """
    name = _criterion_name(config, asked, plugins, preferred)
    criterion: Criterion | KnowledgeCriterion = plugins.criteria.make(name)
    margin = margin_of(asked, config.margin)
    if isinstance(criterion, Criterion):
        criterion = criterion.for_classes(margin.classes)
    elif config.margin:
        raise BvfError(
            f"--margin {config.margin}: {name} scores true answers among all classes", "choose a criterion of risk"
        )
    weight_of, notes = _weights(config, asked)
    reference = chosen_reference(config.reference, asked, config.stored("reference"), config.groups)
    p_star_of = reference.of_group
    choices = choices_by(
        config.model_copy(update={"criterion": name, "analysis": plugins.analyses.short(config.analysis)}),
        asked,
        plugins,
        criterion=criterion,
        weight_of=weight_of,
        p_star_of=None if p_star_of is None else {group: margin.of(p) for group, p in p_star_of.items()},
        p_star_in=reference.in_contexts,
        notes=(*notes, *reference.notes),
    )
    analysis = _analysis(config, criterion, name, plugins, preferred)
    analysis.check(asked, choices, view or View())
    if isinstance(criterion, Criterion) and choices.p_star_of is not None:
        of_contexts = [p for rows in choices.p_star_in.values() for p in rows.values()]
        check_criterion(criterion, np.array([*choices.p_star_of.values(), *of_contexts]), name)
    return analysis, choices


def choices_by(  # noqa: PLR0913 - each is what a name stands for
    config: AnalysisConfig,
    asked: Asked,
    plugins: Plugins,
    *,
    criterion: Criterion | KnowledgeCriterion,
    weight_of: Mapping[str, float],
    p_star_of: Mapping[str, FloatArray] | None,
    p_star_in: Mapping[str, Mapping[str, FloatArray]],
    notes: tuple[str, ...] = (),
) -> Choices:
    """Return the choices of a configuration with the criterion, weights and p* that its names stand for.

    ``p_star_in`` has p* of all classes by group, then by context; the result has p* of the classes of the margin.
    """
    margin = margin_of(asked, config.margin)
    return Choices(
        criterion_name=config.criterion,
        criterion=criterion,
        scale=config.scale,
        reference=config.reference,
        p_star_of=p_star_of,
        p_star_in={group: {key: margin.of(p) for key, p in rows.items()} for group, rows in p_star_in.items()},
        group_weights=config.group_weights,
        weight_of=weight_of,
        distractors=config.distractors,
        seed=config.seed,
        words=config.words,
        unit=config.unit,
        level=config.level,
        margin=config.margin,
        groups=named_groups(config.groups, asked.group_names, "that were asked"),
        reader=kind_called(asked.reading).reader(config.reader, asked, plugins),
        notes=notes,
        analysis=config.analysis if ":" in config.analysis else "",
    )


def unbiased_answers(config: AnalysisConfig, asked: Asked) -> dict[str, FloatArray]:
    """Return what the unbiased model predicts for all classes: the mean of p* over contexts, by group.

    Empty if p* comes from the model's own predictions.
    """
    return dict(chosen_reference(config.reference, asked).of_group or {})


def _criterion_name(config: AnalysisConfig, asked: Asked, plugins: Plugins, preferred: Sequence[str]) -> str:
    if config.criterion:
        return plugins.criteria.short(config.criterion)
    offered = plugins.criteria.of_plugins(preferred)
    if offered is None and asked.criterion:
        return asked.criterion
    return plugins.criteria.name_of(offered or plugins.criteria.choose("", ()))


def _analysis(
    config: AnalysisConfig,
    criterion: Criterion | KnowledgeCriterion,
    name: str,
    plugins: Plugins,
    preferred: Sequence[str],
) -> Analysis[Any]:
    """The analysis that the user named. Without a name: the first for J of preferred plugins, else of bvf, or any."""
    if config.analysis:
        named: Analysis[Any] = plugins.analyses.make(config.analysis)
        return named
    for _, analysis in plugins.analyses.made(first=preferred):
        if analysis.applies(criterion):
            return analysis  # type: ignore[no-any-return]
    raise BvfError(f"no analysis is for the criterion {name}", "name one with --analysis, see bvf analyses")


def _weights(config: AnalysisConfig, asked: Asked) -> tuple[Mapping[str, float], tuple[str, ...]]:
    choice, option, stored = config.group_weights, "--group-weights", config.stored("group_weights")
    if choice == UNIFORM:
        return dict.fromkeys(asked.group_names, 1.0), ()
    if choice in asked.group_weights:
        return asked.group_weights[choice].weights, ()
    if stored is not None:
        return {name: of.weight for name, of in stored_groups(stored, config.groups, choice, option).items()}, ()
    weights = read_group_weights(named_file(choice, option, asked.group_weights))
    return weights, no_groups(choice, weights, asked)
