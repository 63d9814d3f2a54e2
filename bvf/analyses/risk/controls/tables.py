"""Tables of a run and its control topics, and sentences that compare them."""

from collections.abc import Sequence
from typing import Any

from bvf.analyses.risk.controls.result import ControlResult
from bvf.analyses.risk.result import Result
from bvf.interfaces.section import Section
from bvf.results.columns import PLACES
from bvf.results.result import name_of
from bvf.results.sections import with_ends
from bvf.study.study import RISK
from bvf.tables.columns import Column, figure, table
from bvf.tables.quantities import symbol
from bvf.tables.words import NOTHING, between, counted, decimals, in_a_list, percent, shortened, warned

COMPARED = {
    "": symbol("R"),
    "bias_": symbol("R_bias"),
    "particular_bias_": symbol("particular_bias"),
    "apart_": symbol("apart"),
}
"""Symbols of the compared figures, by the prefix of the names of their fields ``ratio`` and ``difference``."""
CALLED = {
    "": f"{symbol('R')} of {{topic}}",
    "bias_": f"{symbol('R_bias')} of {{topic}}",
    "apart_": "how far groups are apart by {topic}",
}
"""The figures that sentences compare, by the same prefixes; another number of classes changes particular R^b."""
_Pair = tuple[ControlResult, str]
"""A control, and the prefix of a figure in `COMPARED`."""
LEGEND = (
    "A control is a topic without a known stereotype, asked of the same groups. Some words are likelier than "
    "others whatever the group is, so R of a control is not 0. apart: how far groups are apart on average (total "
    "variation, cross-fit in a sample of contexts), 0 to 1 for any number of classes; particular R^b: the same by the "
    "criterion, not cross-fit, which depends on that number."
)


def control_sections(result: Result) -> list[Section]:
    """Return a table of figures of a run and its controls, and a table of their differences and ratios."""
    return [_figures(result), _beside_each(result)]


def _figures(result: Result) -> Section:
    studies: Sequence[Result | ControlResult] = (result, *result.controls)
    columns: list[Column[Any]] = [
        Column("topic", lambda study: shortened(study.topic)),
        Column("classes", _classes),
        *map(figure, RISK),
        figure("particular_bias"),
        figure("apart"),
    ]
    section = table(
        f"{name_of(result)}: {result.topic} beside {counted(len(result.controls), 'control')}",
        columns,
        studies,
        subtitle=beside_controls(result),
        notes=[LEGEND],
        warnings=warned(
            f"{name_of(result)}: control {each.topic}: {warning}"
            for each in result.controls
            for warning in each.warnings
        ),
    )
    intervals = {name: (each.low, each.high) for name, each in result.uncertainty.intervals.items()}
    first, *others = (each.intervals for each in result.controls)
    apart = {"apart": first["apart_in_topic"]} if "apart_in_topic" in first else {}
    of_each = [intervals | apart, first, *others]
    ends = [{symbol(name): both for name, both in each.items()} for each in of_each]
    return with_ends(section, ends, [percent(result.uncertainty.level)] * len(studies))


def _classes(study: Result | ControlResult) -> str:
    number = study.classes if isinstance(study, ControlResult) else len(study.groups[0].mean_probabilities)
    return "" if number is None else str(number)


def _beside_each(result: Result) -> Section:
    columns: list[Column[_Pair]] = [
        Column("control", lambda pair: shortened(pair[0].topic)),
        Column("of", lambda pair: COMPARED[pair[1]]),
        *_compared("difference", PLACES),
        *_compared("ratio", 2),
    ]
    rows = [(control, prefix) for control in result.controls for prefix in COMPARED if _is_known(control, prefix)]
    note = (
        f"difference: of {result.topic} less that of the control; ratio: the one over the other. Topics with another "
        "number of classes are compared by apart, not by particular R^b"
    )
    title = f"{name_of(result)}: how far {result.topic} is from each control"
    return table(title, columns, rows, names=2, notes=[note, *_notes(result)])


def _compared(name: str, places: int) -> list[Column[_Pair]]:
    """The column of a difference or ratio (``name``), and the column of its interval.

    Unknown values are empty cells.
    """

    def value(pair: _Pair) -> str:
        return decimals(getattr(pair[0], f"{pair[1]}{name}"), places=places)[0]

    def interval(pair: _Pair) -> str:
        low, high = pair[0].intervals.get(f"{pair[1]}{name}", (None, None))
        return between(low, high, places)

    return [Column(name, value), Column("interval", interval)]


def beside_controls(result: Result) -> list[str]:
    """Return a sentence per control that compares the study with it in R, in R^b, and in how much groups differ."""
    return [_joined(result, control, list(CALLED)) for control in result.controls]


def against_controls(result: Result, prefix: str) -> list[str]:
    """Return a sentence per control that compares one figure, which `CALLED` has under its prefix."""
    sentences = (_joined(result, control, [prefix]) for control in result.controls)
    return [f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences if sentence]


def _joined(result: Result, control: ControlResult, prefixes: Sequence[str]) -> str:
    """The comparisons with a control as one sentence; figures that are undefined are left out."""
    level, defined = percent(result.uncertainty.level), [each for each in prefixes if _is_known(control, each)]
    whose = [f"that of the control {control.topic}", *["that of the control"] * (len(defined) - 1)]
    sentence = "; ".join(
        f"{CALLED[prefix].format(topic=result.topic)} is {_stands(control, prefix, level, name)}"
        for prefix, name in zip(defined, whose, strict=False)
    )
    if defined and f"{defined[0]}difference" not in control.intervals:
        sentence += " (in these contexts; what other texts would give is not known)"
    return sentence


def _is_known(control: ControlResult, prefix: str) -> bool:
    return getattr(control, f"{prefix}difference") is not None


def _stands(control: ControlResult, prefix: str, level: str, whose: str) -> str:
    """A phrase on whether a figure of the run is above or below that of a control, or neither by its interval."""
    name = f"{prefix}difference"
    difference, ends = getattr(control, name), control.intervals.get(name)
    if ends is None and abs(difference) < NOTHING:
        return f"the same as {whose}"
    if ends is None:
        return f"{decimals(abs(difference))[0]} {'more' if difference > 0 else 'less'} than {whose}"
    low, high = ends
    where = "above" if low > NOTHING else "below" if high < -NOTHING else ""
    if where == "below":
        difference, low, high = -difference, -high, -low
    by = f"{decimals(difference)[0]} ({level}: {between(low, high)})"
    return f"{where} {whose}, by {by}" if where else f"not significantly different from {whose}: the difference is {by}"


def _notes(result: Result) -> list[str]:
    """Sentences on the contexts of the controls: one per kind of contexts."""
    alike = dict[str, list[str]]()
    for control in result.controls:
        same, why = control.same_contexts, control.undefined
        where = "asked in contexts of the study" if same else "asked in contexts of its own, which its words fit"
        where += f"; no interval ({why}): for differences, they count as a sample of their kind" if why else ""
        alike.setdefault(where, []).append(f"{control.topic} ({counted(control.number_of_contexts, 'context')})")
    return [f"{in_a_list(controls)}: {where}" for where, controls in alike.items()]
