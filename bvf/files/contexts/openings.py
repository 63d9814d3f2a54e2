"""Reads pools of openings from tables (a sentence and its count per row) and from texts (a sentence per line)."""

from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path

from bvf.domain.openings import OPENING, Openings
from bvf.errors import BvfError
from bvf.files.contexts.origins import Origin, entry_of, stated
from bvf.files.contexts.sets import SENTENCES
from bvf.files.parsing import files_below, read_text
from bvf.files.table_files import TABLE_ENDINGS, read_rows

COUNT = "count"


def read_openings(file: Traversable | Path, name: str = "") -> Openings:
    """Read a pool of openings. ``sources.toml`` beside it may state source, licence, citation and language.

    A ``.txt`` has an opening per line, each counted once. A table has the columns ``opening`` and ``count`` (1 if there
    is none); others are kept as details. The opening ``none`` stands for a bare template.

    Raises:
        BvfError: The file cannot be read, a row is wrong, or the pool is refused; the message names the file.
    """
    entry = entry_of(Path(str(file)).parent, Path(str(file)).stem)
    origin = Origin() if entry is None else stated(entry, f"{file}: its entry in sources.toml")
    name, source = name or str(file), origin.source or str(file)
    if str(file).endswith(SENTENCES):
        texts = [line.strip() for line in read_text(file).split("\n") if line.strip()]
        return Openings(name, tuple(texts), (1.0,) * len(texts), source, card=origin.card)
    if not str(file).endswith(TABLE_ENDINGS):
        raise BvfError(f"{file}: openings are in a table or a text", "give a .csv, .tsv, .jsonl, .parquet or .txt")
    rows = list(read_rows(file))
    return Openings(
        name,
        tuple(row.text(OPENING) for row in rows),
        tuple(row.number(COUNT) if COUNT in row.values else 1.0 for row in rows),
        source,
        tuple({key: str(value) for key, value in row.values.items() if key not in (OPENING, COUNT)} for row in rows),
        origin.card,
    )


def openings_in(folder: Traversable) -> Mapping[str, Openings]:
    """Return the pools of openings in a folder by name, which is that of the file without its ending."""
    return {name: read_openings(file, name) for name, _, file in files_below(folder, TABLE_ENDINGS)}
