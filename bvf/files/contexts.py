"""Context sets from files: a template and a count per row."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path

from bvf.domain.context import ContextSet, Sampling, Template, refuse_no_count
from bvf.domain.media import Media
from bvf.errors import BvfError
from bvf.files.digests import digest_of_bytes
from bvf.files.parsing import parse_json, parse_toml, read_bytes, read_text
from bvf.files.sampling import REPLICATES, record_of, sampling_of, sampling_told
from bvf.files.table_files import TABLE_ENDINGS, Row, read_rows
from bvf.hooks.provider import Provider

TEMPLATE_COLUMNS = ("template", "T")
SOURCES = "sources.toml"
OF_THE_CORPUS = ("document", "example")
"""Columns of mined sets that quote their corpus."""
MEDIA_COLUMNS = ("image",)
"""Kinds of media, each a column with the names of files."""
COUNT_COLUMNS = ("count", "frequency", "proportion", "distribution")
NO_DETAILS = frozenset((*TEMPLATE_COLUMNS, *COUNT_COLUMNS, *MEDIA_COLUMNS, *OF_THE_CORPUS))


def read_contexts(
    file: Traversable | Path, name: str = "", source: str = "", sampling: Sampling | None = None
) -> ContextSet:
    """Read a context set; a template that stands there twice counts with the sum of its counts.

    The columns are ``template`` (or ``T``) and ``count`` (or ``frequency``, ``proportion``, ``distribution``); a column
    ``image`` names a picture that is shown with the text, by its path as seen from the file; others are kept as details
    of the template. The record that ``bvf mine`` leaves beside a set says where it is from and how many occurrences its
    source has; replicates that lie there are read too. A set of which nothing is told and whose counts are all equal
    counts as written.

    Args:
        file: A table.
        name: Of the set; the file's if empty.
        source: Where the counts are from; what the record tells if empty.
        sampling: How they came about, without replicates; what the record tells if None.

    Raises:
        BvfError: The file or its replicates cannot be read, a column is missing, a row is wrong (names file and line),
            or the replicates are those of other counts.
    """
    contexts = _table(file, name, source)
    counts = {template.text: count for template, count in zip(contexts.templates, contexts.counts, strict=True)}
    return replace(contexts, sampling=sampling_of(Path(str(file)), counts, sampling))


def _table(file: Traversable | Path, name: str, source: str) -> ContextSet:
    """The set without what lies beside it."""
    if str(file).endswith(REPLICATES):
        raise BvfError(f"{file}: has the replicates of a context set, and is none", "say the set that it lies beside")
    templates: dict[str, Template] = {}
    counts: dict[str, float] = {}
    details: dict[str, dict[str, str]] = {}
    folder = Path(str(file)).absolute().parent
    for row in read_rows(file):
        template, count = _template_and_count(row, folder)
        key = template.key
        templates.setdefault(key, template)
        counts[key] = counts.get(key, 0.0) + count
        details.setdefault(key, _details(row))
    return ContextSet(
        name or str(file),
        tuple(templates.values()),
        tuple(counts.values()),
        source or _origin(file),
        tuple(details.values()),
    )


def _origin(file: Traversable | Path) -> str:
    """Where a set is from, as its record tells; its own name if there is none."""
    try:
        record = record_of(Path(str(file)))
        corpus = parse_json(read_text(record), str(record))["corpus"]
        return f"{file}, mined from {corpus['source']}: {corpus['documents']} documents, digest {corpus['digest'][:8]}"
    except (BvfError, KeyError, TypeError):
        return str(file)


def contexts_in(folder: Traversable, language: str) -> list[Provider[ContextSet]]:
    """Offer every table below ``folder`` under its path without the ending.

    ``sources.toml`` beside a table says where it is from: for ``age.csv`` it has the lines ``[age]`` and
    ``source = "..."``, and may say how the counts came about: ``written = true``, ``cut = true`` (an unknown rest of
    the source is left out), ``occurrences = N`` and ``documents = N`` of the whole source.
    """
    return [
        Provider(
            name,
            partial(_from_folder, beside, file, name),
            language=language,
            describe=partial(_table_in_folder, beside, file, name),
        )
        for beside, file, name in _tables(folder, "")
    ]


def _tables(folder: Traversable, prefix: str) -> Iterator[tuple[Traversable, Traversable, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _tables(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(TABLE_ENDINGS) and not entry.name.endswith(REPLICATES):
            yield folder, entry, prefix + Path(entry.name).stem


def _from_folder(folder: Traversable, file: Traversable, name: str) -> ContextSet:
    source, sampling = _told(folder, file)
    return read_contexts(file, name, source, sampling)


def _table_in_folder(folder: Traversable, file: Traversable, name: str) -> ContextSet:
    return _table(file, name, _told(folder, file)[0])


def _told(folder: Traversable, file: Traversable) -> tuple[str, Sampling | None]:
    """Where a set is from, and how its counts came about, as ``sources.toml`` tells."""
    sources, stem = folder / SOURCES, Path(file.name).stem
    if not sources.is_file():
        raise BvfError(f"{sources}: not there, which says where {file.name} is from", _entry(stem))
    entry = parse_toml(read_text(sources), str(sources)).get(stem)
    source = entry.get("source") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(source, str) or not source.strip():
        raise BvfError(f"{sources}: does not say where {file.name} is from", _entry(stem))
    return source, sampling_told(entry, f"{sources}: [{stem}]")


def _entry(stem: str) -> str:
    return f'give it the lines [{json.dumps(stem, ensure_ascii=False)}] and source = "WHERE THE COUNTS ARE FROM"'


def _template_and_count(row: Row, folder: Path) -> tuple[Template, float]:
    text = row.text(_column(row, TEMPLATE_COLUMNS))
    count = row.number(_column(row, COUNT_COLUMNS))
    try:
        template = Template(text)
    except BvfError as error:
        raise BvfError(f"{row.where}: {error.message}", error.hint) from error
    refuse_no_count(row.where, template, count)
    media = _media(row, folder)
    return replace(template, media=media) if media else template, count


def _media(row: Row, folder: Path) -> tuple[Media, ...]:
    """The files that a row names; raises `BvfError` where one cannot be read."""
    named = [(kind, row.text(kind)) for kind in MEDIA_COLUMNS if row.values.get(kind) not in (None, "")]
    return tuple(_medium(row, kind, folder / name) for kind, name in named)


def _medium(row: Row, kind: str, file: Path) -> Media:
    try:
        return Media(kind, str(file), digest_of_bytes(read_bytes(file)))
    except BvfError as error:
        where = "name it as seen from the folder of this table"
        raise BvfError(f"{row.where}: the {kind} {error.message}", where) from error


def _details(row: Row) -> dict[str, str]:
    """What a row says of its template besides its count, without sentences of the corpus."""
    return {
        column: str(value)
        for column, value in row.values.items()
        if column and column not in NO_DETAILS and isinstance(value, str | int | float) and str(value)
    }


def _column(row: Row, names: Sequence[str]) -> str:
    column = _first(name for name in names if name in row.values)
    if column is None:
        raise BvfError(f'{row.where}: no column "{names[0]}"', f"name one of the columns {', '.join(names)}")
    return column


def _first(names: Iterator[str]) -> str | None:
    return next(names, None)
