"""From files or data frames, joined where there are several, to the results of an analysis of factors."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Literal

import pandas as pd
from pydantic import Field

from bvf import BvfError
from bvf.domain import RECORD, Count, Declaration, Finite, parts_of_path, plain_letters, value_text
from bvf.errors import nearest, shortened
from bvf.files import Row, is_file, parse_toml, read_text
from bvf.study import distinct_names, facts_of, read_record
from bvf_factors.benchmarks.answer_folder import answers_in, asked_model, refuse_doubled
from bvf_factors.covering import CoverageResult, coverage
from bvf_factors.rates.spread import Spread, spread
from bvf_factors.rates.subgroups import Subgroups, subgroups
from bvf_factors.reading.declared import checked_declaration
from bvf_factors.reading.logs.recognising import rows_of
from bvf_factors.reading.rows import OneAnswerEach, with_columns
from bvf_factors.reading.table import Frozen, Table, tabulate
from bvf_factors.regressing.importance import Importance, importance


def joined(rows: Iterable[Row], others: Iterable[Row], on: Sequence[str]) -> Iterator[Row]:
    """Yield each row with the columns of the matching row of ``others`` added.

    Matching rows are equal in columns ``on``.

    Several rows may match one other row. Values are compared as `bvf.domain.factors.value_text` writes them, so that 3
    of one file is the "3" of another.
    """
    if not on:
        raise BvfError("there is no column to join by", "name one that both tables have")
    by_key: dict[tuple[str, ...], Row] = {}
    for other in others:
        key = _key(other, on)
        if key in by_key:
            raise BvfError(
                f"{other.where}: {_key_text(key, on)} is also in {by_key[key].where}",
                "join by more columns, or leave one of the two rows out",
            )
        by_key[key] = other
    for row in rows:
        key = _key(row, on)
        if key not in by_key:
            raise BvfError(
                f"{row.where}: no row to join has {_key_text(key, on)}", "the other table has a row for each key"
            )
        yield with_columns(row, by_key[key].values)


def stacked(sources: Iterable[Path]) -> Iterator[Row]:
    """Yield the rows of several sources in turn. Models get distinct names; a source that is named twice is refused."""
    listed = list(sources)
    refuse_doubled(listed)
    names = _names_of_models(listed)
    for source in listed:
        for row in rows_of(source):
            yield replace(row, values={**row.values, "model": names[source]}) if source in names else row


def _names_of_models(sources: Sequence[Path]) -> dict[Path, str]:
    """Distinct names for the models of measurements and benchmarks. Two models may have the same name."""
    once = dict.fromkeys(sources)
    measured = {source: read_record(source) for source in once if is_file(source / RECORD)}
    models = [each.model for each in measured.values()]
    facts = facts_of(models, [each.labels for each in measured.values()], [each.path for each in models])
    names = distinct_names([each.name for each in models], facts)
    answered = {source: folder for source in once if (folder := answers_in(source))}
    asked = {source: model for source, folder in answered.items() if (model := asked_model(folder))}
    others = distinct_names(
        [name for name, _ in asked.values()], [parts_of_path(path)[::-1] for _, path in asked.values()]
    )
    return {**dict(zip(measured, names, strict=True)), **dict(zip(asked, others, strict=True))}


def _key(row: Row, on: Sequence[str]) -> tuple[str, ...]:
    key = []
    for column in on:
        if column not in row.values:
            raise BvfError(f'{row.where}: there is no column "{column}" to join by', nearest(column, list(row.values)))
        value = value_text(row.values[column])
        if value is None:
            raise BvfError(f'{row.where}: no value in column "{column}", which rows are joined by')
        key.append(value)
    return tuple(key)


def _key_text(key: Sequence[str], on: Sequence[str]) -> str:
    return ", ".join(f'{column} "{shortened(value)}"' for column, value in zip(on, key, strict=True))


class FactorsResult(Frozen):
    """Results for the factors of a table."""

    schema_: Literal["bvf.factors/1"] = Field("bvf.factors/1", alias="schema")
    title: str
    rows: Count = Field(description="How many prompts there are")
    rate: Finite = Field(
        description="The share of prompts in which the model deviates, or the mean of a numeric outcome"
    )
    dropped: dict[str, Count] = Field(description="The number of rows left out because a value was missing, by column")
    notes: tuple[str, ...] = Field((), description="Which rows of logs were taken, and by what their errors are")
    coverage: CoverageResult = Field(description="What the prompts cover")
    subgroups: tuple[Subgroups, ...] = Field(description="All subgroups of one factor, and all of two factors")
    spread: Spread = Field(
        description="Spread of the rates of subgroups of two factors; of one factor if the table has only one"
    )
    importance: Importance | None = Field(
        description="Which levels make the model deviate; None if the regression cannot be fitted"
    )
    importance_refused: str = Field(
        description="Why it cannot, such as levels that have the same rows; empty otherwise"
    )

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
    """Return all results for the factors of a table with an outcome; ``interactions`` have effects of their own."""
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
