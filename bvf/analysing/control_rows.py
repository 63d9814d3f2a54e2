"""The table of a study and its controls, and how it stands to them in a sentence."""

from collections.abc import Sequence

from bvf.analysing.control import ControlResult
from bvf.analysing.formatting import NOTHING, adding_up, between, counted, decimals, shortened
from bvf.analysing.method import percent
from bvf.analysing.result import Result
from bvf.interfaces.analysis import Section

COLUMNS = ("topic", "R", "R^b", "R^v", "ratio", "difference")
FIGURES = ("R", "R_bias", "R_volatility")
OF_STUDY = ("ratio", "difference")
LEGEND = (
    "A control is a topic in which nobody expects a stereotype, asked of the same groups. ratio and difference: R of "
    "{topic} over R of the control, and less it. Some words are likelier than others whatever the group is, so R of a "
    "control is not 0."
)


def control_section(result: Result) -> Section:
    """Return R, R^b and R^v of a study and of each of its controls, and the study's R beside each of theirs."""
    level = percent(result.uncertainty.level)
    own = {name: (each.low, each.high) for name, each in result.uncertainty.intervals.items()}
    rows = [
        (shortened(result.topic), *adding_up(result.R, result.R_volatility), "", ""),
        *_ends(own, FIGURES, level),
    ]
    for control in result.controls:
        figures = adding_up(control.R, control.R_volatility)
        rows.append((shortened(control.topic), *figures, *decimals(control.ratio, control.difference)))
        rows += _ends(control.intervals, (*FIGURES, *OF_STUDY), level)
    title = f"{shortened(result.model)}: {result.topic} beside {counted(len(result.controls), 'control')}"
    warnings = [f"WARNING: control {each.topic}: {said}" for each in result.controls for said in each.warnings]
    notes = [LEGEND.format(topic=result.topic), *_notes(result)]
    return Section(title, COLUMNS, rows, said=beside_controls(result), notes=notes, warnings=warnings)


def beside_controls(result: Result) -> list[str]:
    """Return how R of a study stands to R of each control, a sentence each."""
    return [_beside(result, control) for control in result.controls]


def _beside(result: Result, control: ControlResult) -> str:
    level, ends = percent(result.uncertainty.level), control.intervals.get("difference")
    if ends is None:
        here = f"R of {result.topic} is {_told(control)} that of the control {control.topic} in these contexts"
        return f"{here}; nobody can tell what other texts would give"
    low, high = ends
    where = "above" if low > NOTHING else "below" if high < -NOTHING else "not told apart from"
    by = f"{decimals(control.difference)[0]} ({level}: {between(low, high)})"
    if where == "not told apart from":
        return f"R of {result.topic} is {where} that of the control {control.topic}: it differs by {by}"
    return f"R of {result.topic} is {where} that of the control {control.topic}, by {by}"


def _told(control: ControlResult) -> str:
    if abs(control.difference) < NOTHING:
        return "the same as"
    more = "more" if control.difference > 0 else "less"
    return f"{decimals(abs(control.difference))[0]} {more} than"


def _ends(intervals: dict[str, tuple[float, float]], figures: Sequence[str], level: str) -> list[tuple[str, ...]]:
    """Both ends of the intervals below a row; nothing where there is none."""
    found = [intervals.get(name) for name in figures]
    if not any(found):
        return []
    blank = ("",) * (len(COLUMNS) - 1 - len(figures))
    return [
        (f"{level} {word}", *decimals(*(None if each is None else each[place] for each in found)), *blank)
        for place, word in enumerate(("from", "to"))
    ]


def _notes(result: Result) -> list[str]:
    notes = list[str]()
    for control in result.controls:
        whose = "of the study" if control.same_contexts else f"of its own ({control.contexts})"
        why = f"; no interval of its own, and its R is taken as it is: {control.undefined}" if control.undefined else ""
        notes.append(f"{control.topic}: asked in {counted(control.number_of_contexts, 'context')} {whose}{why}")
    if not all(control.same_contexts for control in result.controls):
        notes.append("nothing says that the words of a control fit other contexts than those that its topic names")
    perhaps = [f"{each.topic} {_as_templates(each)}" for each in result.controls if each.as_templates]
    return [*notes, *([f"with other templates of both kinds, perhaps: {'; '.join(perhaps)}"] if perhaps else [])]


def _as_templates(control: ControlResult) -> str:
    found = control.as_templates
    return ", ".join(f"{name} {between(*found[name])}" for name in OF_STUDY if name in found)
