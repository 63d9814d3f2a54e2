"""What the analyses share: contexts in which every group has an answer, and what was drawn at random."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from bvf import AnalysisConfig, BvfError, Choices, Group, Study
from bvf.hooks import Plugins
from bvf.results import config_in, result_in
from bvf.stats import FloatArray
from bvf_decisions.ratios import Units, names_as_units
from bvf_decisions.selection import Rule

R = TypeVar("R", bound=Rule)


def rule_of(choices: Choices, kind: type[R]) -> R:
    """Return the rule that is the criterion, and refuse another criterion."""
    if not isinstance(choices.criterion, kind):
        message = f"the analysis {kind.name} needs a rule of its own, and {choices.criterion_name} is none"
        raise BvfError(message, f"choose one, such as --criterion {kind.example}, and leave --analysis out")
    return choices.criterion


def result_by(run: PathLike[str] | str, config: AnalysisConfig, criterion: str, rule: str, plugins: Plugins) -> Any:
    """Return the result of a run by a criterion of this package: as in the run, if that is by it and there is no rule.

    ``config`` has the other choices.
    """
    run = Path(run)
    if rule or config_in(run, config, plugins).criterion.partition(":")[0] != criterion:
        config = config.model_copy(update={"criterion": f"{criterion}:{rule}" if rule else criterion})
    return result_in(run, config, plugins)


def in_common(study: Study) -> Study:
    """Return the study in those contexts in which every group has an answer."""
    read = study.predictions
    complete = ~np.isnan(read.probabilities).any(axis=(0, 2)) & (read.context_weights > 0)
    if not complete.any():
        raise BvfError("in no context does every group have an answer", "choose groups by --groups, or other words")
    return replace(study, predictions=read.in_contexts(complete))


def units_of(study: Study, values: FloatArray, weights: FloatArray, by: Sequence[str]) -> Units:
    """Return what was drawn: contexts where they are a sample, else names in cells of the factors ``by``.

    ``values`` of names in contexts are (X, C); ``weights``, (K, X), make statistics of their means over contexts.
    """
    means, sample = values @ study.predictions.context_weights, study.sample
    if sample is None:  # where another unit was asked for, no name has others in its cell
        factors = () if study.choices.unit else by
        cells = [level_of(each, factors) or each.name for each in study.predictions.groups]
        return names_as_units(means, weights, np.unique(cells, return_inverse=True)[1])
    scores = sample.scores(weights @ values - (weights @ means)[:, np.newaxis])
    return Units(scores, np.zeros(scores.shape[1], dtype=np.intp), np.array([sample.freedom]))


def level_of(group: Group, factors: Sequence[str]) -> str:
    """Return the levels of some factors that a group has, as one; empty if it lacks one."""
    return " & ".join(group.factors[name] for name in factors) if set(factors) <= group.factors.keys() else ""
