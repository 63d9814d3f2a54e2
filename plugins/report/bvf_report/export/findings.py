"""Exports files that bvf printed as JSON: explanations, regressions, comparisons, and what plugins find or report."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from bvf import BvfError, ReportedFile, Section, load
from bvf.errors import nearest
from bvf.files import parse_json, read_text
from bvf.hooks import Plugins, imported
from bvf.tables import Finding, as_markdown, frame_as_csv
from bvf_report.export.papers import as_latex

if TYPE_CHECKING:
    import pandas as pd

FORMATS = ("csv", "latex", "markdown")
OF_FIGURE = ("model", "name", "value", "low", "high", "level", "unit")
"""The columns of figures of a plugin's file."""
AS_PRINTED = (
    "it takes a file that `bvf explain`, `bvf regress` or `bvf compare --by contexts|language|asking` has "
    "printed with --format json"
)


def read_analysed(file: Path, plugins: Plugins | None = None) -> Finding:
    """Return what a file holds: an explanation, regressions, a comparison, or what another plugin finds."""
    raw = parse_json(read_text(file), str(file))
    findings = (plugins or load()).findings
    if not isinstance(raw, dict) or str(raw.get("schema")) not in findings.names():
        raise BvfError(
            f"{file}: neither an explanation nor regressions nor a comparison by contexts, language or asking",
            AS_PRINTED,
        )
    try:
        model: Any = findings.find(str(raw["schema"])).callable()
        found: Finding = model.model_validate(raw)
    except ValidationError as error:
        raise BvfError(f"{file}: not as bvf printed it", AS_PRINTED) from error
    return found


def analysed_text(analysed: Finding, to: str, table: str = "") -> str:
    """Return an analysis as text: for ``csv`` one table (that of ``to_frame`` if none is named), else all."""
    if to not in FORMATS:
        raise BvfError(f'an explanation or regressions are not written as "{to}"', nearest(to, list(FORMATS)))
    analysed = imported(analysed.portable)(analysed) if analysed.portable else analysed
    if to == "csv":
        return frame_as_csv(_frame(analysed, table))
    if table:
        raise BvfError(f"--table {table} does nothing with --to {to}", f"a {to} of a file has all of its tables")
    return _all_tables(imported(analysed.tables)(analysed), to, type(analysed).model_fields["schema_"].default)


def reported_text(reported: ReportedFile, to: str, table: str = "") -> str:
    """Return a file of a plugin as text: for ``csv`` its figures, else its tables. Refuses a ``table``."""
    if to not in FORMATS:
        raise BvfError(f'a file of this kind is not written as "{to}"', nearest(to, list(FORMATS)))
    if table:
        raise BvfError(f"--table {table}: is for runs and for what bvf printed", "leave it out")
    if to != "csv":
        return _all_tables(reported.sections(show=0), to, reported.title)
    figures = reported.figures()
    if not figures:
        raise BvfError(f"{reported.title}: such files have no figures", "--to markdown and --to latex have its tables")
    import pandas as pd

    return frame_as_csv(pd.DataFrame([{name: getattr(each, name) for name in OF_FIGURE} for each in figures]))


def _all_tables(sections: Iterable[Section], to: str, named: str) -> str:
    filled = [each for each in sections if each.rows]
    if to == "markdown":
        return f"{as_markdown(filled)}\n"
    name = re.sub(r"\W+", "-", named)
    return "\n".join(as_latex(each, f"{name}-{number}") for number, each in enumerate(filled, 1))


def _frame(analysed: Any, table: str) -> "pd.DataFrame":
    import pandas as pd

    names = analysed.row_fields
    if table in {"", *names[:1]}:
        frame: pd.DataFrame = analysed.to_frame()
        return frame
    if table not in names:
        raise BvfError(f'--table "{table}": there is none in such a file', nearest(table, list(names)))
    rows = getattr(analysed, table)
    if not rows:
        raise BvfError(f"--table {table}: this file has no such rows", "bvf says why where it shows its tables")
    return pd.DataFrame([each.model_dump() for each in rows])
