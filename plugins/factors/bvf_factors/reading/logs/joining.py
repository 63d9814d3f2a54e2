"""Joins rows of several sources: adds columns of another table, or appends tables."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bvf import BvfError
from bvf.domain import RECORD, parts_of_path, value_text
from bvf.errors import nearest, shortened
from bvf.files import Row, is_file
from bvf.study import distinct_names, facts_of, read_record
from bvf_factors.benchmarks.answer_folder import answers_in, asked_model, refuse_doubled
from bvf_factors.reading.logs.columns import with_columns
from bvf_factors.reading.logs.recognising import rows_of


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
    """Yield the rows of several sources in turn. Models of the same name get distinct names.

    Raises:
        BvfError: A source is named twice.
    """
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
