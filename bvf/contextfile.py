"""Context sets from files: a template and a count a row."""

from collections.abc import Iterator, Sequence
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path

from bvf.context import ContextSet, Template
from bvf.errors import BvfError
from bvf.parsing import TABLE_ENDINGS, parse_json, parse_toml, read_text
from bvf.provider import Provider
from bvf.tablefile import Row, read_rows

TEMPLATE_COLUMNS = ("template", "T")
COUNT_COLUMNS = ("count", "frequency", "proportion", "distribution")


def read_contexts(file: Traversable | Path, name: str = "", source: str = "") -> ContextSet:
    """Read a context set; a template that stands there twice counts with the sum of its counts.

    The columns are ``template`` (or ``T``) and ``count`` (or ``frequency``, ``proportion``, ``distribution``). The
    record that ``bvf mine`` leaves beside a set says where it is from.

    Raises:
        BvfError: The file cannot be read, a column is missing, or a row is wrong; names file and line.
    """
    counts: dict[str, float] = {}
    for row in read_rows(file):
        template, count = _template_and_count(row)
        counts[template] = counts.get(template, 0.0) + count
    templates = tuple(Template(text) for text in counts)
    return ContextSet(name or str(file), templates, tuple(counts.values()), source or _origin(file))


def record_of(file: Path) -> Path:
    """Return where the record of a set that was mined lies: ``NAME.mining.json``."""
    return file.with_suffix(".mining.json")


def _origin(file: Traversable | Path) -> str:
    """Where a set is from, as its record tells; its own name if there is none."""
    try:
        record = record_of(Path(str(file)))
        corpus = parse_json(read_text(record), str(record))["corpus"]
        return f"{file}, mined from {corpus['source']}: {corpus['documents']} documents, digest {corpus['digest'][:8]}"
    except (BvfError, KeyError, TypeError):
        return str(file)


def contexts_in(folder: Traversable, language: str) -> list[Provider[ContextSet]]:
    """Offer every table below ``folder`` under its path without the ending, in lower case letters.

    ``sources.toml`` beside the tables says where each is from: a section per table, called as the table without its
    ending, with ``source = "author, title, year, where it is"``.
    """
    return [
        Provider(name, partial(_from_folder, beside, file, name), language=language)
        for beside, file, name in _tables(folder, "")
    ]


def _tables(folder: Traversable, prefix: str) -> Iterator[tuple[Traversable, Traversable, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _tables(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(TABLE_ENDINGS):
            yield folder, entry, prefix + Path(entry.name).stem


def _from_folder(folder: Traversable, file: Traversable, name: str) -> ContextSet:
    return read_contexts(file, name, _source_of(Path(file.name).stem, folder))


def _source_of(table: str, folder: Traversable) -> str:
    """Where a table of a plugin is from, as the ``sources.toml`` beside it says."""
    where = folder / "sources.toml"
    hint = f'write there: ["{table}"] and below it source = "author, title, year, where it is"'
    if not where.is_file():
        raise BvfError(f"{where}: is not there; it says where {table} is from", hint)
    sources = parse_toml(read_text(where), str(where))
    entry = sources.get(table)
    source = entry.get("source") if isinstance(entry, dict) else None
    if not isinstance(source, str) or not source.strip():
        raise BvfError(f"{where}: does not say where {table} is from", hint)
    return source


def _template_and_count(row: Row) -> tuple[str, float]:
    text = row.text(_column(row, TEMPLATE_COLUMNS))
    count = row.number(_column(row, COUNT_COLUMNS))
    try:
        ContextSet(row.where, (Template(text), Template("[X] [Y]")), (count, 1.0))
    except BvfError as error:
        raise BvfError(f"{row.where}: {str(error).removeprefix(f'{row.where}: ')}", error.hint) from error
    return text, count


def _column(row: Row, names: Sequence[str]) -> str:
    found = _first(name for name in names if name in row.values)
    if found is None:
        raise BvfError(f'{row.where}: no column "{names[0]}"', f"name one of the columns {', '.join(names)}")
    return found


def _first(names: Iterator[str]) -> str | None:
    return next(names, None)
