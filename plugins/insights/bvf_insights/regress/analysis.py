"""Regresses figures of groups (such as r) on statistics of these groups (such as wages)."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log10
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import scipy
from bvf_mining.corpus import Corpus

from bvf import BvfError, ResultBase, Study, load, read_result
from bvf.domain import USUAL, Asked, settings_of
from bvf.errors import nearest
from bvf.files import TABLE_ENDINGS, read_group_values, read_group_weights
from bvf.hooks import Plugins
from bvf.results import analysis_of, named_warnings, names_of, of_risk, refuse_mixed, study_of
from bvf.stats import ContextSample, FloatArray, holm, student_quantile, student_tail
from bvf.study import RISK_OF_GROUP as RISKS
from bvf.study import Averages, folders_of_runs, read_record
from bvf_insights.regress.config import RegressConfig, RegressKeywords
from bvf_insights.regress.result import Decision, Factor, RegressedGroup, Regression, Regressions
from bvf_insights.stats.weighted_line import WeightedLine, weighted_line

FREQUENCY = "word-frequency"
MILLION = 1e6
WORD = re.compile(r"\w+")
LEAN, ASSOCIATION = "lean", "association"


@dataclass(frozen=True)
class Known:
    """A social factor such as wages, and its value by group. ``share_of``: the class whose share it is, if any."""

    factor: Factor
    values: Mapping[str, float | None]  # by group, in the factor's unit; None: nothing is published
    share_of: str = ""  # the class whose share the factor is; empty: it is not a share


def known_of(choice: str, asked: Asked, corpus: Sequence[str] = (), between_words: str = " ") -> Known:
    """Return the factor that ``--against`` names: a statistic, ``word-frequency``, ``FILE`` or ``FILE:COLUMN``.

    ``between_words`` is the word separator of the language, which may be empty.
    """
    if choice == FREQUENCY:
        return _frequency(asked, corpus, between_words)
    if choice in asked.statistics:
        table = asked.statistics[choice]
        fields = table.model_dump(exclude={"values", "share_of"})
        return Known(Factor(name=choice, **fields), table.values, table.share_of)
    file, _, column = choice.rpartition(":")
    if not (file.endswith(TABLE_ENDINGS) and column):
        file, column = choice, "value"
    if not file.endswith(TABLE_ENDINGS):
        raise BvfError(
            f"--against {choice}: {asked.topic} has no such statistic, and it is not a table",
            nearest(choice, [*asked.statistics, FREQUENCY])
            if asked.statistics
            else f"name a file of group and value, or {FREQUENCY}",
        )
    return Known(Factor(name=choice, label=column, source=file), read_group_values(Path(file), column))


def counts_of(groups: Iterable[str], texts: Iterable[str], between_words: str = " ") -> tuple[dict[str, int], int]:
    """Return how often each group's name occurs in texts, ignoring case, and also the number of words.

    If ``between_words`` is empty, the number of characters replaces that of words.

    >>> counts_of(["nurse", "truck driver"], ["The Nurse saw a truck-driver; nurses did not."])
    ({'nurse': 1, 'truck driver': 1}, 9)
    """
    forms = {group: " ".join(WORD.findall(group.casefold())) if between_words else group for group in groups}
    single, number = Counter[str](), 0
    phrases = [form for form in forms.values() if not between_words or " " in form]
    for text in texts:
        words = WORD.findall(text.casefold()) if between_words else []
        number += len(words) if between_words else len(text)
        single.update(words)
        joined = f" {' '.join(words)} " if between_words else text
        single.update({form: joined.count(f" {form} " if between_words else form) for form in phrases})
    return {group: single[form] for group, form in forms.items()}, number


def _frequency(asked: Asked, corpus: Sequence[str], between_words: str) -> Known:
    if not corpus:
        raise BvfError(
            f"--against {FREQUENCY}: there is no corpus to count words in",
            "name one with --corpus, or a table with --against FILE:COLUMN",
        )
    texts = (document.text for document in Corpus(tuple(corpus)).documents())
    counts, number = counts_of(asked.group_names, texts, between_words)
    values = {group: log10(times * MILLION / number) if times else None for group, times in counts.items()}
    what = "words" if between_words else "characters"
    factor = Factor(
        name=FREQUENCY,
        label="word frequency",
        unit=f"log10 per million {what}",
        source=f"{number:,} {what} of {', '.join(corpus)}",
        note="Of the word as it stands, capitals or not; none of its other forms. No value where it never occurs",
    )
    return Known(factor, values)


@dataclass(frozen=True)
class Figures:
    """The values of one figure for all groups, and their errors due to the sample of contexts."""

    name: str
    values: FloatArray  # (X,)
    influence: FloatArray | None  # of an occurrence of each context, (X, C); None: contexts are not a sample
    sample: ContextSample | None  # None: contexts are not a sample
    undefined: str  # why contexts are not a sample; empty: they are one
    is_mean: bool  # over contexts, and so neither too high nor too low on average

    def context_error(self, groups: FloatArray, pull: FloatArray) -> float | None:
        """Return the standard error, due to contexts, of the linear combination ``pull @ values[groups]``.

        None if contexts are not a random sample.

        The errors of groups are correlated, as all groups have the same contexts; this is taken into account.
        """
        if self.influence is None or self.sample is None:
            return None
        return float(self.sample.standard_errors(pull @ self.influence[groups]))

    def reach_of_contexts(self, groups: FloatArray, pull: FloatArray, level: float) -> tuple[float, float] | None:
        """Return how far an interval of ``pull @ values[groups]`` for these groups reaches below and above it.

        Its error is that of contexts alone: Student's t of what each context adds to the slope, the sum over groups of
        pull times influence. None if contexts are not a random sample, or if the figure is not a mean over contexts, so
        that its values are too high or too low (r^b, r^v, and r of sampled answers).
        """
        if self.influence is None or self.sample is None or not self.is_mean:
            return None
        low, high = self.sample.ends(0.0, pull @ self.influence[groups], level)
        return -low, high


def named_figures(of: Sequence[str], result: ResultBase, share_of: str, plugins: Plugins) -> tuple[str, ...]:
    """Return the full names of the figures of groups in ``--of``, such as ``association:male`` for ``association``.

    The default is r; if the factor is a class's percentage, the association, or the lean where neutral subjects were
    not asked. Of another analysis it is its first figure.
    """
    if not (risk := of_risk([result])):
        known = _in_intervals(result, plugins)
        for figure in of:
            if figure not in known:
                raise BvfError(f"--of {figure}: there is no such figure of groups", nearest(figure, known))
        return tuple(dict.fromkeys(of or known[:1]))
    classes, asked = tuple(result.groups[0].mean_probabilities), risk[0].has_neutral
    of_class = f"{ASSOCIATION if asked else LEAN}{f':{share_of}' if len(classes) > 2 else ''}"
    names = tuple(dict.fromkeys(_named(each, classes) for each in of or (of_class if share_of else "r",)))
    if not asked and any(name.startswith(ASSOCIATION) for name in names):
        raise BvfError(f"--of {ASSOCIATION}: neutral subjects were not asked", "bvf show --details says how to")
    return names


def _in_intervals(result: ResultBase, plugins: Plugins) -> list[str]:
    """The figures of groups that are averages over contexts, the first one first.

    Raises:
        BvfError: The analysis has none.
    """
    averages = _averages(result, study_of(result, plugins), plugins)
    names = [name for each in averages for name in each.of_group or () if name]
    if not names:
        raise BvfError(f"{result.criterion}: groups have no figures that are averages over contexts")
    return sorted(names, key=lambda name: names.index(name) if name not in result.in_short else -1)


def _averages(result: ResultBase, study: Study, plugins: Plugins) -> Sequence[Averages]:
    weights = study.predictions.context_weights
    return analysis_of(result, plugins).sampled(study, study.sample or ContextSample(weights, "template"))


def figures_of(result: ResultBase, names: Sequence[str], plugins: Plugins) -> dict[str, Figures]:
    """Return the named figures with their values for all groups, by name."""
    study, influences, means = study_of(result, plugins), dict[str, FloatArray](), set[str]()
    of_class = {name: name.partition(":") for name in names if ":" in name}
    if set(names) - set(of_class):
        influences, means = _influences(result, study, plugins)
    figures, undefined = dict[str, Figures](), result.uncertainty.undefined
    for name in dict.fromkeys(names):
        if name in of_class:
            kind, _, to = of_class[name]
            found = study.association(to) if kind == ASSOCIATION else study.lean(to)
            figures[name] = Figures(name, *found, study.sample, undefined, is_mean=True)
        else:
            values, is_mean = np.array([getattr(group, name) for group in result.groups]), name in means
            is_mean = is_mean and not result.samples
            figures[name] = Figures(name, values, influences.get(name), study.sample, undefined, is_mean)
    return figures


def _named(figure: str, classes: tuple[str, ...]) -> str:
    if figure in RISKS:
        return figure
    kind, colon, name = figure.partition(":")
    if kind not in (LEAN, ASSOCIATION):
        raise BvfError(
            f"--of {figure}: there is no such figure of groups", nearest(figure, [*RISKS, LEAN, ASSOCIATION])
        )
    if not colon and len(classes) > 2:
        raise BvfError(f"--of {kind}: there are {len(classes)} classes", f"choose one: --of {kind}:{classes[0]}")
    if colon and name not in classes:
        raise BvfError(f"--of {figure}: there is no such class", nearest(name, list(classes)))
    return f"{kind}:{name or classes[0]}"


def _influences(result: ResultBase, study: Study, plugins: Plugins) -> tuple[dict[str, FloatArray], set[str]]:
    """The influence of contexts on figures of groups, (X, C) each, by field, and which figures are means over contexts.

    There are none if contexts are not a random sample.
    """
    influences, means = dict[str, FloatArray](), set[str]()
    if study.sample is None:
        return influences, means
    for each in _averages(result, study, plugins):
        on_total, on_mean, on_rest = each.sampled.influences
        sign = -1.0 if each.sampled.J.concave else 1.0  # a concave J is represented by -J
        names = each.of_group or ("", "", "")
        influences |= zip(names, (sign * on_total, sign * on_mean, on_rest), strict=True)
        means.add(names[0])
    return influences, means


FEWEST = 10
"""The fewest groups for a regression."""
NO_ERROR = 1e-12


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
            of_result = name, result, each, weight_of
            regressions += [_regression(*of_result, figures[figure], config.level) for figure in names]
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


def _regression(
    model: str, result: ResultBase, known: Known, weight_of: Mapping[str, float], figures: Figures, level: float
) -> Regression:
    names, values, factor = [group.group for group in result.groups], known.values, known.factor
    with_value = [name for name in names if values.get(name) is not None]
    kept = np.array([x for x, name in enumerate(names) if name in with_value and weight_of.get(name, 0.0) > 0])
    _refuse_few(result, known, kept)
    x = np.array([float(values[names[place]] or 0.0) / factor.per for place in kept])
    y, weights = figures.values[kept], np.array([weight_of[names[place]] for place in kept])
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
        model=model,
        measurement=result.measurement,
        folder=str(result.folder or ""),
        figure=figures.name,
        factor=factor.name,
        slope=line.slope,
        intercept=float(line.at(np.zeros(1))[0]),
        error=line.error,
        context_error=context_error,
        undefined=figures.undefined,
        low=line.slope - reach,
        high=line.slope + reach,
        low_in_groups=None if below is None else line.slope - below,
        high_in_groups=None if above is None else line.slope + above,
        freedom=line.freedom,
        p_value=p_value,
        adjusted_p=1.0,
        decision="cannot tell",
        classical_error=line.classical_error,
        r_squared=line.r_squared,
        unweighted=plain.slope,
        spearman=None if rank is None else float(rank.statistic),
        spearman_p=None if rank is None else float(rank.pvalue),
        effective=line.effective,
        groups=_groups(result, kept, x, y, line),
        unpublished=tuple(name for name in names if name in values and values[name] is None),
        unmatched=tuple(name for name in names if name not in values),
        without_weight=tuple(name for name in with_value if not weight_of.get(name, 0.0) > 0),
        strangers=len(set(values) - set(names)),
    )


def _groups(
    result: ResultBase, kept: Any, x: FloatArray, y: FloatArray, line: WeightedLine
) -> tuple[RegressedGroup, ...]:
    without = line.without
    return tuple(
        RegressedGroup(
            group=result.groups[place].group,
            gloss=result.groups[place].gloss,
            x=float(x[n]),
            y=float(y[n]),
            weight=float(line.share[n]),
            without=float(without[n]),
        )
        for n, place in enumerate(kept)
    )


def _in_one_family(regressions: Sequence[Regression], alpha: float) -> tuple[Regression, ...]:
    decided = list[Regression]()
    for each, p in zip(regressions, holm(np.array([each.p_value for each in regressions])).tolist(), strict=True):
        decision: Decision = "cannot tell" if p >= alpha else "rises" if each.slope > 0 else "falls"
        decided.append(each.model_copy(update={"adjusted_p": p, "decision": decision}))
    return tuple(decided)


def _refuse_few(result: ResultBase, known: Known, kept: Any) -> None:
    if len(kept) >= FEWEST:
        return
    groups, topic, name = result.groups, result.topic, known.factor.name
    if not set(known.values).intersection(group.group for group in groups):
        raise BvfError(f"--against {name}: no group of {topic} is in it", f"its groups are named as {groups[0].group}")
    raise BvfError(
        f"--against {name}: {len(kept)} of {len(groups)} groups of {topic} have a value and a weight",
        f"a slope needs {FEWEST} or more",
    )


def _weights(choice: str, asked: Asked) -> Mapping[str, float]:
    if choice == "uniform":
        return {group.name: 1.0 for group in asked.groups}
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
