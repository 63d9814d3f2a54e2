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
from bvf.tables.words import between, counted, decimals, in_a_list, percent, shortened, warned

COMPARED = {
    "": symbol("R"),
    "bias_": symbol("R_bias"),
    "particular_bias_": symbol("particular_bias"),
    "apart_": symbol("apart"),
}
"""Symbols of the compared figures, by the prefix of the names of their fields ``ratio`` and ``difference``."""
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
        subtitle=result.beside_controls,
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
    rows = [(control, prefix) for control in result.controls for prefix in COMPARED if control.knows(prefix)]
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


def against_controls(result: Result, prefix: str) -> list[str]:
    """Return a sentence per control that compares one figure, which `CALLED` has under its prefix."""
    level = result.uncertainty.level
    sentences = (control.sentence(result.topic, level, [prefix]) for control in result.controls)
    return [f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences if sentence]


def _notes(result: Result) -> list[str]:
    """Sentences on the contexts of the controls: one per kind of contexts."""
    alike = dict[str, list[str]]()
    for control in result.controls:
        same, why = control.same_contexts, control.undefined
        where = "asked in contexts of the study" if same else "asked in contexts of its own, which its words fit"
        where += f"; no interval ({why}): for differences, they count as a sample of their kind" if why else ""
        alike.setdefault(where, []).append(f"{control.topic} ({counted(control.number_of_contexts, 'context')})")
    return [f"{in_a_list(controls)}: {where}" for where, controls in alike.items()]
