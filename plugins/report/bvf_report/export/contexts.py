"""Writes a context set as a folder for hubs of data sets: a table, its replicates, a data card, Croissant metadata."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bvf import BvfError, ContextSet, Media
from bvf.domain import Chat
from bvf.files import (
    KNOWN_NAMES,
    NO_DETAILS,
    SOURCES,
    Citation,
    Folder,
    FolderKind,
    Replicates,
    digest_of_bytes,
    disk_errors_explained,
    replicates_of,
    seen_of,
    sha256_of,
    toml_key,
    toml_value,
)
from bvf.stats import exact
from bvf.tables import escaped
from bvf_report.export.names import one_line, portable, without_folders

if TYPE_CHECKING:
    import pyarrow as pa

ON_HUB = """
afl-3.0 agpl-3.0 apache-2.0 artistic-2.0 bsd-2-clause bsd-3-clause bsd-3-clause-clear bsl-1.0 cc-by-2.0 cc-by-2.5
cc-by-3.0 cc-by-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 cc-by-nc-sa-2.0
cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cc-by-nd-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc0-1.0 cdla-permissive-1.0 cdla-permissive-2.0
cdla-sharing-1.0 ecl-2.0 epl-1.0 epl-2.0 etalab-2.0 eupl-1.1 gpl-2.0 gpl-3.0 isc lgpl-2.1 lgpl-3.0 lppl-1.3c mit
mpl-2.0 ms-pl ncsa ofl-1.1 osl-3.0 postgresql unlicense wtfpl zlib
"""
"""Licences that the Hugging Face hub names as SPDX does, in lower case."""
OTHERWISE_ON_HUB = {"odbl-1.0": "odbl", "odc-by-1.0": "odc-by", "pddl-1.0": "pddl", "c-uda-1.0": "c-uda"}
WHOLE_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
COLUMNS = {
    "template": "The context: a text in which a group is put for [X] and a word for [Y]",
    "count": "How often it was seen, or its weight; divided by the sum of the column, P(c)",
    "image": "The picture that is shown with it, as seen from the folder of the table",
    "chat_turn": "Whose turn of a chat it is, user or assistant; null: it is in no chat",
    "chat_user": "What the user says before the assistant's turn",
    "chat_system": "What the system's turn of the chat says",
    "documents": "In how many documents it was seen",
    "verb": "Its verb, base form",
    "family": "The family of its verb: reporting, thinking, being, having, moving, doing, other",
    "tense": "The tense that the text has most often",
    "origin": "The template of which it is a variant",
    "format": "The name of its format: the bare text, or a chat around it",
    "placebo": "What was changed in it that should not matter; null: nothing",
    "redrawn": "Its counts in bootstrap resamples of the documents (Poisson weights of mean 1)",
}
VERSION = "http://mlcommons.org/croissant/1.0"
PARQUET = "application/x-parquet"
TYPES = {"string": "sc:Text", "int64": "sc:Integer", "double": "sc:Float"}
OWN = """
citeAs column conformsTo dataType equivalentProperty examples extract field fileObject fileProperty fileSet format
includes isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace samplingRate
separator source subField transform
"""
"""Terms of Croissant itself; all others are those of schema.org."""
TYPED = {"dataType": "@vocab", "examples": "@json"}
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    **{name: {"@id": f"cr:{name}", "@type": TYPED[name]} if name in TYPED else f"cr:{name}" for name in OWN.split()},
    "data": {"@id": "cr:data", "@type": "@json"},
    "conformsTo": "dct:conformsTo",
}


def licence_header(licence: str) -> dict[str, str]:
    """Return a licence, an SPDX expression, as the header of a card on the hub has it.

    >>> licence_header("CC-BY-SA-4.0"), licence_header("ODbL-1.0")
    ({'license': 'cc-by-sa-4.0'}, {'license': 'odbl'})
    >>> licence_header("OGL-UK-3.0")["license_name"]
    'ogl-uk-3.0'
    """
    name = licence.lower()
    if name in ON_HUB.split() or name in OTHERWISE_ON_HUB:
        return {"license": OTHERWISE_ON_HUB.get(name, name)}
    named = {"license": "other", "license_name": name.replace(" ", "-")}
    return {**named, "license_link": licence_address(licence)} if _has_address(licence) else named


def licence_address(licence: str) -> str:
    """Return the address of a licence at SPDX; an expression of several is returned unchanged.

    >>> licence_address("CC-BY-4.0"), licence_address("MIT AND CC-BY-4.0")
    ('https://spdx.org/licenses/CC-BY-4.0.html', 'MIT AND CC-BY-4.0')
    """
    return f"https://spdx.org/licenses/{licence}.html" if _has_address(licence) else licence


def _has_address(licence: str) -> bool:
    return not any(each in licence for each in (" ", "(", "+", "LicenseRef-"))


def table_of(contexts: ContextSet) -> "pa.Table":
    """Return a row per template: text, count, files of media, and the further columns."""
    import pyarrow as pa

    whole = all(exact(count).isdigit() for count in contexts.counts)
    counts = pa.array([int(count) if whole else float(count) for count in contexts.counts])
    columns = {"template": pa.array([template.text for template in contexts.templates]), "count": counts}
    shown = [{media.kind: media.file for media in template.media} for template in contexts.templates]
    for kind in sorted({kind for files in shown for kind in files}):
        columns[kind] = pa.array([files.get(kind) for files in shown])
    chats = [template.chat.columns if template.chat else {} for template in contexts.templates]
    for column in Chat.COLUMNS.values():
        if any(column in said for said in chats):
            columns[column] = pa.array([said.get(column) for said in chats])
    for name in dict.fromkeys(name for row in contexts.details for name, value in row.items() if value):
        values = [row.get(name) or None for row in contexts.details]
        numbers = all(value is None or WHOLE_NUMBER.fullmatch(value) for value in values)
        columns[name] = pa.array([int(value) if numbers and value is not None else value for value in values])
    return pa.table(columns)


def meaning_of(column: str) -> str:
    """Return what a column of a context set has."""
    return COLUMNS.get(column, "A further column of the set")


def croissant_of(contexts: ContextSet, rows: "pa.Table", files: Sequence[Path]) -> str:
    """Return the metadata of a context set as JSON. The first of ``files``, its table, has ``rows``."""
    table = files[0]
    kinds = {name: TYPES[str(rows.schema.field(name).type)] for name in rows.column_names}
    of_table = [_described("contexts", table, name, kind) for name, kind in kinds.items()]
    records = [_records("contexts", table, of_table)]
    if (replicates := replicates_of(table)) in files:
        texts = [("template", "sc:Text", {}), ("count", "sc:Float", {}), ("redrawn", "sc:Integer", {"repeated": True})]
        fields = [_described("replicates", replicates, name, kind) | more for name, kind, more in texts]
        records.append(_records("replicates", replicates, fields))
    citation = Citation.of(contexts)
    metadata = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": VERSION,
        "name": table.stem,
        "description": one_line(f"{len(contexts.templates):,} contexts with counts. {contexts.source}"),
        "license": licence_address(contexts.card.licence),
        "citeAs": one_line(citation.text),
        "identifier": citation.digest,
        "inLanguage": contexts.card.language,
        "keywords": ["language models", "bias", "evaluation", "bvf"],
        "distribution": [_file(file, table.parent) for file in files],
        "recordSet": records,
    }
    return json.dumps(metadata, indent=1, ensure_ascii=False) + "\n"


def _file(file: Path, folder: Path) -> dict[str, Any]:
    name = file.relative_to(folder).as_posix()
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "encodingFormat": PARQUET if file.suffix == ".parquet" else guess_type(name)[0] or "application/octet-stream",
        "sha256": sha256_of(file),
    }


def _records(name: str, file: Path, fields: list[dict[str, Any]]) -> dict[str, Any]:
    described = f"A row per template, from {file.name}"
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "description": described, "field": fields}


def _described(records: str, file: Path, column: str, kind: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{records}/{column}",
        "name": column,
        "description": meaning_of(column),
        "dataType": kind,
        "source": {"fileObject": {"@id": file.name}, "extract": {"column": column}},
    }


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
    {f"{kind}s": FolderKind({r"[0-9a-f]{16}.*": MOST_BYTES}) for kind in Media.COLUMNS},
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
        f"## How to cite\n\n{escaped(Citation.of(contexts).text)}",
        f"## Licence\n\n{escaped(contexts.card.licence)} ({licence_address(contexts.card.licence)})",
        f"## How to use\n\n```bash\nbvf run --lang {contexts.card.language} --contexts {table.name}\n```",
        _columns("contexts", table.name, rows.column_names),
        *([] if replicates is None else [_columns("replicates", replicates_of(table).name, Replicates.COLUMNS)]),
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
        "sample": contexts.sample_in_words,
        "replicates": redrawn,
        "miner": card.miner or "not stated",
        "least confidence of a match": "not stated" if card.min_confidence is None else f"{card.min_confidence:g}",
        "digest of the contexts": Citation.of(contexts).digest,
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
    card = replace(contexts.card, language=contexts.card.language or language)
    title = Citation.of(contexts).title
    source = without_folders(contexts.source) or title
    place, public = Folder(Path(folder), DATASET), replace(contexts, name=title, source=source, card=card)
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
        if not set(kinds) <= set(Media.COLUMNS) or len(set(kinds)) < len(kinds):
            raise BvfError(
                f'{contexts.name}: "{template.text}" is shown with {", ".join(kinds)}',
                f"a data set takes one of each of these for a template: {', '.join(Media.COLUMNS)}",
            )


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
        Replicates(keys, np.array(contexts.counts, dtype=np.float64), redrawn).write(out)
    return [file]


def sources_text(stem: str, contexts: ContextSet, source: str) -> str:
    """Return a ``sources.toml`` with the entry of one context set."""
    sampling = {**contexts.sampling.entry, "occurrences": contexts.occurrences}
    card = {name: value for name, value in asdict(contexts.card).items() if value != ""}
    entry = {"source": source, **sampling, **card}
    lines = [f"{name} = {toml_value(value)}" for name, value in entry.items() if value is not None]
    return "\n".join([f"[{toml_key(stem)}]", *lines]) + "\n"
