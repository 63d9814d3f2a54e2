"""Reads context sets from tables (a template and count per row) and from texts (a template per line)."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path

from bvf.domain.context import ContextSet, Sampling, Template, refuse_no_count
from bvf.domain.media import Media
from bvf.errors import BvfError, shortened
from bvf.files.digests import digest_of_bytes
from bvf.files.parsing import files_below, parse_json, parse_toml, read_bytes, read_text
from bvf.files.sampling import REPLICATES, record_of, sampling_in, sampling_of
from bvf.files.table_files import TABLE_ENDINGS, Row, read_rows
from bvf.hooks.provider import Provider

SENTENCES = ".txt"
CONTEXT_ENDINGS = (*TABLE_ENDINGS, SENTENCES)
"""Endings of users' files with context sets."""
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
    """Read a context set from a file. The counts of rows with the same template are added up.

    A ``.txt`` has a template per line and no counts: each is counted once, and the set counts as written. The columns
    of a table are ``template`` (or ``T``) and ``count`` (or ``frequency``, ``proportion``, ``distribution``); a column
    ``image`` has the path, from the folder of the file, of a picture that is shown with the text; others are kept as
    details of the template. The record of ``bvf mine`` beside a set has its source and the number of occurrences in it;
    replicates beside it are read too. Without any of these, a set whose counts are all equal counts as written.

    Args:
        file: A table or a ``.txt``.
        name: Name of the set; empty: that of the file.
        source: Where the counts are from; empty: the source in the record.
        sampling: How the counts came about, without replicates; None: as stated in the record beside the set.

    Raises:
        BvfError: The file or its replicates cannot be read, a column is missing, a row or a line is wrong (names file
            and line), or the replicates belong to other counts.
    """
    if str(file).endswith(SENTENCES):
        return _sentences(file, name or str(file), source or str(file))
    contexts = _table(file, name, source)
    counts = {template.text: count for template, count in zip(contexts.templates, contexts.counts, strict=True)}
    return replace(contexts, sampling=sampling_of(Path(str(file)), counts, sampling))


def _sentences(file: Traversable | Path, name: str, source: str) -> ContextSet:
    """A context set, marked ``written``, of the lines of a text. Blank lines are ignored."""
    line_of = dict[Template, int]()
    for number, line in enumerate(read_text(file).split("\n"), start=1):
        if not (text := line.strip()):
            continue
        template = _template(text, f"{file}:{number}")
        if template in line_of:
            raise BvfError(
                f'{file}:{number}: "{template.text}" is in line {line_of[template]} already',
                "each line counts once: leave one of them, or write a table with counts",
            )
        line_of[template] = number
    if not line_of:
        raise BvfError(f"{file}: no sentences", "write one a line, with [X] once and [Y] once")
    return ContextSet(name, tuple(line_of), (1.0,) * len(line_of), source, sampling=Sampling(written=True))


def _table(file: Traversable | Path, name: str, source: str) -> ContextSet:
    """The context set in a table. Its sampling is not included; it is read from the files beside the table."""
    if str(file).endswith(REPLICATES):
        raise BvfError(f"{file}: has the replicates of a context set, and is not one", "name the set beside it")
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
    """The source of a mined context set, from the record beside its file. Without a record, the file's path."""
    try:
        record = record_of(Path(str(file)))
        corpus = parse_json(read_text(record), str(record))["corpus"]
        return f"{file}, mined from {corpus['source']}: {corpus['documents']} documents, digest {corpus['digest'][:8]}"
    except (BvfError, KeyError, TypeError):
        return str(file)


def contexts_in(folder: Traversable, language: str) -> list[Provider[ContextSet]]:
    """Return a provider for each table below ``folder``.

    A provider's name is the table's relative path without extension.

    ``sources.toml`` beside a table has its source: for ``age.csv`` it has the lines ``[age]`` and ``source = "..."``,
    and may have how the counts came about: ``written = true``, ``cut = true`` (an unknown rest of the source is left
    out), ``occurrences = N`` and ``documents = N`` of the whole source.
    """
    return [
        Provider(
            name,
            partial(_from_folder, beside, file, name),
            language=language,
            describe=partial(_table_in_folder, beside, file, name),
        )
        for name, beside, file in files_below(folder, TABLE_ENDINGS)
        if not file.name.endswith(REPLICATES)
    ]


def _from_folder(folder: Traversable, file: Traversable, name: str) -> ContextSet:
    return read_contexts(file, name, *_source_and_sampling(folder, file))


def _table_in_folder(folder: Traversable, file: Traversable, name: str) -> ContextSet:
    return _table(file, name, _source_and_sampling(folder, file)[0])


def _source_and_sampling(folder: Traversable, file: Traversable) -> tuple[str, Sampling | None]:
    """The source of a context set, and the sampling of its counts, from ``sources.toml`` in its folder."""
    sources, stem = folder / SOURCES, Path(file.name).stem
    if not sources.is_file():
        raise BvfError(f"{sources}: not there, which says where {file.name} is from", _entry(stem))
    entry = parse_toml(read_text(sources), str(sources)).get(stem)
    source = entry.get("source") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(source, str) or not source.strip():
        raise BvfError(f"{sources}: does not say where {file.name} is from", _entry(stem))
    return source, sampling_in(entry, f"{sources}: [{stem}]")


def _entry(stem: str) -> str:
    return f'give it the lines [{json.dumps(stem, ensure_ascii=False)}] and source = "WHERE THE COUNTS ARE FROM"'


def _template_and_count(row: Row, folder: Path) -> tuple[Template, float]:
    text = row.text(_column(row, TEMPLATE_COLUMNS))
    count = row.number(_column(row, COUNT_COLUMNS))
    template = _template(text, row.where)
    refuse_no_count(row.where, template, count)
    kinds = [kind for kind in MEDIA_COLUMNS if row.values.get(kind) not in (None, "")]
    media = tuple(_medium(row, kind, folder) for kind in kinds)
    return replace(template, media=media) if media else template, count


def _template(text: str, where: str) -> Template:
    try:
        return Template(text)
    except BvfError as error:
        raise BvfError(f"{where}: {error.message}", error.hint) from error


def _medium(row: Row, kind: str, folder: Path) -> Media:
    """The file that a cell names. Neither a path nor a link leads out of the folder of the table."""
    name = row.text(kind)
    file = folder / name
    if Path(name).is_absolute() or not leads_into(file, folder):
        raise BvfError(
            f"{row.where}: the {kind} {shortened(name)} is outside the folder of this table",
            "put the file into that folder, and name it as seen from there",
        )
    try:
        return Media(kind, str(file), digest_of_bytes(read_bytes(file)))
    except BvfError as error:
        where = "name it as seen from the folder of this table"
        raise BvfError(f"{row.where}: the {kind} {error.message}", where) from error


def leads_into(file: Path, folder: Path) -> bool:
    """Whether a path lies in a folder, also where links lead."""
    try:
        return file.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):
        return False


def _details(row: Row) -> dict[str, str]:
    """The further columns of a row (verb, family, tense, ...), except those that quote the corpus."""
    return {
        column: str(value)
        for column, value in row.values.items()
        if column and column not in NO_DETAILS and isinstance(value, str | int | float) and str(value)
    }


def _column(row: Row, names: Sequence[str]) -> str:
    column = next((name for name in names if name in row.values), None)
    if column is None:
        raise BvfError(f'{row.where}: no column "{names[0]}"', f"name one of the columns {', '.join(names)}")
    return column
