"""Tables for spreadsheets: every field of a result or of its groups is a column, or every figure is a row."""

from collections.abc import Callable, Mapping, Sequence
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from pydantic import BaseModel

from bvf import BvfError, Interval, ResultBase
from bvf.domain import types_in
from bvf.errors import nearest
from bvf.results import measured_in
from bvf.tables import frame_as_csv, unknown_fields
from bvf_report.export.controls import control_row, of_topic, studies_of
from bvf_report.export.doubts import in_a_cell
from bvf_report.export.figures import check_together, model_figures
from bvf_report.export.names import public_model, without_folder

if TYPE_CHECKING:
    import pandas as pd

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

    The fields of ``candidate_mass`` and ``uncertainty`` are columns that begin with these words. After a figure
    ``NAME`` come ``NAME_low``, ``NAME_high`` and ``NAME_cross_fit`` where some result has an interval of it.
    """
    check_together(results)
    figures = [figure.field for figure in model_figures(results)]
    unknown = unknown_fields(results[0].exported, results)
    rows = [
        {
            **{name: value for name, value in _scalars(result).items() if name not in unknown},
            **{f"candidate_mass_{name}": value for name, value in _scalars(result.candidate_mass).items()},
            **{f"uncertainty_{name}": value for name, value in _scalars(result.uncertainty).items()},
            "warnings": in_a_cell(result.warnings),
        }
        for result in results
    ]
    return _frame(rows, [result.uncertainty.intervals for result in results], first=figures)


def group_table(results: Sequence[ResultBase]) -> "pd.DataFrame":
    """Return a data frame with a row per result and group: the columns of `bvf.Result.to_frame`, and intervals.

    Model and measurement come before these columns, and the warnings of the result after them.
    """
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
    fields = type(part).model_fields.items()
    values = {info.alias or name: getattr(part, name) for name, info in fields if _is_scalar(info.annotation)}
    return {name: PUBLISHED[name](value) if name in PUBLISHED else value for name, value in values.items()}


def _is_scalar(annotation: Any) -> bool:
    return all(get_origin(each) is Literal or each in SCALARS for each in types_in(annotation))


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
