"""Stores and reads results. The run's own is ``result.json``, and others are stored under names."""

import re
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from bvf.domain.model_names import model_name
from bvf.errors import BvfError, nearest
from bvf.files.digests import digest_of_bytes
from bvf.files.folder import ANALYSES, KEPT, RESULT, Folder, run_at
from bvf.files.parsing import parse_json
from bvf.files.writing import OTHER_FOLDER, disk_errors_explained, is_read_only
from bvf.hooks.loader import Plugins, load
from bvf.hooks.provider import imported
from bvf.hooks.registry import Entry
from bvf.results.result import ResultBase
from bvf.results.unknown import UnknownAnalysis, UnknownResult
from bvf.study.analysis import Analysis
from bvf.study.config import Given

R = TypeVar("R", bound=ResultBase)
NAME = re.compile(r"\w[\w-]*")
"""The form of the name of a kept analysis."""
NOT_STORED = "not stored: nothing can be written to the folder"
OURS = {"bvf.result/3": "bvf.analyses.risk.result:Result"}
"""The classes of bvf's own results by schema, which spare the search in plugins."""


class OtherVersionError(BvfError):
    """A stored result is of another version of bvf. Its probabilities can be analysed again."""


def kept_result(folder: Path, result: R) -> R:
    """Store a result as ``result.json`` and as ``analyses/CRITERION.DIGEST.json``. DIGEST is a digest of its bytes.

    A result has no time in it: the same analysis gives the same bytes. The returned result knows its folder. If the
    folder is read-only and lacks the result, a note in the returned result says that it was not stored.

    Raises:
        BvfError: Writing failed for another reason.
    """
    content, run = _content_of(result), run_at(folder)
    kept = analysis_file(content, result)
    if not is_read_only(folder):
        _write(run.sub(ANALYSES), kept, content)
        _write(run, RESULT, content)
    elif not run.sub(ANALYSES).exists(kept):
        result = result.model_copy(update={"notes": (*result.notes, NOT_STORED)})
    result._folder = folder
    return result


def keep_under(name: str, folder: Path, result: ResultBase) -> None:
    """Store a further result of a run as ``FOLDER/kept/NAME.DIGEST.json``. Its ``result.json`` stays unchanged.

    Raises:
        BvfError: A different result is kept under this name, or the folder cannot be written.
    """
    content, kept = _content_of(result), run_at(folder).sub(KEPT)
    file = f"{name}.{digest_of_bytes(content)}.json"
    there = kept_file(folder, name)
    if there is not None and there != kept.path / file:
        raise BvfError(f"--save-as {name}: {there} is another analysis", "choose another name, or remove that file")
    _write(kept, file, content)


def refuse_name(name: str, plugins: Plugins) -> None:
    """Raise `BvfError` for a name under which no analysis can be stored.

    Such a name is unfit for files, or is that of an installed analysis.
    """
    if not NAME.fullmatch(name):
        raise BvfError(f'--save-as "{name}": a name has letters, digits, _ and - alone', "write --save-as mean")
    for entry in plugins.analyses:
        if entry.provider.name == name:
            owner = entry.owner.plugin
            raise BvfError(f"--save-as {name}: this is an analysis of the plugin {owner}", "choose another name")


def kept_file(folder: Path, name: str) -> Path | None:
    """Return the file of the analysis stored under a name; None if there is none."""
    kept = run_at(folder).sub(KEPT)
    return next(
        (kept.path_of(file) for file in kept.names() if NAME.fullmatch(name) and file.startswith(f"{name}.")), None
    )


def kept_names(folder: Path) -> list[str]:
    """Return the names under which analyses are stored in the folder of a run."""
    return sorted(name.partition(".")[0] for name in run_at(folder).sub(KEPT).names())


def read_result(folder: Path | str, plugins: Plugins | None = None, *, analysis: str = "") -> Any:
    """Read the result in the folder of a run. Neither the model nor the criterion's plugin is needed.

    The copy of the result in ``analyses`` has the digest of its bytes in its name, which shows damage on a disk, though
    not a change of both files on purpose.

    Args:
        folder: The folder of a run.
        plugins: Where analyses are looked up; what is installed if None.
        analysis: The name under which another analysis is kept; empty: the one that the measurement was run with.

    Raises:
        BvfError: There is no such result, its bytes do not match their digest, or it has another schema.
    """
    folder = Path(folder)
    run = run_at(folder)
    file = kept_file(folder, analysis) if analysis else folder / RESULT
    if file is None:
        raise BvfError(f'{folder}: no analysis is kept as "{analysis}"', nearest(analysis, kept_names(folder)))
    content = (run.sub(KEPT) if analysis else run).read_bytes(file.name)
    if content is None:
        if not run.is_there():
            raise BvfError(f"{folder}: there is no such folder", "bvf run --out DIR makes one")
        raise BvfError(
            f"{file}: cannot be read: no such file", "a run that was cut off has no result yet: run it again"
        )
    ending = f".{digest_of_bytes(content)}.json"
    if not any(name.endswith(ending) for name in run.sub(KEPT if analysis else ANALYSES).names()):
        raise BvfError(f"{file}: not as it was written", "run the same command again: what is scored is kept")
    result = parsed_result(content, str(file), plugins)
    result._folder = folder
    result._kept_as = analysis
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
        raise OtherVersionError(
            f"{where}: not a result of this version of bvf", "bvf analyse DIR analyses the stored answers again"
        ) from error
    if not made.model_path:
        made = made.model_copy(update={"model": model_name(made.model), "model_path": made.model})
    made._given = Given({})
    return made


def analysis_of(result: ResultBase, plugins: Plugins) -> Analysis[Any]:
    """Return the analysis that made a result; if not installed, an `UnknownAnalysis`, which shows common fields.

    Raises:
        BvfError: ``plugins`` do not have it, although the plugins with which the result was read did.
    """
    if isinstance(result, UnknownResult):
        return UnknownAnalysis(plugins)
    for entry, results in results_by_analysis(plugins):
        if results is type(result):
            made: Analysis[Any] = plugins.analyses.make(result.analysis) if result.analysis else entry.make()
            return made
    hint = "" if isinstance(result, ResultBase) else "bvf.read_result(FOLDER) returns the result of a run"
    raise BvfError(f"no analysis is installed that has results such as {type(result).__name__}", hint)


def results_by_analysis(plugins: Plugins) -> Iterator[tuple[Entry[Any], type[ResultBase]]]:
    """Yield each analysis, those of bvf first, with the class of its results. Of others, one that fails is left out."""
    for entry in sorted(plugins.analyses, key=lambda entry: not entry.is_ours):
        with nullcontext() if entry.is_ours else suppress(BvfError):
            yield entry, getattr(entry.callable(), "results", None) or entry.make().results  # made: a function makes it


def _class_of(schema: str, plugins: Plugins | None) -> type[ResultBase]:
    if schema in OURS:
        ours: type[ResultBase] = imported(OURS[schema])
        return ours
    for _, results in results_by_analysis(plugins or load()):
        if results.model_fields["schema_"].default == schema:
            return results
    if schema.startswith("bvf."):
        raise KeyError(schema)
    return UnknownResult


def analysis_file(content: bytes, result: ResultBase) -> str:
    """Return the name of the file in ``FOLDER/analyses`` where a result with these bytes is stored."""
    slug = re.sub(r"[^A-Za-z0-9]+", "-", result.criterion).strip("-") or "analysis"
    return f"{slug}.{digest_of_bytes(content)}.json"


def _content_of(result: ResultBase) -> bytes:
    return (result.model_dump_json(by_alias=True, indent=1) + "\n").encode()


def _write(folder: Folder, name: str, content: bytes) -> None:
    """Write a file in the folder of a run or in one below, unless it already has this content."""
    with disk_errors_explained(folder.root, OTHER_FOLDER):
        if folder.read_bytes(name) != content:
            folder.write(name, content)
