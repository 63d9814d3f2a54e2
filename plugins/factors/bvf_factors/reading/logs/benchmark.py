"""Answers of `bvf factors run`: ``rows.jsonl``, in the folder of a benchmark's record."""

from collections.abc import Iterable, Iterator

from bvf.files.table_files import Row
from bvf_factors.reading.logs.columns import field_of
from bvf_factors.reading.units import LogRow, Unit


def answer_rows(rows: Iterable[Row], benchmark: str) -> Iterator[Row]:
    """Yield the answers to a benchmark as they are stored: one for each item in each wording, or one for each text."""
    for row in rows:
        item, wording = (field_of(row.values, name, row.where) for name in ("item", "wording"))
        sample = row.values.get("sample", "")
        repetition = f"{benchmark}, {wording}{f', text {sample}' if sample else ''}"
        yield LogRow(row.where, row.values, Unit("item", f"{benchmark}, {item}", repetition=repetition))
