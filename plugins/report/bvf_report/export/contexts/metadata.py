"""Columns and licence of a data set of contexts, and its metadata in the Croissant format of MLCommons."""

import json
import re
from collections.abc import Sequence
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bvf import ContextSet
from bvf.domain import CHAT_COLUMNS as COLUMNS_OF_CHATS
from bvf.files import REPLICATES, cited, contexts_digest, sha256_of
from bvf.stats import WHOLE_AS_FLOATS
from bvf_report.export.names import one_line

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

    whole = all(count.is_integer() and count < WHOLE_AS_FLOATS for count in map(float, contexts.counts))
    counts = pa.array([int(count) if whole else float(count) for count in contexts.counts])
    columns = {"template": pa.array([template.text for template in contexts.templates]), "count": counts}
    shown = [{media.kind: media.file for media in template.media} for template in contexts.templates]
    for kind in sorted({kind for files in shown for kind in files}):
        columns[kind] = pa.array([files.get(kind) for files in shown])
    chats = [template.chat.columns if template.chat else {} for template in contexts.templates]
    for column in COLUMNS_OF_CHATS.values():
        if any(column in said for said in chats):
            columns[column] = pa.array([said.get(column) for said in chats])
    for name in dict.fromkeys(name for row in contexts.details for name, value in row.items() if value):
        columns[name] = pa.array(_typed([row.get(name) or None for row in contexts.details]))
    return pa.table(columns)


def meaning_of(column: str) -> str:
    """Return what a column of a context set has."""
    return COLUMNS.get(column, "A further column of the set")


def _typed(values: Sequence[str | None]) -> list[Any]:
    """Texts; as numbers if all of them are whole numbers."""
    whole = all(value is None or WHOLE_NUMBER.fullmatch(value) for value in values)
    return [int(value) if whole and value is not None else value for value in values]


def croissant_of(contexts: ContextSet, rows: "pa.Table", files: Sequence[Path]) -> str:
    """Return the metadata of a context set as JSON. The first of ``files``, its table, has ``rows``."""
    table = files[0]
    records = [_records("contexts", table, [_field("contexts", table, name, rows) for name in rows.column_names])]
    for replicates in (file for file in files if file.name.endswith(REPLICATES)):
        texts = [("template", "sc:Text", {}), ("count", "sc:Float", {}), ("redrawn", "sc:Integer", {"repeated": True})]
        fields = [_described("replicates", replicates, name, kind) | more for name, kind, more in texts]
        records.append(_records("replicates", replicates, fields))
    metadata = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": VERSION,
        "name": table.stem,
        "description": one_line(f"{len(contexts.templates):,} contexts with counts. {contexts.source}"),
        "license": licence_address(contexts.card.licence),
        "citeAs": one_line(cited(contexts)),
        "identifier": contexts_digest(contexts),
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


def _field(records: str, file: Path, column: str, rows: "pa.Table") -> dict[str, Any]:
    return _described(records, file, column, TYPES[str(rows.schema.field(column).type)])


def _described(records: str, file: Path, column: str, kind: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{records}/{column}",
        "name": column,
        "description": meaning_of(column),
        "dataType": kind,
        "source": {"fileObject": {"@id": file.name}, "extract": {"column": column}},
    }
