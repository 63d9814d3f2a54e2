"""Reads context sets from tables (a template and count per row) and from texts (a template per line)."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from importlib.resources.abc import Traversable
from itertools import chain
from math import inf
from pathlib import Path
from typing import Self

from bvf.domain.chat import Chat
from bvf.domain.context import LARGE, WRITTEN, Card, ContextSet, Sampling, Template, Texts, has_slots, refuse_no_count
from bvf.domain.media import Media
from bvf.domain.spelling import plain_letters, written
from bvf.errors import BvfError, shortened
from bvf.files.contexts.origins import SOURCES, Origin, entry_of, origin_of, stated
from bvf.files.contexts.sampling import REPLICATES, merging_record_of, record_of, replicates_of, sampling_of
from bvf.files.digests import beside_text, digest_of, digest_of_bytes
from bvf.files.parsing import files_below, read_bytes, read_text
from bvf.files.table_files import NUMBER, TABLE_ENDINGS, Row, read_rows
from bvf.hooks.provider import Provider
from bvf.tables.words import counted

SENTENCES = ".txt"
CONTEXT_ENDINGS = (*TABLE_ENDINGS, SENTENCES)
"""Endings of users' files with context sets."""
TEMPLATE_COLUMNS = ("template", "T")
OF_THE_CORPUS = ("document", "example")
"""Columns of mined sets that quote their corpus."""
COUNT_COLUMNS = ("count", "frequency", "proportion", "distribution")
NEEDED = (TEMPLATE_COLUMNS, COUNT_COLUMNS)
BESIDE_TEXT = frozenset((*Media.COLUMNS, *Chat.COLUMNS.values()))
NO_DETAILS = frozenset((*TEMPLATE_COLUMNS, *COUNT_COLUMNS, *BESIDE_TEXT, *OF_THE_CORPUS))


def read_contexts(
    file: Traversable | Path, name: str = "", source: str = "", sampling: Sampling | None = None
) -> ContextSet:
    """Read a context set from a file. The counts of rows with the same template are added up.

    A ``.txt`` has a template per line and no counts: each is counted once, and the set counts as written. The
    columns of a table are ``template`` (or ``T``) and ``count`` (or ``frequency``, ``proportion``,
    ``distribution``); a column ``image`` has the path, from the folder of the file, of a picture that is shown with
    the text; ``chat_turn``, ``chat_user`` and ``chat_system`` state its chat; others are kept as details of the
    template. ``sources.toml`` or the record of ``bvf mine`` beside a set has its source, the number of occurrences
    in it and its data card; replicates beside it are read too. Without any of these, the set counts as written.

    Args:
        file: A table or a ``.txt``.
        name: Name of the set; empty: that of the file.
        source: Where the counts are from; empty: the source that is stated beside the set.
        sampling: How the counts came about, without replicates; None: as stated beside the set.

    Raises:
        BvfError: The file or its replicates cannot be read, a column is missing, a row or a line is wrong (names file
            and line), or the replicates belong to other counts.
    """
    origin = origin_of(Path(str(file)))
    name, source = name or str(file), source or origin.source or str(file)
    if str(file).endswith(SENTENCES):
        return _sentences(file, name, source, origin.card)
    contexts = _texts(file, name, source, origin.card) or _table(file, name, source, origin.card)
    counts = dict(zip(contexts.keys, contexts.counts, strict=True))
    return replace(contexts, sampling=sampling_of(Path(str(file)), counts, sampling or origin.sampling))


def _sentences(file: Traversable | Path, name: str, source: str, card: Card) -> ContextSet:
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
        raise BvfError(f"{file}: no sentences", "write one per line, with [X], and [Y] once")
    return ContextSet(name, tuple(line_of), (1.0,) * len(line_of), source, (), WRITTEN, card)


def _table(file: Traversable | Path, name: str, source: str, card: Card) -> ContextSet:
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
        name, tuple(templates.values()), tuple(counts.values()), source, tuple(details.values()), card=card
    )


def _texts(file: Traversable | Path, name: str, source: str, card: Card) -> ContextSet | None:
    """The set that `_table` would read, without an object per template; None: `_table` reads or refuses it."""
    counts, details = dict[str, float](), dict[str, Mapping[str, str]]()
    try:
        columns, rows = _cells(file)
        place = {column: at for at, column in enumerate(columns)}
        of_text, of_count = ([place[each] for each in names if each in place] for names in NEEDED)
        if not (of_text and of_count) or len(place) < len(columns) or BESIDE_TEXT.intersection(place):
            return None
        further = {column: at for column, at in place.items() if column and column not in NO_DETAILS}
        for values in filter(None, rows):
            key, number = written(values[of_text[0]].strip()), values[of_count[0]].strip()
            count = float(number) if NUMBER.fullmatch(number) else -1.0
            if not (0.0 <= count < inf and has_slots(key) and len(values) == len(columns)):
                return None
            counts[key] = counts.get(key, 0.0) + count
            if further and key not in details:
                details[key] = {column: values[at] for column, at in further.items() if values[at]}
    except (csv.Error, BvfError, IndexError):
        return None
    templates = Texts(list(counts)) if len(counts) > LARGE else tuple(map(Template, counts))
    known = tuple(details.values()) if further else ({},) * len(counts)
    return ContextSet(name, templates, tuple(counts.values()), source, known, card=card) if counts else None


def _cells(file: Traversable | Path) -> tuple[list[str], Iterator[list[str]]]:
    """The names of the columns of a table, and the texts of each row."""
    if str(file).endswith(".csv"):
        reader = csv.reader(io.StringIO(read_text(file), newline=""), strict=True)
        return [plain_letters(column).strip() for column in next(reader, [])], reader
    rows = read_rows(file)
    first = next(rows)
    columns = list(first.values)
    return columns, (_texts_of(row, columns) for row in chain([first], rows))


def _texts_of(row: Row, columns: Sequence[str]) -> list[str]:
    kinds = set(map(type, row.values.values()))
    if not kinds <= {str, int, float, type(None)} or list(row.values) != columns:
        raise BvfError(f"{row.where}: not a row of texts and numbers in the columns of the first one")
    return ["" if value is None else str(value) for value in row.values.values()]


def contexts_in(folder: Traversable, language: str) -> list[Provider[ContextSet]]:
    """Return a provider for each table below ``folder``.

    A provider's name is the table's relative path without extension.

    ``sources.toml`` beside a table has its source: for ``age.csv`` it has the lines ``[age]`` and ``source = "..."``,
    and may have how the counts came about: ``written = true``, ``cut = true`` (an unknown rest of the source is left
    out), ``occurrences = N`` and ``documents = N`` of the whole source, ``capped_at = N``; and ``licence`` (an SPDX
    expression) and ``citation``, ``miner`` and ``min_confidence``.
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
    origin = _origin_in(folder, file)
    if not isinstance(file, Path):  # it is in an archive
        return read_contexts(file, name, origin.source, origin.sampling)
    files = (file, file.parent / SOURCES, record_of(file), merging_record_of(file), replicates_of(file))
    return _read_once(file, name, origin.source, origin.sampling, tuple(map(_last_written, files)))


@lru_cache(maxsize=4)
def _read_once(file: Path, name: str, source: str, sampling: Sampling | None, _written: object) -> ContextSet:
    """The set, as `read_contexts` has it; all models and topics of a process share it while no file of it changes."""
    return read_contexts(file, name, source, sampling)


def _last_written(file: Path) -> tuple[int, int] | None:
    """When a file was written, in nanoseconds, and its size; None if there is none."""
    try:
        state = file.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size


def _table_in_folder(folder: Traversable, file: Traversable, name: str) -> ContextSet:
    origin = _origin_in(folder, file)
    return _table(file, name, origin.source, origin.card)


def _origin_in(folder: Traversable, file: Traversable) -> Origin:
    """What ``sources.toml`` in the folder of a context set states of it. It must state the source."""
    sources, stem = folder / SOURCES, Path(file.name).stem
    if not sources.is_file():
        raise BvfError(f"{sources}: not there, which says where {file.name} is from", _entry(stem))
    entry = entry_of(folder, stem)
    origin = Origin() if entry is None else stated(entry, f"{sources}: [{stem}]")
    if not origin.source.strip():
        raise BvfError(f"{sources}: does not say where {file.name} is from", _entry(stem))
    return origin


def _entry(stem: str) -> str:
    return f'give it the lines [{json.dumps(stem, ensure_ascii=False)}] and source = "WHERE THE COUNTS ARE FROM"'


def _template_and_count(row: Row, folder: Path) -> tuple[Template, float]:
    text = row.text(_column(row, TEMPLATE_COLUMNS))
    count = row.number(_column(row, COUNT_COLUMNS))
    template = _template(text, row.where)
    refuse_no_count(row.where, template.text, count)
    kinds = [kind for kind in Media.COLUMNS if row.values.get(kind) not in (None, "")]
    media = tuple(_medium(row, kind, folder) for kind in kinds)
    chat = _chat(row)
    return replace(template, media=media, chat=chat) if media or chat else template, count


def _chat(row: Row) -> Chat | None:
    """The chat that a row states; None: it states none."""
    stated = {field: str(row.values.get(column) or "") for field, column in Chat.COLUMNS.items()}
    if not any(stated.values()):
        return None
    try:
        return Chat(**stated)  # type: ignore[arg-type] # checked there
    except BvfError as error:
        raise BvfError(f"{row.where}: {error.message}", error.hint) from error


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


def contexts_digest(contexts: ContextSet) -> str:
    """Return the digest of a context set, which `measurement.json` of a run with all its contexts has too."""
    beside = {each.key: beside_text(each) for each in contexts.with_more}
    rows = zip(contexts.texts, contexts.keys, contexts.counts, strict=True)
    return digest_of([[text, float(count), *beside.get(key, ())] for text, key, count in rows])


@dataclass(frozen=True)
class Citation:
    """How a context set is cited: its name (that of its file, without ending), its digest, and the whole text."""

    title: str
    digest: str
    text: str

    @classmethod
    def of(cls, contexts: ContextSet) -> Self:
        """Return name, size and digest of a context set, then what its data card states, else its source."""
        name, templates = Path(contexts.name), counted(len(contexts.templates), "template")
        title = name.stem if name.suffix in CONTEXT_ENDINGS else contexts.name
        end = (contexts.card.citation or contexts.source).strip().rstrip(".")
        digest = contexts_digest(contexts)
        named = f"{title}: a context set of {templates}, digest {digest}"
        return cls(title, digest, f"{named}. {end}." if end else f"{named}.")
