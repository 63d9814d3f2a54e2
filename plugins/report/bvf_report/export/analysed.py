"""Makes tables of files: what ``bvf explain``, ``bvf regress`` and ``bvf compare`` printed, and files of plugins."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from bvf_insights.contexts.result import ContextComparison
from bvf_insights.explain.result import Explanation
from bvf_insights.measures.result import MeasureComparison
from bvf_insights.regress.result import Regressions
from pydantic import BaseModel, ValidationError

from bvf.errors import BvfError, nearest
from bvf.files.parsing import parse_json, read_text
from bvf.hooks.imported import imported
from bvf.interfaces.reported_file import ReportedFile
from bvf.tables import Section, frame_as_csv, latex, markdown
from bvf_report.export.names import without_folder, without_folders

if TYPE_CHECKING:
    import pandas as pd

M = TypeVar("M", bound=BaseModel)
Analysed = Explanation | Regressions | ContextComparison | MeasureComparison
AnalysedFormat = Literal["csv", "latex", "markdown"]
FORMATS: tuple[AnalysedFormat, ...] = get_args(AnalysedFormat)
MODELS: dict[str, type[Analysed]] = {
    "bvf.explanation/1": Explanation,
    "bvf.regressions/1": Regressions,
    "bvf.context-comparison/2": ContextComparison,
    "bvf.measures/1": MeasureComparison,
}
TABLES: dict[type[Analysed], tuple[str, ...]] = {
    Explanation: (
        "levels",
        "varying",
        "reliability",
        "placebo",
        "frames",
        "frame_shares",
        "crossed",
        "properties",
        "exceeding",
    ),
    Regressions: ("regressions",),
    ContextComparison: ("pairs", "sets", "orders", "agreement"),
    MeasureComparison: ("agreements", "groups", "values"),
}
"""The fields that can be exported as rows of a spreadsheet; the first one if none is named."""
OF_FIGURE = ("model", "name", "value", "low", "high", "level", "unit")
"""The columns of figures of a plugin's file."""
AS_PRINTED = (
    "it takes a file that `bvf explain`, `bvf regress`, `bvf compare --by contexts` or `bvf compare --measures` has "
    "printed with --format json"
)


def read_analysed(file: Path) -> Analysed:
    """Return what a file holds: an explanation, regressions, or a comparison of context sets."""
    raw = parse_json(read_text(file), str(file))
    model = MODELS.get(str(raw.get("schema"))) if isinstance(raw, dict) else None
    if model is None:
        raise BvfError(
            f"{file}: neither an explanation nor regressions nor a comparison of context sets or measures", AS_PRINTED
        )
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise BvfError(f"{file}: not as bvf printed it", AS_PRINTED) from error


def analysed_text(analysed: Analysed, to: str, table: str = "") -> str:
    """Return an analysis as text. For ``csv`` it is one table in full precision, for other formats all tables.

    An empty ``table`` stands for the table of ``to_frame``.
    """
    if to not in FORMATS:
        raise BvfError(f'an explanation or regressions are not written as "{to}"', nearest(to, list(FORMATS)))
    analysed = _portable(analysed)
    if to == "csv":
        return frame_as_csv(_frame(analysed, table))
    if table:
        raise BvfError(f"--table {table} does nothing with --to {to}", f"a {to} of a file has all of its tables")
    return _all_tables(imported(analysed.tables)(analysed), to, analysed.schema_)


def reported_text(reported: ReportedFile, to: str, table: str = "") -> str:
    """Return a file of a plugin, such as the scores of a benchmark, as text: for ``csv`` its figures, else its tables.

    Raises:
        BvfError: The format is of runs alone, the file has no figures, or a ``table`` is named.
    """
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
        return f"{markdown(filled)}\n"
    name = re.sub(r"\W+", "-", named)
    return "\n".join(latex(each, f"{name}-{number}") for number, each in enumerate(filled, 1))


def _frame(analysed: Analysed, table: str) -> "pd.DataFrame":
    import pandas as pd

    names = TABLES[type(analysed)]
    if table in {"", names[0]}:
        return analysed.to_frame()
    if table not in names:
        raise BvfError(f'--table "{table}": there is none in such a file', nearest(table, list(names)))
    rows = getattr(analysed, table)
    if not rows:
        raise BvfError(f"--table {table}: this file has no such rows", "bvf says why where it shows its tables")
    return pd.DataFrame([each.model_dump() for each in rows])


def _portable(analysed: Analysed) -> Analysed:
    """The same analysis, with folders of this machine removed from names."""
    if isinstance(analysed, Explanation):
        return _without_folder(analysed, ("model",))
    if isinstance(analysed, ContextComparison):
        return _portable_comparison(analysed)
    if isinstance(analysed, MeasureComparison):
        return _portable_measures(analysed)
    regressions = tuple(_without_folder(each, ("model", "folder", "factor")) for each in analysed.regressions)
    factors = tuple(
        _without_folder(each, ("name",)).model_copy(update={"source": without_folders(each.source)})
        for each in analysed.factors
    )
    portable = _without_folder(analysed, ("weights", "reference"))
    return portable.model_copy(update={"regressions": regressions, "factors": factors})


def _portable_comparison(analysed: ContextComparison) -> ContextComparison:
    short = {**_short(analysed.contexts), **_short(analysed.models)}

    def renamed(row: M, fields: Sequence[str]) -> M:
        return row.model_copy(update={name: short[getattr(row, name)] for name in fields})

    sets = tuple(renamed(_without_folder(row, ("folder",)), ("contexts", "model")) for row in analysed.sets)
    pairs = tuple(renamed(row, ("first", "second", "model")) for row in analysed.pairs)
    orders = tuple(renamed(row, ("first", "second")) for row in analysed.orders)
    models = tuple(short[name] for name in analysed.models)
    return analysed.model_copy(update={"sets": sets, "pairs": pairs, "orders": orders, "models": models})


def _portable_measures(analysed: MeasureComparison) -> MeasureComparison:
    short = _short(analysed.models)

    def renamed(rows: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(row.model_copy(update={"model": short.get(row.model, "")}) for row in rows)

    return analysed.model_copy(
        update={
            "models": tuple(short[name] for name in analysed.models),
            "agreements": renamed(analysed.agreements),
            "groups": renamed(analysed.groups),
            "values": renamed(analysed.values),
            "unmatched": renamed(analysed.unmatched),
        }
    )


def _short(names: Sequence[str]) -> dict[str, str]:
    """A dict from each name to the name without folders. Names that become equal get a number."""
    short = [without_folders(name) for name in names]
    return {
        name: short_name if short.count(short_name) == 1 else f"{short_name} ({place})"
        for place, (name, short_name) in enumerate(zip(names, short, strict=True), 1)
    }


def _without_folder(part: M, fields: Sequence[str]) -> M:
    return part.model_copy(update={name: without_folder(getattr(part, name)) for name in fields})
