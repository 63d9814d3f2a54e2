"""Regressions on social factors, as `bvf.regress` returns them, and their tables."""

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from bvf import Section
from bvf.domain import Amount, Count, Finite, Level, Record, Scale, Share
from bvf.interfaces import GROUPS_SHOWN
from bvf.results import in_title
from bvf.tables import (
    Column,
    Finding,
    correlation,
    counted,
    decimals,
    legend,
    p_value,
    shortened,
    some_of,
    symbol,
    table,
    warned,
)

if TYPE_CHECKING:
    import pandas as pd

LISTS = {"groups", "unpublished", "unmatched", "without_weight"}
Decision = Literal["rises", "falls", "cannot tell"]
SMALL = 1e-3


class Factor(Record):
    """A factor that figures of groups are regressed on, such as a wage, a share or a word frequency."""

    name: str = Field(description="As --against says it")
    label: str = Field(description="What it is")
    unit: str = Field("", description="Unit of its values; empty: none")
    per: Amount = Field(1.0, description="A slope is per this many of the unit")
    source: str = Field(description="Where its values are from")
    year: Count | None = Field(None, description="The year that they describe; null: not known")
    note: str = Field("", description="What to know about them")


class RegressedGroup(Record):
    """A group of a regression, with its value of the factor, its figure and its weight."""

    group: str
    gloss: str = ""
    x: Finite = Field(description="Its value, in units of ``per``")
    y: Finite = Field(description="Its figure")
    weight: Amount = Field(description="Its share of the weights")
    without: Finite = Field(description="The slope if it is left out")


class Regression(Record):
    """The regression of a figure of groups on a factor, by weighted least squares."""

    model: str
    measurement: str = Field(description="Digest of the identity of its measurement")
    folder: str = Field(description="Where that lies; empty: it was never stored")
    figure: str = Field(
        description="r, r_bias, r_volatility, association:CLASS, how far p is above that of neutral subjects, "
        "lean:CLASS, the mean of p / p* - 1, or that of knowledge"
    )
    factor: str = Field(description="Name of the factor")
    slope: Finite = Field(description="Change of the figure per ``per`` of the factor's unit")
    intercept: Finite
    error: Amount = Field(description="Of the slope: HC2, which takes weights for no inverse variances")
    context_error: Amount | None = Field(
        description="Of the slope, if other contexts of the kind were drawn; null: contexts are no sample"
    )
    undefined: str = Field("", description="Why there is no error of contexts; empty: there is")
    low: Finite = Field(
        description="End of the interval for other groups of the kind, which holds both errors where both are known"
    )
    high: Finite
    low_in_groups: Finite | None = Field(
        None,
        description="End of the interval for the slope of these very groups, which holds the error of contexts alone; "
        "null: contexts are no sample, or the figure is no mean over contexts (r_bias, r_volatility, sampled answers)",
    )
    high_in_groups: Finite | None = None
    freedom: Amount = Field(
        description="Degrees of freedom of its t (Bell, McCaffrey 2002): few where few groups decide the slope"
    )
    p_value: Share = Field(description="Smallest 1 - level at which the interval does not hold 0")
    adjusted_p: Share = Field(description="By Holm, for all regressions")
    decision: Decision = Field(description="By the adjusted p")
    classical_error: Amount = Field(description="If weights were inverse variances, which they are not")
    r_squared: Finite
    unweighted: Finite = Field(description="The slope if all groups weigh the same")
    spearman: Finite | None = Field(description="Rank correlation, unweighted; null: a figure is the same for all")
    spearman_p: Share | None
    effective: Amount = Field(description="Kish's effective number of groups: so many of equal weight say as much")
    groups: tuple[RegressedGroup, ...] = Field(description="The matched groups, in the order of the topic")
    unpublished: tuple[str, ...] = Field(description="Groups that the table has, with no value")
    unmatched: tuple[str, ...] = Field(description="Groups that the table does not have")
    without_weight: tuple[str, ...] = Field(description="Groups with a value and no weight")
    strangers: Count = Field(description="Names in the table that are no groups of the result")


class Regressions(Finding):
    """Regressions for every model, figure and factor, tested as one family."""

    tables: ClassVar[str] = "bvf_insights.regress.result:sections"
    row_fields: ClassVar[tuple[str, ...]] = ("regressions",)
    portable: ClassVar[str] = "bvf_insights.portable:regressions"
    schema_: Literal["bvf.regressions/1"] = Field("bvf.regressions/1", alias="schema")
    topic: str
    language: str
    criterion: str
    scale: Scale
    reference: str
    weights: str = Field(description="What --weights said")
    level: Level
    warnings: tuple[str, ...] = Field(
        (), description="What makes the figures doubtful, one sentence each that begins with the model"
    )
    tests: Count = Field(description="Size of the family: models x figures x factors")
    factors: tuple[Factor, ...]
    regressions: tuple[Regression, ...]

    def factor_of(self, regression: Regression) -> Factor:
        """Return the factor that one of the regressions is on."""
        return next(each for each in self.factors if each.name == regression.factor)

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per regression. Rows have the warnings, and lengths instead of lists."""
        import pandas as pd

        warnings = "; ".join(self.warnings)
        rows = [
            {
                **each.model_dump(exclude=LISTS),
                **{name: len(getattr(each, name)) for name in sorted(LISTS)},
                "warnings": warnings,
            }
            for each in self.regressions
        ]
        return pd.DataFrame(rows)

    def groups_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per regression and matched group."""
        import pandas as pd

        columns = ["model", "figure", "factor", *RegressedGroup.model_fields]
        named = ((each, each.model_dump(include={"model", "figure", "factor"})) for each in self.regressions)
        rows = [{**names, **group.model_dump()} for each, names in named for group in each.groups]
        return pd.DataFrame(rows, columns=columns)


def sections(regressions: Regressions, show: int = GROUPS_SHOWN) -> list[Section]:
    """Return all tables of regressions, with the ``show`` most influential groups of each slope (0: all)."""
    tables = [_slopes(regressions), _checks(regressions)]
    return [*tables, *(_groups(regressions, each, show) for each in regressions.regressions)]


def figure_called(figure: str) -> str:
    """Return the symbol of a figure, or a phrase such as "lean to CLASS".

    >>> figure_called("r_bias"), figure_called("lean:male"), figure_called("association:male")
    ('r^b', 'lean to male', 'association with male')
    """
    name, _, to_class = figure.partition(":")
    return f"{name} {'to' if name == 'lean' else 'with'} {to_class}" if to_class else symbol(name)


def unit_of(factor: Factor) -> str:
    """Return the unit of the factor to which a slope refers.

    >>> unit_of(Factor(name="wages", label="weekly wage", unit="$", per=1000, source=""))
    '1,000 $'
    """
    return " ".join(filter(None, (f"{factor.per:,g}" if factor.per != 1 or not factor.unit else "", factor.unit)))


def _slopes(regressions: Regressions) -> Section:
    model = "" if _of_several_models(regressions) else f"{regressions.regressions[0].model}, "
    of = f"{regressions.topic} ({regressions.language}), {model}{in_title(regressions)}"
    named, interval, decision = _name_columns(regressions), _interval(regressions), _decision(regressions)
    undefined = dict.fromkeys(each.undefined for each in regressions.regressions if each.undefined)
    return table(
        f"Social factors: {of}, weights {regressions.weights}",
        [
            *named,
            Column("slope", lambda each: _shown(each.slope)),
            HC2,
            interval,
            Column("Holm p", lambda each: p_value(each.adjusted_p)),
            decision,
        ],
        regressions.regressions,
        names=len(named),
        subtitle=list(map(_about, regressions.factors)),
        notes=[
            legend([interval]),
            *(f"These slopes say nothing about other contexts: {why}." for why in undefined),
            legend([decision]),
        ],
        warnings=warned(regressions.warnings),
    )


HC2 = Column[Regression](
    "HC2", lambda each: _shown(each.error), "error of the slope that takes weights for no inverse variances"
)


EFFECTIVE = Column[Regression](
    "eff. n", lambda each: decimals(each.effective, places=1)[0], "as many groups of equal weight would say as much"
)


def _name_columns(regressions: Regressions) -> list[Column[Regression]]:
    model = Column[Regression]("model", lambda each: each.model)
    return [
        *([model] if _of_several_models(regressions) else []),
        Column("figure", lambda each: figure_called(each.figure)),
        Column("on", lambda each: shortened(each.factor, 24)),
    ]


def _of_several_models(regressions: Regressions) -> bool:
    return len({each.model for each in regressions.regressions}) > 1


def _interval(regressions: Regressions) -> Column[Regression]:
    both = any(each.context_error is not None for each in regressions.regressions)
    contexts = "; with the error of contexts, which all groups share" if both else ""
    return Column(
        f"interval of {regressions.level:.0%}",
        lambda each: f"{_shown(each.low)} to {_shown(each.high)}",
        "for other groups of the kind, as if these were drawn from them: by HC2 and Student's t with the degrees of "
        f"freedom of Bell and McCaffrey{contexts}",
        term="interval",
    )


def _in_these_groups(regressions: Regressions) -> Column[Regression]:
    return Column(
        "these groups",
        lambda each: (
            ""
            if each.low_in_groups is None
            else f"{_shown(each.low_in_groups)} to {_shown(each.high_in_groups or 0.0)}"
        ),
        f"interval of {regressions.level:.0%} of the slope of these very groups in other contexts",
        optional=True,
    )


def _decision(regressions: Regressions) -> Column[Regression]:
    family = f"by p, adjusted by Holm for all {counted(regressions.tests, 'regression')}"
    return Column("", lambda each: each.decision, family, term="rises, falls, cannot tell")


def _about(factor: Factor) -> str:
    dated = f"{factor.label} ({factor.year})" if factor.year else factor.label
    per = f"{factor.name}: {dated}, slope per {unit_of(factor)}"
    return ". ".join(filter(None, (per, factor.source, factor.note))) + "."


def _checks(regressions: Regressions) -> Section:
    named, here = _name_columns(regressions), _in_these_groups(regressions)
    explained = [HC2, EFFECTIVE, *([here] if any(map(here.text, regressions.regressions)) else [])]
    return table(
        "Can the slope be trusted?",
        [
            *named,
            Column("groups", lambda each: str(len(each.groups))),
            EFFECTIVE,
            here,
            Column("unweighted", lambda each: _shown(each.unweighted)),
            Column("Spearman", _spearman),
            Column("lowest without", lambda each: _left_out(min(each.groups, key=lambda group: group.without))),
            Column("highest without", lambda each: _left_out(max(each.groups, key=lambda group: group.without))),
        ],
        regressions.regressions,
        names=len(named),
        notes=[legend(explained), *_missing(regressions)],
    )


def _left_out(group: RegressedGroup) -> str:
    return f"{_shown(group.without)} ({shortened(group.group, 14)})"


def _spearman(each: Regression) -> str:
    return "" if each.spearman_p is None else f"{correlation(each.spearman)} (p {p_value(each.spearman_p, places=2)})"


def _missing(regressions: Regressions) -> list[str]:
    """Sentences on groups missing from regressions. Factors that lack the same groups share a sentence."""
    missing = dict[tuple[str, tuple[str, ...]], dict[str, None]]()
    for each in regressions.regressions:
        for why, names in (
            ("no value", each.unpublished),
            ("not in the table", each.unmatched),
            ("no weight", each.without_weight),
        ):
            if names:
                missing.setdefault((why, names), {})[each.factor] = None
    notes = [
        f"{', '.join(factors)}: {why}, {counted(len(names), 'group')}: {', '.join(names)}."
        for (why, names), factors in missing.items()
    ]
    strangers = {each.factor: each.strangers for each in regressions.regressions if each.strangers}
    for factor, number in strangers.items():
        are_no_groups = "is not a group" if number == 1 else "are not groups"
        notes.append(f"{factor}: {counted(number, 'name')} of the table {are_no_groups}.")
    return notes


def _groups(regressions: Regressions, each: Regression, show: int) -> Section:
    factor, figure = regressions.factor_of(each), figure_called(each.figure)
    ordered = sorted(each.groups, key=lambda group: -abs(group.without - each.slope))
    shown = ordered[: show or None]
    of_model = f", {each.model}" if _of_several_models(regressions) else ""
    unit = f", {unit_of(factor)}" if unit_of(factor) != "1" else ""
    columns: list[Column[RegressedGroup]] = [
        Column("group", lambda group: group.group),
        Column("meaning", lambda group: group.gloss, optional=True),
        Column(f"{factor.label}{unit}", lambda group: decimals(group.x)[0]),
        Column(figure, lambda group: decimals(group.y)[0]),
        Column("weight", lambda group: decimals(group.weight)[0]),
        Column("slope without", lambda group: _shown(group.without)),
    ]
    title = f"{figure} on {factor.label}{of_model}: the groups that move the slope most"
    return table(f"{title}{some_of(len(shown), len(ordered))}", columns, shown, names=2)


def _shown(value: float) -> str:
    """A number with four decimals, or with three significant digits if it is small."""
    return decimals(value)[0] if abs(value) >= SMALL or value == 0.0 else f"{value:.2e}"
