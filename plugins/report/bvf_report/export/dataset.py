"""Writes a folder for ``datasets.load_dataset``: three tables as Parquet, and a card."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bvf import ResultBase
from bvf.files import disk_errors_explained, replacing, write_text
from bvf_report.export.card import card_of
from bvf_report.export.figures import check_together
from bvf_report.export.wide_tables import group_table, key_of, model_table

if TYPE_CHECKING:
    import pandas as pd


def write_dataset(results: Sequence[ResultBase], folder: Path | str) -> None:
    """Write the configurations ``models``, ``groups`` and ``stereotypes`` (a Parquet file each), and a card.

    ``stereotypes`` has a row per model, group, context and class. Files of these names are replaced.
    """
    check_together(results)
    place = Path(folder)
    with disk_errors_explained(place, "choose another folder"):
        place.mkdir(parents=True, exist_ok=True)
        columns = {
            "models": _written(place / "models.parquet", iter([model_table(results)])),
            "groups": _written(place / "groups.parquet", iter([group_table(results)])),
            "stereotypes": _written(place / "stereotypes.parquet", map(_stereotypes, results)),
        }
        write_text(place / "README.md", card_of(results, columns))


def _stereotypes(result: ResultBase) -> "pd.DataFrame":
    frame = result.stereotypes()
    for place, (name, value) in enumerate(key_of(result).items()):
        frame.insert(place, name, value)
    return frame


def _written(file: Path, parts: "Iterator[pd.DataFrame]") -> list[str]:
    """Write data frames below each other to one Parquet file, and return the names of their columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    first = pa.Table.from_pandas(next(parts), preserve_index=False)
    with replacing(file) as out, pq.ParquetWriter(out, first.schema) as writer:
        writer.write_table(first)
        for part in parts:
            writer.write_table(pa.Table.from_pandas(part, schema=first.schema, preserve_index=False))
    return list(first.schema.names)
