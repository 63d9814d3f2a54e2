"""Tables for spreadsheets, and rows of controls: every field is a column, or every figure is a row."""

from collections.abc import Callable, Mapping, Sequence
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from pydantic import BaseModel

from bvf import BvfError, Interval, Result, ResultBase
from bvf.domain import types_in
from bvf.errors import nearest
from bvf.interfaces import Quantity
from bvf.results import ControlResult, measured_in, of_risk
from bvf.tables import BY_FIELD, frame_as_csv
from bvf_report.export.names import in_a_cell, public_model, without_folder
from bvf_report.export.runs import check_together, model_figures

if TYPE_CHECKING:
    import pandas as pd

RATIO = Quantity("ratio", "ratio", "", "R of the topic over R of the control")
DIFFERENCE = Quantity("difference", "difference", "", "R of the topic less R of the control")
APART_RATIO = Quantity("apart_ratio", "ratio of apart", "", "How far groups are apart in the topic, over the control")
OF_CONTROLS = (*Result.exported[:3], RATIO, DIFFERENCE, BY_FIELD["apart"], APART_RATIO)
"""The columns of a table for a paper."""
FIELDS = (
    *("R", "R_bias", "R_volatility", "particular_bias", "apart"),
    *(f"{of}{how}" for of in ("", "bias_", "particular_bias_", "apart_") for how in ("ratio", "difference")),
)
"""The columns of a spreadsheet; the two ends of its interval follow each."""
Table = Literal["models", "groups", "controls", "figures"]
TABLES: tuple[Table, ...] = get_args(Table)
ENDS = ("low", "high", "cross_fit")
OF_A_RUN = ("topic", "language", "contexts", "criterion", "reference", "scale")
"""Columns of the table of figures that say how they were measured."""
KEY = ("model", "measurement")
"""Columns of every table that say from which run a row is."""
PUBLISHED: Mapping[str, Callable[[str], str]] = {
    **dict.fromkeys(("model", "contexts", "reference", "group_weights"), without_folder),
    "model_path": public_model,
}
"""Functions that turn fields that may hold paths into what is published."""
SCALARS = (str, int, float, bool, NoneType)


def studies_of(results: Sequence[ResultBase]) -> list[Result]:
    """Return the results that have controls."""
    studies = [result for result in of_risk(results) if result.controls]
    if not studies:
        raise BvfError("--table controls: none of these runs has controls", "bvf run --controls asks them too")
    return studies


def of_topic(study: Result) -> dict[str, float | str | None]:
    """Return the warnings of a run, and its figures that are compared with those of its controls."""
    of_study = {f"{name}_of_topic": getattr(study, name) for name in ("R", "R_bias", "R_volatility", "particular_bias")}
    return {**of_study, "apart_of_topic": study.apart, "warnings_of_topic": in_a_cell(study.warnings)}


def control_row(control: ControlResult) -> dict[str, Any]:
    """Return the figures of a control by name, the ends of each interval, and its warnings."""
    row: dict[str, Any] = {"control": control.topic}
    row |= {name: getattr(control, name) for name in ("contexts", "number_of_contexts", "same_contexts", "classes")}
    for name in FIELDS:
        row[name] = getattr(control, name)
        row[f"{name}_low"], row[f"{name}_high"] = control.intervals.get(name, (None, None))
    row["warnings"] = in_a_cell(control.warnings)
    return row


def csv_text(results: Sequence[ResultBase], table: Table = "models") -> str:
    """Return `model_table`, `group_table`, `control_table` or `figure_table` as CSV: UTF-8, commas, line feeds.

    Numbers have all their digits, and a missing value is an empty cell. A text that begins with ``=``, ``+``, ``-`` or
    ``@`` has an apostrophe before it, so that no spreadsheet runs it; control characters are written out.
    """
    check_table(table)
    tables = {"models": model_table, "groups": group_table, "controls": control_table, "figures": figure_table}
    return frame_as_csv(tables[table](results))


def check_table(table: str) -> None:
    """Raise `BvfError` if there is no table with this name."""
    if table not in TABLES:
        raise BvfError(f'table is "{table}"', nearest(table, list(TABLES)))


def model_table(results: Sequence[ResultBase]) -> "pd.DataFrame":
    """Return a data frame with a row per result: every field that is one value, and its warnings. Figures come first.

    The fields of ``candidate_mass``, ``uncertainty`` and ``texts`` are columns that begin with these words. After a
    figure ``NAME`` come ``NAME_low``, ``NAME_high`` and ``NAME_cross_fit`` where some result has an interval of it.
    """
    check_together(results)
    figures = [figure.field for figure in model_figures(results)]
    unknown = {each.field for each in results[0].exported if each.is_unknown(results)}
    rows = [
        {
            **{name: value for name, value in _scalars(result).items() if name not in unknown},
            **{f"candidate_mass_{name}": value for name, value in _scalars(result.candidate_mass).items()},
            **{f"uncertainty_{name}": value for name, value in _scalars(result.uncertainty).items()},
            **_of_texts(result),
            "warnings": in_a_cell(result.warnings),
        }
        for result in results
    ]
    return _frame(rows, [result.uncertainty.intervals for result in results], first=figures)


def _of_texts(result: ResultBase) -> dict[str, Any]:
    """How many texts were read, and how many were not for each reason; by class, what was expected and is added."""
    if result.texts is None:
        return {}
    columns = {**_scalars(result.texts), "unread": sum(result.texts.unread.values())}
    for name, (first, added) in result.texts.expected.items():
        columns |= {f"expected_{name}": first, f"added_{name}": added}
    return {f"texts_{name}": value for name, value in columns.items()}


def group_table(results: Sequence[ResultBase]) -> "pd.DataFrame":
    """Return a row per result and group: model, measurement, `Result.to_frame`, intervals, warnings."""
    check_together(results)
    rows: list[dict[str, Any]] = []
    for result in results:
        frame = result.to_frame().astype(object)
        for row in frame.where(frame.notna(), None).to_dict("records"):
            single = {str(name): value for name, value in row.items() if isinstance(value, SCALARS)}
            rows.append({**key_of(result), **single, "warnings": in_a_cell(result.warnings)})
    return _frame(rows, [group.intervals for result in results for group in result.groups])


def control_table(results: Sequence[ResultBase]) -> "pd.DataFrame":
    """Return a data frame with a row per result and control: model, measurement, topic, figures of `ControlResult`."""
    check_together(results)
    rows = [
        {**key_of(study), "topic": study.topic, **of_topic(study), **control_row(control)}
        for study in studies_of(results)
        for control in study.controls
    ]
    return _frame(rows, [])


def figure_table(results: Sequence[ResultBase]) -> "pd.DataFrame":
    """Return a data frame with a row per result and figure, the long form of `model_table`.

    Its columns are those of every table, `OF_A_RUN`, ``figure`` (the name of the field), ``value``, ``low`` and
    ``high`` (missing without an interval), ``level``, and the warnings of the result.
    """
    check_together(results)
    rows = [
        {
            **key_of(result),
            **{name: value for name, value in _scalars(result).items() if name in OF_A_RUN},
            "figure": name,
            "value": getattr(result, name),
            "low": getattr(result.uncertainty.intervals.get(name), "low", None),
            "high": getattr(result.uncertainty.intervals.get(name), "high", None),
            "level": result.uncertainty.level,
            "warnings": in_a_cell(result.warnings),
        }
        for result in results
        for name in dict.fromkeys([*(figure.field for figure in model_figures(results)), *measured_in(result)])
        if getattr(result, name, None) is not None
    ]
    return _frame(rows, [])


def key_of(result: ResultBase) -> dict[str, str]:
    """Return the columns that identify the run in a row of a table: the model, and the measurement's digest."""
    return {"model": without_folder(result.model), "measurement": result.measurement}


def _scalars(part: BaseModel) -> dict[str, Any]:
    """The single-valued fields of a pydantic model, by their names in JSON."""
    values = {
        info.alias or name: getattr(part, name)
        for name, info in type(part).model_fields.items()
        if all(get_origin(each) is Literal or each in SCALARS for each in types_in(info.annotation))
    }
    return {name: PUBLISHED[name](value) if name in PUBLISHED else value for name, value in values.items()}


def _frame(
    rows: Sequence[Mapping[str, Any]], intervals: Sequence[Mapping[str, Interval]], first: Sequence[str] = ()
) -> "pd.DataFrame":
    import pandas as pd

    names = list(dict.fromkeys([*KEY, *first, *(name for row in rows for name in row)]))
    with_interval = {name for each in intervals for name in each}
    columns: dict[str, Any] = {}
    for name in names:
        columns[name] = _column([row.get(name) for row in rows])
        if name in with_interval:
            for end in ENDS:
                columns[f"{name}_{end}"] = _column([getattr(each.get(name), end, None) for each in intervals])
    return pd.DataFrame(columns)


def _column(values: Sequence[Any]) -> Any:
    """Values as a column for pandas. Its type is that of the values that are not missing."""
    import pandas as pd

    present = [value for value in values if value is not None]
    kinds = set(map(type, present))
    if len(present) == len(values) or not present:
        return pd.Series(values, dtype=None if present else float)
    if kinds == {bool}:
        return pd.array(list(values), dtype="boolean")
    if kinds == {int}:
        return pd.array(list(values), dtype="Int64")
    return pd.Series(values)
