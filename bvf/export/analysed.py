"""What ``bvf explain`` or ``bvf regress`` printed as JSON, as tables for papers, pages and spreadsheets."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from bvf.analysing import explanation_rows, social_rows
from bvf.analysing.explanation import Explanation
from bvf.analysing.markup import markdown
from bvf.analysing.social import Regressions
from bvf.errors import BvfError, nearest
from bvf.export.csv_table import csv_of
from bvf.export.figures import Figure
from bvf.export.latex import latex_of
from bvf.export.names import without_folder, without_folders
from bvf.export.readable import ReadableTable
from bvf.files.parsing import parse_json, read_text
from bvf.interfaces.analysis import GROUPS_SHOWN
from bvf.interfaces.section import Section

M = TypeVar("M", bound=BaseModel)
Analysed = Explanation | Regressions
AnalysedFormat = Literal["csv", "latex", "markdown"]
FORMATS: tuple[AnalysedFormat, ...] = get_args(AnalysedFormat)
MODELS: dict[str, type[Analysed]] = {"bvf.explanation/1": Explanation, "bvf.regressions/1": Regressions}
AS_PRINTED = "it takes a file that `bvf explain` or `bvf regress` has printed with --format json"
MINUS = re.compile(r"(?<![\w-])-(?=\d)")
FORMULA = re.compile(r"\b([Rr])\\textasciicircum\{\}([bv])\b")


def read_analysed(file: Path) -> Analysed:
    """Return the explanation or the regressions that a file holds.

    Raises:
        BvfError: It cannot be read, or holds something else.
    """
    raw = parse_json(read_text(file), str(file))
    model = MODELS.get(str(raw.get("schema"))) if isinstance(raw, dict) else None
    if model is None:
        raise BvfError(f"{file}: neither an explanation nor regressions", AS_PRINTED)
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise BvfError(f"{file}: not as bvf printed it", AS_PRINTED) from error


def analysed_text(found: Analysed, to: str) -> str:
    """Return an explanation or regressions as text.

    Args:
        found: Of `bvf.explain` or `bvf.regress`.
        to: ``csv``: the rows of ``to_frame`` with every digit; ``latex`` and ``markdown``: all tables.

    Raises:
        BvfError: There is no such format.
    """
    if to not in FORMATS:
        raise BvfError(f'an explanation or regressions are not written as "{to}"', nearest(to, list(FORMATS)))
    found = _portable(found)
    if to == "csv":
        return csv_of(found.to_frame())
    rows = explanation_rows if isinstance(found, Explanation) else social_rows
    sections = [each for each in rows.sections(found, GROUPS_SHOWN) if each.rows]
    return f"{markdown(sections)}\n" if to == "markdown" else _latex(sections, re.sub(r"\W+", "-", found.schema_))


def _latex(sections: Sequence[Section], name: str) -> str:
    tables = (latex_of(_readable(each, f"{name}-{number}")) for number, each in enumerate(sections, 1))
    return MINUS.sub("$-$", FORMULA.sub(r"$\1^{\2}$", "\n".join(tables)))


def _portable(found: Analysed) -> Analysed:
    """The same without folders of this machine."""
    if isinstance(found, Explanation):
        return _named_alone(found, ("model",))
    regressions = tuple(_named_alone(each, ("model", "folder", "factor")) for each in found.regressions)
    factors = tuple(
        _named_alone(each, ("name",)).model_copy(update={"source": without_folders(each.source)})
        for each in found.factors
    )
    return _named_alone(found, ("weights", "reference")).model_copy(
        update={"regressions": regressions, "factors": factors}
    )


def _named_alone(part: M, fields: Sequence[str]) -> M:
    return part.model_copy(update={name: without_folder(getattr(part, name)) for name in fields})


def _readable(section: Section, name: str) -> ReadableTable:
    lefts = len(section.columns) - 1 if section.last != "figure" else len(section.columns)
    columns = [text if y < section.names or y >= lefts else Figure("", text) for y, text in enumerate(section.columns)]
    said = [*section.warnings, *section.said, *section.notes]
    notes = [each if each.endswith(".") else f"{each}." for each in said]
    return ReadableTable(section.title, name, columns, [*section.above, *section.rows], notes)
