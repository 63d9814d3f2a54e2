"""Writes a context set as a folder for hubs of data sets: a table, its replicates, a data card, metadata."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bvf import BvfError, ContextSet, Media
from bvf.files import (
    KNOWN_NAMES,
    MEDIA_COLUMNS,
    NO_DETAILS,
    REPLICATE_COLUMNS,
    SOURCES,
    Folder,
    FolderKind,
    Replicates,
    SamplingEntry,
    cited,
    contexts_digest,
    digest_of_bytes,
    disk_errors_explained,
    replicates_of,
    seen_of,
    title_of,
    toml_key,
    toml_value,
    write_replicates,
)
from bvf.stats import exact, sample_in_words
from bvf.tables import escaped
from bvf_report.export.contexts.metadata import croissant_of, licence_address, licence_header, meaning_of, table_of
from bvf_report.export.names import one_line, portable, without_folders

if TYPE_CHECKING:
    import pyarrow as pa

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST = "n>1M"
USES = """\
For asking language models for words ([Y]) about groups ([X]) in weighted contexts, and for comparing context sets. The
contexts are a choice: figures that rest on them hold for texts like those of the source, and for no others. A template
is a pattern of text and says nothing of a person. The set has no sentences of its source."""
CARD, CROISSANT = "README.md", "croissant.json"
MOST_BYTES = 10_000_000_000
DATASET = FolderKind(
    dict.fromkeys((r".*\.parquet", SOURCES, CARD, CROISSANT), MOST_BYTES),
    {f"{kind}s": FolderKind({r"[0-9a-f]{16}.*": MOST_BYTES}) for kind in MEDIA_COLUMNS},
)


def card_of(contexts: ContextSet, rows: "pa.Table", table: Path) -> str:
    """Return the data card of a context set whose ``rows`` are in the file ``table``."""
    title = f"{one_line(contexts.name)}: contexts for measuring the bias and volatility of language models"
    replicates = contexts.sampling.replicates
    parts = [
        f"---\n{_header(contexts, title, table)}---",
        f"# {escaped(title)}",
        "A context is a text with the slots [X], for a group, and [Y], for a word. Each has a count, its weight."
        " Written by `bvf contexts export`.",
        _facts(contexts),
        f"## How to cite\n\n{escaped(cited(contexts))}",
        f"## Licence\n\n{escaped(contexts.card.licence)} ({licence_address(contexts.card.licence)})",
        f"## How to use\n\n```bash\nbvf run --lang {contexts.card.language} --contexts {table.name}\n```",
        _columns("contexts", table.name, rows.column_names),
        *([] if replicates is None else [_columns("replicates", replicates_of(table).name, REPLICATE_COLUMNS)]),
        f"## What it may be used for\n\n{USES}",
    ]
    return "\n\n".join(parts) + "\n"


def _header(contexts: ContextSet, title: str, table: Path) -> str:
    import yaml

    size = len(contexts.templates)
    files = {"contexts": table.name, "replicates": replicates_of(table).name}
    if contexts.sampling.replicates is None:
        del files["replicates"]
    configs: list[dict[str, Any]] = [
        {"config_name": name, "data_files": [{"split": "test", "path": file}]} for name, file in files.items()
    ]
    configs[0]["default"] = True
    header = {
        "pretty_name": title,
        "language": [contexts.card.language],
        **licence_header(contexts.card.licence),
        "tags": ["bias", "evaluation", "bvf"],
        "size_categories": [next((name for below, name in SIZES if size < below), LARGEST)],
        "configs": configs,
    }
    return str(yaml.safe_dump(header, sort_keys=False, allow_unicode=True))


def _facts(contexts: ContextSet) -> str:
    sampling, card = contexts.sampling, contexts.card
    redrawn = "none" if sampling.replicates is None else f"{sampling.replicates.shape[1]} resamples of the documents"
    facts = {
        "source": contexts.source,
        "templates": f"{len(contexts.templates):,}",
        "sum of the counts": exact(float(sum(contexts.counts))),
        "sample": sample_in_words(contexts),
        "replicates": redrawn,
        "miner": card.miner or "not stated",
        "least confidence of a match": "not stated" if card.min_confidence is None else f"{card.min_confidence:g}",
        "digest of the contexts": contexts_digest(contexts),
    }
    return "\n".join(["| | |", "| --- | --- |", *(f"| {name} | {escaped(fact)} |" for name, fact in facts.items())])


def _columns(name: str, file: str, columns: list[str]) -> str:
    lines = [f"| {escaped(column)} | {escaped(meaning_of(column))} |" for column in columns]
    return "\n".join([f"## {name}\n", f"`{file}`: a row per template.\n", "| column | |", "| --- | --- |", *lines])


def write_contexts_dataset(contexts: ContextSet, folder: Path | str, language: str = "en") -> Path:
    """Write a context set as a data set that can be cited, and return its table, which `read_contexts` reads.

    Contexts, counts, replicates, source, licence and citation read back the same. No path of this machine is written.
    Files of these names are replaced.

    Args:
        contexts: The context set. Its data card states the licence (`bvf.domain.context.Card`).
        folder: Gets the files ``NAME.parquet``, ``NAME.replicates.parquet``, ``sources.toml``, ``README.md`` (the data
            card), ``croissant.json``, and ``images`` with the pictures of the contexts. Of pictures only what is seen
            is written, and their digests are of that.
        language: Language of the templates, if the data card does not state it.

    Raises:
        BvfError: The licence is missing, a template or a column would not read back, a picture has changed, or a file
            cannot be written.
    """
    import pyarrow.parquet as pq

    _check(contexts)
    place, public = Folder(Path(folder), DATASET), _public(contexts, language)
    table = place.path / f"{portable(public.name)}.parquet"
    with disk_errors_explained(folder, "choose another folder"):
        public = _with_media_of_its_own(public, place)
        rows = table_of(public)
        with place.replacing(table.name) as out:
            pq.write_table(rows, out, compression="zstd")
        replicates = _written_replicates(public, place, replicates_of(table))
        pictures = dict.fromkeys(media.file for template in public.templates for media in template.media)
        files = [table, *replicates, *(place.path / name for name in pictures)]
        place.write(SOURCES, sources_text(table.stem, public, public.source))
        place.write(CARD, card_of(public, rows, table))
        place.write(CROISSANT, croissant_of(public, rows, files))
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


def _with_media_of_its_own(contexts: ContextSet, folder: Folder) -> ContextSet:
    """Write media into the folder, without what is not seen, and return the set with their new names and digests."""
    own = dict[Media, Media]()
    for media in dict.fromkeys(media for template in contexts.templates for media in template.media):
        content, ending = seen_of(media)
        digest = digest_of_bytes(content)
        own[media] = replace(media, file=f"{media.kind}s/{digest}{ending}", digest=digest)
    for media, new in own.items():  # none of them is refused
        folder.sub(f"{media.kind}s").write(Path(new.file).name, seen_of(media)[0])
    templates = tuple(replace(each, media=tuple(own[media] for media in each.media)) for each in contexts.templates)
    return replace(contexts, templates=templates)


def _written_replicates(contexts: ContextSet, folder: Folder, file: Path) -> list[Path]:
    """Write the replicates if there are any, and return their file. Those of an earlier set of the name are deleted."""
    redrawn = contexts.sampling.replicates
    if redrawn is None:
        folder.delete(file.name)
        return []
    keys = tuple(template.key for template in contexts.templates)
    with folder.replacing(file.name) as out:
        write_replicates(out, Replicates(keys, np.array(contexts.counts, dtype=np.float64), redrawn))
    return [file]


def sources_text(stem: str, contexts: ContextSet, source: str) -> str:
    """Return a ``sources.toml`` with the entry of one context set."""
    sampling = {name: getattr(contexts.sampling, name) for name in SamplingEntry.model_fields}
    sampling["occurrences"] = contexts.occurrences
    card = {name: value for name, value in asdict(contexts.card).items() if value != ""}
    entry = {"source": source, **sampling, **card}
    lines = [f"{name} = {toml_value(value)}" for name, value in entry.items() if value is not None]
    return "\n".join([f"[{toml_key(stem)}]", *lines]) + "\n"
