"""Whether ways of asking agree: runs, benchmarks and statistics about the same groups, correlated over groups."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, zip_longest
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field

from bvf import AnalysisConfig, BvfError, Criterion, Section, Study, load
from bvf.domain import Asked, Count, Finite, Level, Record
from bvf.errors import nearest
from bvf.files import TABLE_ENDINGS
from bvf.hooks import Plugins
from bvf.interfaces import ReportedGroup
from bvf.results import Figures, read_reported, reported_in
from bvf.stats import FloatArray, IntArray, RankAgreement
from bvf.study import distinct_names, folders_of_runs, warnings_of
from bvf.tables import Column, Finding, between, both_ends, correlation, counted_gap, decimals, percent, table, warned
from bvf_insights.explain.reliability import halved_together
from bvf_insights.regress.analysis import known_of
from bvf_insights.stats.agreement import correlated, noise_factor
from bvf_insights.stats.reliability import FEWEST_CONTEXTS, FEWEST_GROUPS, halves, split_half

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal["run", "benchmark", "statistic"]
RELIABILITY = "reliability: split-half, over contexts or items; a statistic is taken as exact"
LIMITS = (
    "groups differ in many ways at once, and are not drawn at random: agreement says that two ways put these groups in "
    "one order, not that either of them is right, or does harm"
)


class Way(Record):
    """A way of asking about groups: a run, a benchmark, or a statistic."""

    name: str = Field(description="The folder of a run, the title of a benchmark, or the label of a statistic")
    kind: Kind
    model: str = Field(description="Empty: a statistic")
    groups: Count
    asked: Count = Field(description="Contexts, or the most items of a group; 1: a statistic")
    reliability: Finite | None = Field(
        description="Split-half, over all its groups; null: too few; 1: a statistic, taken as it is"
    )


class WayAgreement(Record):
    """How far two ways of asking agree over the groups that both have."""

    first: str
    second: str
    groups: Count
    correlation: Finite | None = Field(None, description="Pearson's; null: too few groups, or all have one value")
    low: Finite | None = Field(None, description="Lower end of its interval: a bootstrap over groups")
    high: Finite | None = None
    ranks: Finite | None = Field(None, description="Spearman's")
    corrected: Finite | None = Field(
        None, description="correlation over the root of both reliabilities in these groups; null: one is not known"
    )
    corrected_low: Finite | None = Field(None, description="low over the same root")
    corrected_high: Finite | None = None
    rough: bool = Field(False, description="The interval rests on few groups")


class WayValue(Record):
    """What one way of asking says of a group."""

    way: str
    group: str
    value: Finite = Field(description="Mean p of the class, mean log odds of a benchmark's items, or the statistic")


class AskingComparison(Finding):
    """Ways of asking about the same groups, and how far each two agree."""

    tables: ClassVar[str] = "bvf_insights.asking:sections"
    row_fields: ClassVar[tuple[str, ...]] = ("agreements", "ways", "values")
    schema_: Literal["bvf.asking/1"] = Field("bvf.asking/1", alias="schema")
    topic: str
    to: str = Field(description="The class of all values")
    level: Level
    ways: tuple[Way, ...]
    agreements: tuple[WayAgreement, ...] = Field(description="Each two ways")
    values: tuple[WayValue, ...] = Field(description="Way by way, its groups")
    warnings: tuple[str, ...] = Field((), description="What makes figures doubtful, each begins with the run")

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per two ways."""
        import pandas as pd

        return pd.DataFrame([each.model_dump() for each in self.agreements])


def sections(found: AskingComparison, show: int = 8) -> list[Section]:
    """Return a table of agreements, one of the ways, and one of the ``show`` outermost groups (0: all)."""
    level = f"{percent(found.level)} interval"
    pairs: tuple[Column[WayAgreement], ...] = (
        Column("way", lambda each: each.first),
        Column("and", lambda each: each.second),
        Column("groups", lambda each: str(each.groups)),
        Column("r", lambda each: correlation(each.correlation)),
        Column(level, lambda each: _ends(each.low, each.high, each), optional=True),
        Column("ranks", lambda each: correlation(each.ranks)),
        Column("corrected", lambda each: correlation(each.corrected)),
        Column("its interval", lambda each: _ends(each.corrected_low, each.corrected_high, each), optional=True),
    )
    ways: tuple[Column[Way], ...] = (
        Column("way", lambda each: each.name),
        Column("model", lambda each: each.model, optional=True),
        Column("groups", lambda each: str(each.groups)),
        Column("contexts or items", lambda each: "" if each.kind == "statistic" else str(each.asked)),
        Column("reliability", lambda each: "" if each.reliability is None else f"{each.reliability:.2f}"),
    )
    few = any(each.groups < FEWEST_GROUPS for each in found.agreements)
    rough = any(each.rough for each in found.agreements)
    notes = [
        "r: Pearson's, over groups; its interval: for other groups of the kind (bootstrap); ranks: Spearman's",
        "corrected: r as if neither way had noise; it may exceed 1, and its interval takes reliabilities as known",
        *([f"in brackets: fewer than {RankAgreement.ENOUGH} groups, rough"] if rough else []),
        *([f"empty: fewer than {FEWEST_GROUPS} groups in both"] if few else []),
        LIMITS,
    ]
    title = f"Do ways of asking agree on {found.to}? {found.topic}"
    first = table(title, pairs, found.agreements, names=2, notes=notes, warnings=warned(found.warnings))
    return [first, table("Ways of asking", ways, found.ways, names=2, notes=[RELIABILITY]), _groups(found, show)]


def _ends(low: float | None, high: float | None, each: WayAgreement) -> str:
    ends = between(low, high, 2)
    return f"({ends})" if ends and each.rough else ends


def _groups(found: AskingComparison, show: int) -> Section:
    """The groups of the first run, from the one that it ties most to the class."""
    of_way = {way.name: {each.group: each.value for each in found.values if each.way == way.name} for way in found.ways}
    first = next(iter(of_way.values()))
    groups = sorted(first, key=lambda group: -first[group])

    def column(name: str, known: Mapping[str, float]) -> Column[str]:
        return Column(name, lambda group: decimals(known[group], places=3)[0] if group in known else "")

    columns = [Column[str]("group", str), *(column(*each) for each in of_way.items())]
    return table("Groups", columns, both_ends(groups, show, counted_gap), names=1)


@dataclass(frozen=True, eq=False)
class Asking:
    """What one way of asking says of groups, in each context or item."""

    kind: Kind
    name: str
    model: str
    groups: tuple[str, ...]
    values: FloatArray  # (X, C); NaN: not asked
    weights: FloatArray  # (C,)
    origins: IntArray  # (C,); contexts of one origin are in one half

    def means(self, weights: FloatArray) -> FloatArray:
        """Return the mean of each group by each of S weights of contexts, (S, C), shape (S, X); NaN: it has none."""
        there = ~np.isnan(self.values)
        total = weights @ there.T
        summed = weights @ np.where(there, self.values, 0.0).T
        means: FloatArray = np.divide(summed, total, out=np.full(total.shape, np.nan), where=total > 0.0)
        return means

    @cached_property
    def mean(self) -> dict[str, float]:
        """The mean of each group that has one."""
        found = zip(self.groups, self.means(self.weights[np.newaxis])[0].tolist(), strict=True)
        return {name: value for name, value in found if not np.isnan(value)}

    @cached_property
    def _halves(self) -> tuple[FloatArray, FloatArray]:
        first = halves(np.bincount(self.origins, self.weights).astype(np.float64))[:, self.origins]
        return self.means(first * self.weights), self.means(~first * self.weights)

    def reliability(self, groups: Sequence[str], level: float) -> float | None:
        """Return the split-half reliability over these groups; None: there are too few, or too few contexts."""
        if self.kind == "statistic":
            return 1.0
        fewest = FEWEST_CONTEXTS if self.kind == "run" else 2
        if len(groups) < FEWEST_GROUPS or len(set(self.origins.tolist())) < fewest:
            return None
        places = [self.groups.index(name) for name in groups]
        first, second = (half[:, places] for half in self._halves)
        found = split_half(first, second, level)
        return None if found is None else found.mean


def compare_asking(
    sources: Sequence[PathLike[str] | str],
    config: AnalysisConfig | None = None,
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
) -> AskingComparison:
    """Correlate over groups what runs, benchmarks and statistics say of the same groups.

    Args:
        sources: Folders of runs and of answers to benchmarks, or folders that hold them; statistics of the topic and
            tables (FILE or FILE:COLUMN). If no statistic is named, the shares of classes that the topic has.
        config: Choices of the analysis of runs, where they are not the runs' own.
        plugins: Plugins that define criteria and read files; None: the installed ones.
        preferred: Plugins whose criterion is used if neither ``config`` nor a run names one.

    Raises:
        BvfError: There is no run, a source is nothing of this kind, or there is nothing to compare.
    """
    available, chosen = plugins or load(), config or AnalysisConfig()
    given = [fspath(each) for each in sources]
    named = [each for each in given if not Path(each).exists() or each.endswith(TABLE_ENDINGS)]
    folders, files = _found([Path(each) for each in given if each not in named], available)
    if not folders:
        raise BvfError("--by asking: no folder has a run", "name one that bvf run wrote, too")
    studies = [Figures.of_run(folder, chosen, available, preferred).study for folder in folders]
    asked = studies[0].measurement.record.asked
    shares = {name: each.share_of for name, each in asked.statistics.items() if each.share_of}
    to = next(iter(shares.values()), studies[0].predictions.classes[0])
    askings = [_of_run(folder, study, to) for folder, study in zip(folders, studies, strict=True)]
    for file in files:
        reported = read_reported(file, available)
        askings += _of_benchmark(file, reported.title, reported.group_figures(), to)
    askings += [_of_statistic(each, asked) for each in named or shares]
    facts = [(each.model, "" if each.kind == "statistic" else str(number)) for number, each in enumerate(askings, 1)]
    names = distinct_names([each.name for each in askings], facts)
    askings = [replace(each, name=name) for each, name in zip(askings, names, strict=True)]
    level = studies[0].choices.level
    if len(askings) < 2:
        raise BvfError("--by asking: one way of asking has nothing to agree with", "name a second run, or a benchmark")
    return AskingComparison(
        topic=asked.topic,
        to=to,
        level=level,
        ways=tuple(_way(each, level) for each in askings),
        agreements=tuple(_agreement(*both, level) for both in combinations(askings, 2)),
        values=tuple(
            WayValue(way=each.name, group=group, value=value) for each in askings for group, value in each.mean.items()
        ),
        warnings=tuple(
            f"{each.measurement.run_name}: {why}"
            for each in studies
            for why in warnings_of(each.measurement, each.predictions.asked)
        ),
    )


def _found(sources: Sequence[Path], plugins: Plugins) -> tuple[list[Path], list[Path]]:
    """The folders of runs, and the files of plugins, in the sources or in folders below them."""
    folders, files = list[Path](), list[Path]()
    for source in sources:
        file = reported_in(source, plugins)
        entries = source.glob("*") if file is None else ()
        inner = sorted(each for each in entries if each.is_dir() and not each.is_symlink())
        below = [each for each in (file, *(reported_in(folder, plugins) for folder in inner)) if each is not None]
        files += below
        try:
            folders += folders_of_runs(source) if file is None else []
        except BvfError as error:
            if not below:
                hint = "name folders that bvf run or bvf factors run wrote; an older one: run the same command again"
                raise BvfError(f"{source}: neither a run nor answers to a benchmark", hint) from error
    return list(dict.fromkeys(folders)), list(dict.fromkeys(files))


def _of_run(folder: Path, study: Study, to: str) -> Asking:
    read, record = study.predictions, study.measurement.record
    if not isinstance(study.choices.criterion, Criterion):
        raise BvfError(f"{folder}: is about knowledge, which leans to no class", "name runs of one topic")
    if to not in read.classes:
        raise BvfError(f'{folder}: has no class "{to}"', "name runs of one topic: other classes are another question")
    groups = tuple(name.casefold() for name in read.group_names)
    values = (read.unclipped + read.apart)[..., read.classes.index(to)]
    return Asking("run", folder.name, record.model.name, groups, values, read.context_weights, halved_together(read))


def _of_benchmark(file: Path, title: str, figures: Sequence[ReportedGroup], to: str) -> Iterator[Asking]:
    """How each model treats the groups of a benchmark that have two items or more."""
    known = [each for each in figures if to in each.to and len(each.values) > 1]
    if not known:
        raise BvfError(
            f"{file}: its items do not say how a group is tied to {to}",
            "Winogender and WinoBias do; older answers: run the same command of bvf factors run again",
        )
    for model in dict.fromkeys(each.model for each in known):
        rows = [each for each in known if each.model == model]
        values = np.array(list(zip_longest(*(each.values for each in rows), fillvalue=np.nan))).T
        groups = tuple(each.group.casefold() for each in rows)
        yield Asking("benchmark", title, model, groups, values, np.ones(values.shape[1]), np.arange(values.shape[1]))


def _of_statistic(choice: str, asked: Asked) -> Asking:
    is_table = choice.endswith(TABLE_ENDINGS) or choice.rpartition(":")[0].endswith(TABLE_ENDINGS)
    if choice not in asked.statistics and not is_table:
        hint = nearest(choice, list(asked.statistics)) if asked.statistics else "name a folder of a run"
        raise BvfError(f"{choice}: neither a folder nor a statistic of {asked.topic}", hint)
    known = known_of(choice, asked)
    values = {group.casefold(): value for group, value in known.values.items() if value is not None}
    column = np.array(list(values.values()), dtype=np.float64)[:, np.newaxis]
    return Asking("statistic", known.factor.label, "", tuple(values), column, np.ones(1), np.zeros(1, dtype=np.int64))


def _way(each: Asking, level: float) -> Way:
    return Way(
        name=each.name,
        kind=each.kind,
        model=each.model,
        groups=len(each.mean),
        asked=each.values.shape[1],
        reliability=each.reliability(list(each.mean), level),
    )


def _agreement(one: Asking, other: Asking, level: float) -> WayAgreement:
    shared = [name for name in one.mean if name in other.mean]
    known = WayAgreement(first=one.name, second=other.name, groups=len(shared))
    x, y = (np.array([each.mean[name] for name in shared]) for each in (one, other))
    found = correlated(x, y, level) if len(shared) >= FEWEST_GROUPS else None
    if found is None:
        return known
    fields = {"correlation": found.value, "low": found.low, "high": found.high, "ranks": found.ranks}
    factor = noise_factor(one.reliability(shared, level), other.reliability(shared, level))
    if factor is not None:
        ends = {f"corrected_{end}": fields[end] * factor for end in ("low", "high")}
        fields |= {"corrected": found.value * factor, **ends}
    return known.model_copy(update={**fields, "rough": len(shared) < RankAgreement.ENOUGH})
