"""Stores and reads results: a file for every analysis of a measurement, and the newest as ``result.json``."""

import re
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from bvf.domain.model_names import model_name
from bvf.errors import BvfError
from bvf.files.digests import digest_of_bytes
from bvf.files.parsing import is_file, parse_json, read_bytes
from bvf.files.writing import OTHER_FOLDER, disk_errors_explained, is_read_only, replacing
from bvf.hooks.imported import imported
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.analysis import Analysis
from bvf.results.result import ResultBase

R = TypeVar("R", bound=ResultBase)
RESULT = "result.json"
ANALYSES = "analyses"
NOT_STORED = "not stored: nothing can be written to the folder"
OURS = {
    "bvf.result/3": "bvf.analyses.risk.result:Result",
    "bvf.knowledge/3": "bvf.analyses.knowledge.result:KnowledgeResult",
}
"""The classes of bvf's own results by schema, which spare the search in plugins."""


def kept_result(folder: Path, result: R) -> R:
    """Store a result as ``result.json`` and as ``analyses/CRITERION.DIGEST.json``; DIGEST is a digest of its bytes.

    A result has no time in it: the same analysis gives the same bytes. The returned result knows its folder; if that
    is read-only and the result is not in it yet, a note says that it was not stored.

    Raises:
        BvfError: Writing failed for another reason.
    """
    content = (result.model_dump_json(by_alias=True, indent=1) + "\n").encode()
    kept = analysis_file(folder, content, result)
    if not is_read_only(folder):
        with disk_errors_explained(folder, OTHER_FOLDER):
            (folder / ANALYSES).mkdir(exist_ok=True)
            for file in (kept, folder / RESULT):
                if not (is_file(file) and file.read_bytes() == content):
                    with replacing(file) as out:
                        out.write(content)
    elif not is_file(kept):
        result = result.model_copy(update={"notes": (*result.notes, NOT_STORED)})
    result._folder = folder
    return result


def read_result(folder: Path | str, plugins: Plugins | None = None) -> Any:
    """Read the newest result in the folder of a run; neither the model nor the criterion's plugin is needed.

    The copy of the result in ``analyses`` has the digest of its bytes in its name, which shows damage on a disk, though
    not a change of both files on purpose.

    Raises:
        BvfError: There is no finished result, its bytes do not match their digest, or it has another schema.
    """
    file = Path(folder) / RESULT
    if not is_file(file):
        raise BvfError(
            f"{file}: cannot be read: no such file", "a run that was cut off has no result yet: run it again"
        )
    content = read_bytes(file)
    if not list((Path(folder) / ANALYSES).glob(f"*.{digest_of_bytes(content)}.json")):
        raise BvfError(f"{file}: not as it was written", "run the same command again: what is scored is kept")
    result = parsed_result(content, str(file), plugins)
    result._folder = Path(folder)
    return result


def parsed_result(content: bytes, where: str, plugins: Plugins | None = None) -> ResultBase:
    """Parse the bytes of a result file.

    Raises:
        BvfError: The bytes are not a result, or its schema is unknown.
    """
    try:
        raw = parse_json(content.decode(), where)
        made: ResultBase = _class_of(raw["schema"], plugins).model_validate(raw)
    except (UnicodeDecodeError, KeyError, TypeError, ValidationError) as error:
        raise BvfError(f"{where}: not a result of this version of bvf") from error
    if made.model_path:
        return made
    return made.model_copy(update={"model": model_name(made.model), "model_path": made.model})


def analysis_of(result: ResultBase, plugins: Plugins) -> Analysis[Any]:
    """Return the analysis that computed a result.

    Raises:
        BvfError: The analysis is not installed.
    """
    for entry in plugins.analyses:
        analysis: Analysis[Any] = entry.make()
        if analysis.results is type(result):
            return analysis
    raise BvfError(f"no analysis is installed that has results such as {type(result).__name__}")


def _class_of(schema: str, plugins: Plugins | None) -> type[ResultBase]:
    if schema in OURS:
        ours: type[ResultBase] = imported(OURS[schema])
        return ours
    for entry in (plugins or load()).analyses:
        results: type[ResultBase] = entry.make().results
        if results.model_fields["schema_"].default == schema:
            return results
    raise KeyError(schema)


def analysis_file(folder: Path, content: bytes, result: ResultBase) -> Path:
    """Return the path under ``FOLDER/analyses`` where a result with these bytes is stored."""
    slug = re.sub(r"[^A-Za-z0-9]+", "-", result.criterion).strip("-") or "analysis"
    return folder / ANALYSES / f"{slug}.{digest_of_bytes(content)}.json"
