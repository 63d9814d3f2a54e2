"""The tables of a study and its controls, and a sentence that compares them."""

from collections.abc import Iterator, Sequence

from bvf.analyses.risk.controls.result import ControlResult
from bvf.analyses.risk.result import Result
from bvf.interfaces.analysis import Section
from bvf.results.method import percent
from bvf.tables.words import NOTHING, adding_up, between, counted, decimals, shortened

COLUMNS = ("topic", "classes", "R", "R^b", "R^v", "particular", "apart")
FIGURES = ("R", "R_bias", "R_volatility", "particular", "apart")
BESIDE = {"": "R", "bias_": "R^b", "particular_": "particular", "apart_": "apart"}
"""The names of the figures that are compared, by the prefix of the fields of their ratio and difference."""
LEGEND = (
    "A control is a topic in which nobody expects a stereotype, asked of the same groups. Some words are likelier than "
    "others whatever the group is, so R of a control is not 0. particular and apart: what sets groups apart from what "
    "all share, by the criterion, which depends on the number of classes, and by the total variation, 0 to 1 for any."
)
OF_BOTH = (
    "difference: of {topic} less that of the control; ratio: the one over the other. Topics with another number of "
    "classes are held against each other by apart, not by particular"
)


def control_sections(result: Result) -> list[Section]:
    """Return the figures of a study and of each of its controls, and those of the study beside each of theirs."""
    return [_figures(result), _beside_each(result)]


def _figures(result: Result) -> Section:
    level = percent(result.uncertainty.level)
    intervals = {name: (each.low, each.high) for name, each in result.uncertainty.intervals.items()}
    rows = [
        (
            shortened(result.topic),
            str(len(result.groups[0].mean_probabilities)),
            *adding_up(result.R, result.R_volatility),
            *decimals(result.particular, apart_of(result)),
        ),
        *_ends(intervals, level),
    ]
    for control in result.controls:
        figures = adding_up(control.R, control.R_volatility)
        classes = "" if control.classes is None else str(control.classes)
        rows.append((shortened(control.topic), classes, *figures, *decimals(control.particular, control.apart)))
        rows += _ends(control.intervals, level)
    title = f"{result.model}: {result.topic} beside {counted(len(result.controls), 'control')}"
    warnings = [f"WARNING: control {each.topic}: {said}" for each in result.controls for said in each.warnings]
    return Section(title, COLUMNS, rows, said=beside_controls(result), notes=[LEGEND], warnings=warnings)


def _beside_each(result: Result) -> Section:
    rows = [
        (shortened(control.topic), called, *_cells(control, f"{prefix}difference"), *_cells(control, f"{prefix}ratio"))
        for control in result.controls
        for prefix, called in BESIDE.items()
        if getattr(control, f"{prefix}difference") is not None
    ]
    return Section(
        f"{result.model}: how far {result.topic} is from each control",
        ("control", "of", "difference", "interval", "ratio", "interval"),
        rows,
        names=2,
        notes=[OF_BOTH.format(topic=result.topic), *_notes(result)],
    )


def _cells(control: ControlResult, name: str) -> tuple[str, str]:
    """The cells of a figure and its interval, as far as they are known."""
    ends, value = control.intervals.get(name), getattr(control, name)
    places = 2 if name.endswith("ratio") else 4
    return decimals(value, places=places)[0], "" if ends is None else between(*ends, places=places)


def apart_of(result: Result) -> float | None:
    """Return how far groups are apart in a study with controls: the mean total variation from the mean over groups."""
    apart = (
        control.apart + control.apart_difference
        for control in result.controls
        if control.apart is not None and control.apart_difference is not None
    )
    return next(apart, None)


def beside_controls(result: Result) -> list[str]:
    """Return how R of a study, and what sets its groups apart, compare with those of each control, a sentence each."""
    return [_beside(result, control) for control in result.controls]


def _beside(result: Result, control: ControlResult) -> str:
    level = percent(result.uncertainty.level)
    said = f"R of {result.topic} is {_stands(control, '', level, f'that of the control {control.topic}')}"
    if control.apart_difference is not None:
        said += f"; how far groups are apart is {_stands(control, 'apart_', level, 'that of the control')}"
    if "difference" not in control.intervals:
        said += " (in these contexts; nobody can tell what other texts would give)"
    return said


def _stands(control: ControlResult, prefix: str, level: str, whose: str) -> str:
    """How a figure compares with that of a control; decided where there is an interval."""
    name = f"{prefix}difference"
    difference, ends = getattr(control, name), control.intervals.get(name)
    if ends is None:
        return f"{_told(difference)} {whose}"
    low, high = ends
    where = "above" if low > NOTHING else "below" if high < -NOTHING else ""
    by = f"{decimals(difference)[0]} ({level}: {between(low, high)})"
    return f"{where} {whose}, by {by}" if where else f"not told apart from {whose}: it differs by {by}"


def _told(difference: float) -> str:
    if abs(difference) < NOTHING:
        return "the same as"
    return f"{decimals(abs(difference))[0]} {'more' if difference > 0 else 'less'} than"


def _ends(intervals: dict[str, tuple[float, float]], level: str) -> list[tuple[str, ...]]:
    """Both ends of the intervals, for the line below a row; nothing where there are none."""
    ends = [intervals.get(name) for name in FIGURES]
    if not any(ends):
        return []
    return [
        (f"{level} {word}", "", *decimals(*(None if each is None else each[place] for each in ends)))
        for place, word in enumerate(("from", "to"))
    ]


def _notes(result: Result) -> list[str]:
    notes = list[str]()
    for control in result.controls:
        whose = "of the study" if control.same_contexts else f"of its own ({control.contexts})"
        why = f"; no interval of its own, and its figures are taken as they are: {control.undefined}"
        notes.append(
            f"{control.topic}: asked in {counted(control.number_of_contexts, 'context')} {whose}"
            f"{why if control.undefined else ''}"
        )
    if not all(control.same_contexts for control in result.controls):
        notes.append("nothing says that the words of a control fit other contexts than those that its topic names")
    perhaps = [each for control in result.controls for each in _as_templates(control)]
    return [*notes, *([f"with other templates of both kinds, perhaps: {'; '.join(perhaps)}"] if perhaps else [])]


def _as_templates(control: ControlResult) -> Iterator[str]:
    for prefix, called in BESIDE.items():
        kinds = [f"{name} {between(*ends, places=places)}" for name, places, ends in _kinds(control, prefix)]
        if kinds:
            yield f"{control.topic} {called} {', '.join(kinds)}"


def _kinds(control: ControlResult, prefix: str) -> Sequence[tuple[str, int, tuple[float, float]]]:
    return [
        (name, places, control.as_templates[f"{prefix}{name}"])
        for name, places in (("ratio", 2), ("difference", 4))
        if f"{prefix}{name}" in control.as_templates
    ]
