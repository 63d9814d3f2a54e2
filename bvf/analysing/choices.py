"""From the choices of a user to an analysis: every name is looked up, and what cannot work is refused."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bvf.analysing.basis import first_of
from bvf.analysing.config import AnalysisConfig
from bvf.analysing.margin import margin_of
from bvf.arrays import FloatArray
from bvf.domain.measurement import Asked
from bvf.errors import BvfError, nearest
from bvf.files.group_tables import read_group_weights, read_reference
from bvf.files.parsing import is_file
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Analysis, Choices, View
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.stats.risk import check_criterion

UNIFORM, MEAN = "uniform", "mean"
"""Names of an unbiased model p* that stand for no table."""


def prepared(
    config: AnalysisConfig, asked: Asked, plugins: Plugins, *, preferred: Sequence[str] = (), view: View | None = None
) -> tuple[Analysis[Any], Choices]:
    """Return the analysis that a user wants, and the choices for it.

    Args:
        config: What the user chose.
        asked: The questions.
        plugins: Where criteria and analyses are looked up.
        preferred: Plugins whose criterion is meant where none is named.
        view: How groups are to be shown.

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
    weight_of, notes = _weights(config.group_weights, asked)
    p_star_of, more = _p_star(config.reference, asked)
    choices = Choices(
        criterion_name=name,
        criterion=criterion,
        scale=config.scale,
        reference=config.reference,
        p_star_of=None if p_star_of is None else {group: margin.of(p) for group, p in p_star_of.items()},
        group_weights=config.group_weights,
        weight_of=weight_of,
        distractors=config.distractors,
        seed=config.seed,
        words=config.words,
        unit=config.unit,
        level=config.level,
        margin=config.margin,
        notes=(*notes, *more),
    )
    analysis = _analysis(config, criterion, name, plugins, preferred)
    analysis.check(asked, choices, view or View())
    if isinstance(criterion, Criterion):
        _check(criterion, choices)
    return analysis, choices


def unbiased_answers(config: AnalysisConfig, asked: Asked) -> dict[str, FloatArray]:
    """Return p* of every class that is asked for, by group, for reference models; none where nobody knows it yet."""
    return dict(_p_star(config.reference, asked)[0] or {})


def _criterion_name(config: AnalysisConfig, asked: Asked, plugins: Plugins, preferred: Sequence[str]) -> str:
    if config.criterion:
        return config.criterion
    offered = plugins.criteria.of_plugins(preferred)
    if offered is not None:
        return offered.provider.name
    return asked.criterion or plugins.criteria.choose("", ()).provider.name


def _analysis(
    config: AnalysisConfig,
    criterion: Criterion | KnowledgeCriterion,
    name: str,
    plugins: Plugins,
    preferred: Sequence[str],
) -> Analysis[Any]:
    """The analysis that is named; else the first for the criterion: of a preferred plugin, of bvf, of others."""
    if config.analysis:
        named: Analysis[Any] = plugins.analyses.make(config.analysis)
        return named
    for entry in sorted(plugins.analyses, key=lambda entry: (entry.owner.plugin not in preferred, not entry.is_ours)):
        analysis: Analysis[Any] = entry.make()
        if analysis.applies(criterion):
            return analysis
    raise BvfError(f"no analysis is for the criterion {name}", "name one with --analysis, see bvf analyses")


def _check(criterion: Criterion, choices: Choices) -> None:
    if choices.p_star_of is not None:
        check_criterion(criterion, np.array(list(choices.p_star_of.values())), choices.criterion_name)


def _weights(choice: str, asked: Asked) -> tuple[Mapping[str, float], list[str]]:
    if choice == UNIFORM:
        return dict.fromkeys(asked.group_names, 1.0), []
    if choice in asked.group_weights:
        return asked.group_weights[choice].weights, []
    weights = read_group_weights(_file(choice, "--group-weights", asked.group_weights))
    return weights, _no_groups(choice, weights, asked)


def _p_star(choice: str, asked: Asked) -> tuple[Mapping[str, FloatArray] | None, list[str]]:
    classes = asked.classes
    if choice == UNIFORM:
        return {group: np.full(len(classes), 1.0 / len(classes)) for group in asked.group_names}, []
    if choice == MEAN:
        return None, []
    if choice in asked.references:
        rows = asked.references[choice].probabilities
        return {group: np.array([p[name] for name in classes]) for group, p in rows.items()}, []
    read = read_reference(_file(choice, "--reference", asked.references), classes)
    return read, _no_groups(choice, read, asked)


def _file(choice: str, option: str, tables: Iterable[str]) -> Path:
    if is_file(Path(choice)):
        return Path(choice)
    raise BvfError(
        f'{option} "{choice}" is neither a file nor a table of the topic', nearest(choice, [UNIFORM, *tables])
    )


def _no_groups(choice: str, named: Iterable[str], asked: Asked) -> list[str]:
    """A note of the names in a file of the user's that are no groups; none if all are."""
    others = [name for name in named if name not in asked.group_names]
    names, no_groups = ("name", "is no group") if len(others) == 1 else ("names", "are no groups")
    return [f"{len(others)} {names} of {choice} {no_groups} of {asked.topic}: {first_of(others)}"] if others else []
