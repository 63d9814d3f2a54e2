"""From files or data frames to the results of an analysis of factors."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Literal

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field

from bvf import BvfError
from bvf.domain import Count, Declaration, Finite, checked_declaration, plain_letters
from bvf.files import Row, parse_toml, read_text
from bvf_factors.covering.coverage import CoverageResult, coverage
from bvf_factors.rates.spread import Spread, spread
from bvf_factors.rates.subgroups import Subgroups, subgroups
from bvf_factors.reading.logs import rows_of
from bvf_factors.reading.logs.joining import joined, stacked
from bvf_factors.reading.table import Table
from bvf_factors.reading.tabulating import tabulate
from bvf_factors.reading.units import OneAnswerEach
from bvf_factors.regressing.importance import Importance, importance


class FactorsResult(BaseModel):
    """Results for the factors of a table.

    Attributes:
        schema_: ``schema`` in the file: ``bvf.factors/1``.
        title: Title of the table.
        rows: How many prompts there are.
        rate: The share of prompts in which the model deviates, or the mean of a numeric outcome.
        dropped: The number of rows left out because a value was missing, by column.
        notes: Which rows of logs were taken, and by what their errors are.
        coverage: What the prompts cover.
        subgroups: All subgroups of one factor, and all of two factors.
        spread: Spread of the rates of subgroups of two factors; of one factor if the table has only one.
        importance: Which levels make the model deviate; None if the regression cannot be fitted.
        importance_refused: Why it cannot, such as levels that have the same rows; empty otherwise.
    """

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    schema_: Literal["bvf.factors/1"] = Field("bvf.factors/1", alias="schema")
    title: str
    rows: Count
    rate: Finite
    dropped: dict[str, Count]
    notes: tuple[str, ...] = ()
    coverage: CoverageResult
    subgroups: tuple[Subgroups, ...]
    spread: Spread
    importance: Importance | None
    importance_refused: str

    def to_frame(self) -> pd.DataFrame:
        """Return a row per subgroup of one factor, then of two. Levels are in the columns of their factors."""
        return pd.concat([each.to_frame() for each in self.subgroups], ignore_index=True)


def read_declaration(file: Path | str) -> Declaration:
    """Read and check the declaration of a table's factors, ``factors.toml``."""
    path = Path(file)
    return checked_declaration(parse_toml(read_text(path), str(path)), str(path))


def read_table(
    sources: Sequence[Path | str],
    declaration: Declaration,
    *,
    items: Path | str | None = None,
    on: Sequence[str] = (),
    filters: Sequence[str] = (),
    drop_missing: bool = False,
) -> Table:
    """Return one table of the rows of all sources. Sources are tables, logs of other programs, folders of measurements.

    A log has one row for each answer: that of one of ``filters``, which may also name metrics and runs, in the newest
    run. Several rows of one answer are refused. Where rows repeat a question, it is the cluster unless one is declared.
    ``items`` is a table whose columns are added to each row, such as benchmark items to answers; ``on`` are the
    columns in which a row and its item agree. ``drop_missing`` leaves out rows in which a value is missing.
    """
    if (items is None) != (not on):
        raise BvfError("items are joined on columns that both have", "give both: --items FILE --on COLUMN")
    answers = OneAnswerEach(filters, [declaration.column_of(name) for name in declaration.factors])
    rows: Iterable[Row] = answers.of(stacked(map(Path, sources)))
    if items is not None:
        rows = joined(rows, rows_of(Path(items)), tuple(on))
    table = tabulate(rows, declaration, drop_missing=drop_missing)
    repeated = table.cluster if table.cluster != declaration.cluster else ""
    by_question = [f"several rows have one {repeated}: errors are by {repeated}"] if repeated else []
    return replace(table, notes=(*answers.notes, *by_question))


def table_of_frame(frame: pd.DataFrame, declaration: Declaration, *, drop_missing: bool = False) -> Table:
    """Return the table of the rows of a pandas frame. Error messages name rows by its index."""
    rows = (
        Row(f"row {index}", {plain_letters(str(name)): value for name, value in values.items()})
        for index, values in zip(frame.index, frame.astype(object).to_dict("records"), strict=True)
    )
    return tabulate(rows, declaration, drop_missing=drop_missing)


def analyse_table(
    table: Table, *, interactions: Sequence[tuple[str, str]] = (), level: float = 0.95, seed: int = 0
) -> FactorsResult:
    """Return all results for the factors of a table with an outcome.

    Pairs of factors in ``interactions`` have effects of their own in the regression. ``level`` is the confidence level
    of intervals, ``seed`` that of the bootstrap.
    """
    outcome = table.deviations()
    for name in chain.from_iterable(interactions):
        table.factor(name)
    orders = range(1, 1 + min(2, len(table.factors)))
    matters, refused = None, ""
    try:
        matters = importance(table, interactions=interactions, level=level)
    except BvfError as error:
        refused = f"{error.message}: {error.hint}" if error.hint else error.message
    return FactorsResult(
        title=table.title,
        rows=table.rows,
        rate=float(outcome.mean()),
        dropped=dict(table.dropped),
        notes=table.notes,
        coverage=coverage(table),
        subgroups=tuple(subgroups(table, order, level=level) for order in orders),
        spread=spread(table, max(orders), level=level, seed=seed),
        importance=matters,
        importance_refused=refused,
    )
