"""Tables of regressions: the slopes, how far they can be trusted, the groups that move them, and who is missing."""

from collections.abc import Sequence

from bvf.analyses.regress.result import Factor, RegressedGroup, Regression, Regressions
from bvf.interfaces.analysis import GROUPS_SHOWN
from bvf.interfaces.section import Section
from bvf.tables.words import counted, decimals, shortened

CALLED = {"r": "r", "r_bias": "r^b", "r_volatility": "r^v"}
SMALLEST_SHOWN, SMALL = 1e-4, 1e-3
WEIGHTS_SAY = (
    "HC3: error of the slope that takes weights for no inverse variances. eff. n: as many groups of equal weight would "
    "say as much."
)


def sections(regressions: Regressions, show: int = GROUPS_SHOWN) -> list[Section]:
    """Return all tables of regressions.

    Args:
        regressions: One or more.
        show: Groups of each, those first without which its slope changes most; 0: all.
    """
    tables = [_slopes(regressions), _checks(regressions)]
    return [*tables, *(_groups(regressions, each, show) for each in regressions.regressions)]


def figure_called(figure: str) -> str:
    """Return what a figure is called.

    >>> figure_called("r_bias"), figure_called("lean:male")
    ('r^b', 'lean to male')
    """
    return CALLED.get(figure) or f"lean to {figure.partition(':')[2]}"


def told_unit(factor: Factor) -> str:
    """Return the unit that a slope is per.

    >>> told_unit(Factor(name="wages", label="weekly wage", unit="$", per=1000, source=""))
    '1,000 $'
    """
    return " ".join(filter(None, (f"{factor.per:,g}" if factor.per != 1 or not factor.unit else "", factor.unit)))


def _slopes(regressions: Regressions) -> Section:
    rows = [
        (
            *_name(regressions, each),
            _shown(each.slope),
            _shown(each.error),
            f"{_shown(each.low)} to {_shown(each.high)}",
            _p(each.adjusted_p),
            each.decision,
        )
        for each in regressions.regressions
    ]
    p_star = "" if regressions.reference == "uniform" else f", p* {regressions.reference}"
    of = f"{regressions.topic} ({regressions.language}), criterion {regressions.criterion}{p_star}"
    names = _names(regressions)
    columns = (*names, "slope", "HC3", f"interval of {regressions.level:.0%}", "Holm p", "")
    return Section(
        f"Social factors: {of}, weights {regressions.weights}",
        columns,
        rows,
        names=len(names),
        said=_said(regressions),
        notes=_notes(regressions),
    )


def _said(regressions: Regressions) -> list[str]:
    return [
        ". ".join(filter(None, (f"{_dated(each)}, slope per {told_unit(each)}", each.source, each.note))) + "."
        for each in regressions.factors
    ]


def _dated(factor: Factor) -> str:
    return f"{factor.name}: {factor.label}" + (f" ({factor.year})" if factor.year else "")


def _notes(regressions: Regressions) -> list[str]:
    undefined = dict.fromkeys(each.undefined for each in regressions.regressions if each.undefined)
    both = any(each.context_error is not None for each in regressions.regressions)
    notes = [f"interval: by HC3 and Student's t with eff. n - 2 degrees of freedom{_and_contexts(both)}."]
    notes += [f"Nothing is said of other contexts: {why}." for why in undefined]
    return [
        *notes,
        f"rises, falls, cannot tell: by p, adjusted by Holm for all {counted(regressions.tests, 'regression')}.",
    ]


def _and_contexts(both: bool) -> str:
    return "; with the error of contexts, which all groups share" if both else ""


def _checks(regressions: Regressions) -> Section:
    rows = [
        (
            *_name(regressions, each),
            str(len(each.groups)),
            *decimals(each.effective, places=1),
            _shown(each.unweighted),
            *_spearman(each),
            _left_out(min(each.groups, key=lambda group: group.without)),
            _left_out(max(each.groups, key=lambda group: group.without)),
        )
        for each in regressions.regressions
    ]
    names = _names(regressions)
    columns = (*names, "groups", "eff. n", "unweighted", "Spearman", "lowest without", "highest without")
    return Section(
        "Can the slope be trusted?", columns, rows, names=len(names), notes=[WEIGHTS_SAY, *_missing(regressions)]
    )


def _left_out(group: RegressedGroup) -> str:
    return f"{_shown(group.without)} ({shortened(group.group, 14)})"


def _spearman(each: Regression) -> tuple[str]:
    if each.spearman is None or each.spearman_p is None:
        return ("",)
    return (f"{each.spearman:+.2f} (p {each.spearman_p:.2f})",)


def _missing(regressions: Regressions) -> list[str]:
    """Who is not matched, in one sentence for all factors that miss the same groups."""
    told = dict[tuple[str, tuple[str, ...]], dict[str, None]]()
    for each in regressions.regressions:
        for why, names in (
            ("no published value", each.unpublished),
            ("not in the table", each.unmatched),
            ("no weight", each.without_weight),
        ):
            if names:
                told.setdefault((why, names), {})[each.factor] = None
    notes = [
        f"{', '.join(factors)}: {why}, {counted(len(names), 'group')}: {', '.join(names)}."
        for (why, names), factors in told.items()
    ]
    strangers = {each.factor: each.strangers for each in regressions.regressions if each.strangers}
    return [
        *notes,
        *(f"{name}: {counted(number, 'name')} of the table {_is_none(number)}." for name, number in strangers.items()),
    ]


def _is_none(number: int) -> str:
    return "is no group" if number == 1 else "are no groups"


def _groups(regressions: Regressions, each: Regression, show: int) -> Section:
    factor = regressions.factor_of(each)
    ordered = sorted(each.groups, key=lambda group: -abs(group.without - each.slope))
    shown = ordered[: show or None]
    glossed = any(group.gloss for group in each.groups)
    rows = [
        (
            group.group,
            *([group.gloss] if glossed else []),
            *decimals(group.x, group.y, group.weight),
            _shown(group.without),
        )
        for group in shown
    ]
    what = f"{figure_called(each.figure)} on {factor.label}{_of_model(regressions, each)}"
    number = f" ({len(shown)} of {len(ordered)})" if len(shown) < len(ordered) else ""
    unit = f", {told_unit(factor)}" if told_unit(factor) != "1" else ""
    names = ("group", "meaning") if glossed else ("group",)
    columns = (*names, f"{factor.label}{unit}", figure_called(each.figure), "weight", "slope without")
    return Section(f"{what}: the groups that move the slope most{number}", columns, rows, names=len(names))


def _of_model(regressions: Regressions, each: Regression) -> str:
    return f", {each.model}" if len({other.model for other in regressions.regressions}) > 1 else ""


def _names(regressions: Regressions) -> tuple[str, ...]:
    return ("model", "figure", "on") if len({each.model for each in regressions.regressions}) > 1 else ("figure", "on")


def _name(regressions: Regressions, each: Regression) -> Sequence[str]:
    what = (figure_called(each.figure), shortened(each.factor, 24))
    return (each.model, *what) if len(_names(regressions)) == 3 else what


def _shown(value: float) -> str:
    """Four decimals, or three digits of what is small."""
    return decimals(value)[0] if abs(value) >= SMALL or value == 0.0 else f"{value:.2e}"


def _p(value: float) -> str:
    return f"<{SMALLEST_SHOWN:g}" if value < SMALLEST_SHOWN else f"{value:.4f}"
