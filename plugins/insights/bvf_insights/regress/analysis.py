"""Regresses figures of groups (such as r) on statistics of these groups (such as wages)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import scipy

from bvf import BvfError, ResultBase, load, read_result
from bvf.domain import USUAL, Asked, settings_of
from bvf.errors import nearest
from bvf.files import TABLE_ENDINGS, read_group_weights
from bvf.hooks import Plugins
from bvf.results import named_warnings, names_of, refuse_mixed
from bvf.stats import FloatArray, holm, student_quantile, student_tail
from bvf.study import folders_of_runs, read_record
from bvf_insights.regress.config import RegressConfig, RegressKeywords
from bvf_insights.regress.result import Decision, RegressedGroup, Regression, Regressions
from bvf_insights.regress.variables import Figures, Known, figures_of, known_of, named_figures
from bvf_insights.stats.weighted_line import WeightedLine, weighted_line

FEWEST = 10
"""The fewest groups for a regression."""
NO_ERROR = 1e-12
LINE = ("slope", "error", "freedom", "classical_error", "r_squared", "effective")
"""What a `Regression` has of its line."""
OF_GROUP = tuple(RegressedGroup.model_fields)


def regress(
    runs: Sequence[ResultBase | Path | str],
    config: RegressConfig | None = None,
    *,
    plugins: Plugins | None = None,
    **choices: Unpack[RegressKeywords],
) -> Regressions:
    """Regress figures of groups on statistics of these groups, by weighted least squares with HC2 errors.

    Args:
        runs: Stored results, folders of runs, or folders that contain such folders; of one topic and criterion.
        config: Factors, figures and weights; or give the fields as keywords.
        plugins: Plugins that define criteria and languages; None: the installed ones.
        choices: Fields of `RegressConfig`: ``bvf.regress(["runs/a"], against="wages", weights="employment")``.

    Raises:
        BvfError: A name is unknown, a table is malformed, results differ in topic or method, or fewer than 10 groups
            have a value and a weight.
    """
    config = settings_of(RegressConfig, config, choices, "regress")
    if not config.against:
        raise BvfError("--against is missing: nothing to compare figures with", "give --against wages, or name a table")
    available, results = plugins or load(), _read(runs)
    asked = _asked(results)
    between_words = available.languages.find(asked.language).make().between_words if config.corpus else " "
    known = [known_of(choice, asked, config.corpus, between_words) for choice in dict.fromkeys(config.against)]
    weight_of = _weights(config.weights, asked)
    regressions = list[Regression]()
    for name, result in zip(names_of(results), results, strict=True):
        wanted = [(each, named_figures(config.of, result, each.share_of, available)) for each in known]
        figures = figures_of(result, [figure for _, names in wanted for figure in names], available)
        for each, names in wanted:
            data = _Data(name, result, each, weight_of)
            regressions += [_regression(data, figures[figure], config.level) for figure in names]
    return Regressions(
        **{field: getattr(results[0], field) for field in ("topic", "language", "criterion", "reference")},
        scale=getattr(results[0], "scale", USUAL),
        weights=config.weights,
        level=config.level,
        warnings=named_warnings(results),
        tests=len(regressions),
        factors=tuple(each.factor for each in known),
        regressions=_in_one_family(regressions, 1.0 - config.level),
    )


@dataclass(frozen=True)
class _Data:
    """The data of a regression: a result, the factor as regressor, and the weights of groups."""

    name: str
    result: ResultBase
    known: Known
    weight_of: Mapping[str, float] | None

    def weight(self, group: str) -> float:
        return 1.0 if self.weight_of is None else self.weight_of.get(group, 0.0)


def _regression(data: _Data, figures: Figures, level: float) -> Regression:
    names, values, factor = [group.group for group in data.result.groups], data.known.values, data.known.factor
    with_value = [name for name in names if values.get(name) is not None]
    kept = np.array([x for x, name in enumerate(names) if values.get(name) is not None and data.weight(name) > 0])
    _refuse_few(data, kept)
    x = np.array([float(values[names[place]] or 0.0) / factor.per for place in kept])
    y, weights = figures.values[kept], np.array([data.weight(names[place]) for place in kept])
    try:
        line, plain = weighted_line(x, y, weights), weighted_line(x, y, np.ones(len(x)))
    except ValueError as none:
        raise BvfError(f"--against {factor.name}: {none}: {factor.label}", "there is no slope") from none
    context_error = figures.context_error(kept, line.pull)
    error = float(np.hypot(line.error, context_error or 0.0))
    reach = float(student_quantile(0.5 + level / 2.0, line.freedom)) * error
    p_value = float(abs(line.slope) <= NO_ERROR)
    if error > NO_ERROR:
        p_value = float(2.0 * student_tail(abs(line.slope) / error, line.freedom))
    below, above = figures.reach_of_contexts(kept, line.pull, level) or (None, None)
    rank = scipy.stats.spearmanr(x, y) if len(set(x)) > 1 and len(set(y)) > 1 else None
    return Regression(
        model=data.name,
        measurement=data.result.measurement,
        folder=str(data.result.folder or ""),
        figure=figures.name,
        factor=factor.name,
        **{name: getattr(line, name) for name in LINE},
        intercept=float(line.at(np.zeros(1))[0]),
        context_error=context_error,
        undefined=figures.undefined,
        low=line.slope - reach,
        high=line.slope + reach,
        low_in_groups=None if below is None else line.slope - below,
        high_in_groups=None if above is None else line.slope + above,
        p_value=p_value,
        adjusted_p=1.0,
        decision="cannot tell",
        unweighted=plain.slope,
        spearman=None if rank is None else float(rank.statistic),
        spearman_p=None if rank is None else float(rank.pvalue),
        groups=_groups(data.result, kept, x, y, line),
        unpublished=tuple(name for name in names if name in values and values[name] is None),
        unmatched=tuple(name for name in names if name not in values),
        without_weight=tuple(name for name in with_value if not data.weight(name) > 0),
        strangers=len(set(values) - set(names)),
    )


def _groups(
    result: ResultBase, kept: Any, x: FloatArray, y: FloatArray, line: WeightedLine
) -> tuple[RegressedGroup, ...]:
    numbers = zip(*(each.tolist() for each in (x, y, line.share, line.without)), strict=True)
    named = [(result.groups[place].group, result.groups[place].gloss) for place in kept]
    rows = zip(named, numbers, strict=True)
    return tuple(RegressedGroup(**dict(zip(OF_GROUP, (*names, *of), strict=True))) for names, of in rows)


def _in_one_family(regressions: Sequence[Regression], alpha: float) -> tuple[Regression, ...]:
    decided = list[Regression]()
    for each, p in zip(regressions, holm(np.array([each.p_value for each in regressions])).tolist(), strict=True):
        decision: Decision = "cannot tell" if p >= alpha else "rises" if each.slope > 0 else "falls"
        decided.append(each.model_copy(update={"adjusted_p": p, "decision": decision}))
    return tuple(decided)


def _refuse_few(data: _Data, kept: Any) -> None:
    if len(kept) >= FEWEST:
        return
    groups, topic, name = data.result.groups, data.result.topic, data.known.factor.name
    if not set(data.known.values).intersection(group.group for group in groups):
        raise BvfError(f"--against {name}: no group of {topic} is in it", f"its groups are named as {groups[0].group}")
    raise BvfError(
        f"--against {name}: {len(kept)} of {len(groups)} groups of {topic} have a value and a weight",
        f"a slope needs {FEWEST} or more",
    )


def _weights(choice: str, asked: Asked) -> Mapping[str, float] | None:
    if choice == "uniform":
        return None
    if choice in asked.group_weights:
        return asked.group_weights[choice].weights
    if not choice.endswith(TABLE_ENDINGS):
        raise BvfError(
            f"--weights {choice}: {asked.topic} has no such weights, and it is not a table",
            nearest(choice, ["uniform", *asked.group_weights]),
        )
    return read_group_weights(Path(choice))


def _read(runs: Sequence[ResultBase | Path | str]) -> list[ResultBase]:
    results = list[ResultBase]()
    for run in runs:
        results += [run] if isinstance(run, ResultBase) else map(read_result, folders_of_runs(Path(run)))
    if not results:
        raise BvfError("no run is named", "name the folder of a run")
    refuse_mixed(results, "regress them one by one")
    return results


def _asked(results: Sequence[ResultBase]) -> Asked:
    """The questions of the first result, with the groups and statistics of the other results added."""
    asked = [read_record(result.folder).asked for result in results if result.folder is not None]
    if not asked:
        raise BvfError("these results have no folder with probabilities", "read them with bvf.read_result(FOLDER)")
    groups = {group.name: group for each in asked for group in each.groups}
    statistics = {name: table for each in reversed(asked) for name, table in each.statistics.items()}
    return asked[0].model_copy(update={"groups": tuple(groups.values()), "statistics": statistics})
