"""The metadata of a data set in the Croissant format of MLCommons: JSON-LD that hubs and search engines read."""

import json
from collections.abc import Sequence
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bvf import ContextSet
from bvf.files import REPLICATES, cited, contexts_digest, sha256_of
from bvf_report.export.contexts.licence import licence_address
from bvf_report.export.contexts.table import meaning_of
from bvf_report.export.names import one_line

if TYPE_CHECKING:
    import pyarrow as pa

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
