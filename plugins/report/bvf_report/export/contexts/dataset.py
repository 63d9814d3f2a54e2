"""Writes a context set as a folder for hubs of data sets: a table, its replicates, a data card, Croissant metadata."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bvf import BvfError, ContextSet, Media
from bvf.files import (
    KNOWN_NAMES,
    MEDIA_COLUMNS,
    NO_DETAILS,
    SOURCES,
    Replicates,
    SamplingEntry,
    digest_of_bytes,
    disk_errors_explained,
    read_bytes,
    replacing,
    replicates_of,
    title_of,
    toml_key,
    toml_value,
    write_replicates,
    write_text,
)
from bvf_report.export.contexts.card import card_of
from bvf_report.export.contexts.croissant import croissant_of
from bvf_report.export.contexts.table import table_of
from bvf_report.export.names import portable, without_folders

if TYPE_CHECKING:
    import pyarrow as pa

CARD, CROISSANT = "README.md", "croissant.json"


def write_contexts_dataset(contexts: ContextSet, folder: Path | str, language: str = "en") -> Path:
    """Write a context set as a data set that can be cited, and return its table, which `read_contexts` reads.

    Contexts, counts, replicates, source, licence and citation read back the same. No path of this machine is written.
    Files of these names are replaced.

    Args:
        contexts: The context set. Its data card states the licence (`bvf.domain.context.Card`).
        folder: Gets the files ``NAME.parquet``, ``NAME.replicates.parquet``, ``sources.toml``, ``README.md`` (the data
            card), ``croissant.json``, and ``images`` with the pictures of the contexts.
        language: Language of the templates, if the data card does not state it.

    Raises:
        BvfError: The licence is missing, a template or a column would not read back, a picture has changed, or a file
            cannot be written.
    """
    _check(contexts)
    place, public = Path(folder), _public(contexts, language)
    table = place / f"{portable(public.name)}.parquet"
    with disk_errors_explained(place, "choose another folder"):
        place.mkdir(parents=True, exist_ok=True)
        pictures = _written_media(public, place)
        rows = table_of(public, pictures)
        _write_table(table, rows)
        replicates = _written_replicates(public, replicates_of(table))
        files = [table, *replicates, *(place / name for name in pictures.values())]
        write_text(place / SOURCES, sources_text(table.stem, public, public.source))
        write_text(place / CARD, card_of(public, rows, table))
        write_text(place / CROISSANT, croissant_of(public, rows, files))
    return table


def _check(contexts: ContextSet) -> None:
    """Refuse a set without a licence, and what would not read back."""
    if not contexts.card.licence:
        raise BvfError(f"{contexts.name}: its licence is not stated", f"--licence ID: {KNOWN_NAMES}")
    names = dict.fromkeys(name for row in contexts.details for name in row)
    if taken := next((name for name in names if name in NO_DETAILS or not name), None):
        raise BvfError(f'{contexts.name}: "{taken}" cannot be a further column of a context set', "call it otherwise")
    for template in contexts.templates:
        if template.text != template.text.strip():
            raise BvfError(f'{contexts.name}: blanks around "{template.text}"', "delete them")
        kinds = [media.kind for media in template.media]
        if not set(kinds) <= set(MEDIA_COLUMNS) or len(set(kinds)) < len(kinds):
            raise BvfError(
                f'{contexts.name}: "{template.text}" is shown with {", ".join(kinds)}',
                f"a data set takes one of each of these for a template: {', '.join(MEDIA_COLUMNS)}",
            )


def _public(contexts: ContextSet, language: str) -> ContextSet:
    """The set without folders in its name and source, and with its language."""
    card = replace(contexts.card, language=contexts.card.language or language)
    source = without_folders(contexts.source)
    return replace(contexts, name=title_of(contexts), source=source or title_of(contexts), card=card)


def _written_media(contexts: ContextSet, folder: Path) -> Mapping[Media, str]:
    """Copy media into the folder, and return their new names as seen from there."""
    names = dict[Media, str]()
    for media in dict.fromkeys(media for template in contexts.templates for media in template.media):
        content = read_bytes(Path(media.file))
        if digest_of_bytes(content) != media.digest:
            raise BvfError(f"{media.file}: has changed since the context set was read", "repeat the command")
        names[media] = f"{media.kind}s/{media.digest}{Path(media.file).suffix.lower()}"
        (folder / names[media]).parent.mkdir(exist_ok=True)
        with replacing(folder / names[media]) as out:
            out.write(content)
    return names


def _written_replicates(contexts: ContextSet, file: Path) -> list[Path]:
    """Write the replicates if there are any, and return their file. Those of an earlier set of the name are deleted."""
    redrawn = contexts.sampling.replicates
    if redrawn is None:
        file.unlink(missing_ok=True)
        return []
    keys = tuple(template.key for template in contexts.templates)
    write_replicates(file, Replicates(keys, np.array(contexts.counts, dtype=np.float64), redrawn))
    return [file]


def _write_table(file: Path, rows: "pa.Table") -> None:
    import pyarrow.parquet as pq

    with replacing(file) as out:
        pq.write_table(rows, out, compression="zstd")


def sources_text(stem: str, contexts: ContextSet, source: str) -> str:
    """Return a ``sources.toml`` with the entry of one context set."""
    sampling = {name: getattr(contexts.sampling, name) for name in SamplingEntry.model_fields}
    sampling["occurrences"] = contexts.occurrences
    card = {name: value for name, value in asdict(contexts.card).items() if value != ""}
    entry = {"source": source, **sampling, **card}
    lines = [f"{name} = {toml_value(value)}" for name, value in entry.items() if value is not None]
    return "\n".join([f"[{toml_key(stem)}]", *lines]) + "\n"
