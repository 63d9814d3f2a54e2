"""Writes a folder for ``datasets.load_dataset``: three tables as Parquet, and a card."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bvf import ResultBase
from bvf.files import Folder, FolderKind, disk_errors_explained
from bvf_report.export.card import card_of
from bvf_report.export.figures import check_together
from bvf_report.export.wide_tables import group_table, key_of, model_table

if TYPE_CHECKING:
    import pandas as pd

DATASET = FolderKind(dict.fromkeys((r"(models|groups|stereotypes)\.parquet", "README.md"), 10_000_000_000))


def write_dataset(results: Sequence[ResultBase], folder: Path | str) -> None:
    """Write the configurations ``models``, ``groups`` and ``stereotypes`` (a Parquet file each), and a card.

    ``stereotypes`` has a row per model, group, context and class. Files of these names are replaced.
    """
    check_together(results)
    place = Folder(Path(folder), DATASET)
    with disk_errors_explained(folder, "choose another folder"):
        columns = {
            "models": _written(place, "models", iter([model_table(results)])),
            "groups": _written(place, "groups", iter([group_table(results)])),
            "stereotypes": _written(place, "stereotypes", map(_stereotypes, results)),
        }
        place.write("README.md", card_of(results, columns))


def _stereotypes(result: ResultBase) -> "pd.DataFrame":
    frame = result.stereotypes()
    for place, (name, value) in enumerate(key_of(result).items()):
        frame.insert(place, name, value)
    return frame


def _written(place: Folder, name: str, parts: "Iterator[pd.DataFrame]") -> list[str]:
    """Write data frames below each other to one Parquet file, and return the names of their columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    first = pa.Table.from_pandas(next(parts), preserve_index=False)
    with place.replacing(f"{name}.parquet") as out, pq.ParquetWriter(out, first.schema) as writer:
        writer.write_table(first)
        for part in parts:
            writer.write_table(pa.Table.from_pandas(part, schema=first.schema, preserve_index=False))
    return list(first.schema.names)
