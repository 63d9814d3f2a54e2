"""Protects the user's files: compares the outputs with all that is read, and with each other, before mining."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import combinations
from pathlib import Path

from bvf.errors import BvfError
from bvf.files.corpora import files_of
from bvf.files.pieces import KeyedPieces
from bvf.files.sampling import record_of, replicates_of
from bvf.files.writing import disk_errors_explained
from bvf.mining.config import MineConfig
from bvf.mining.corpus import hub_folder, is_local
from bvf.mining.output import matches_file, output_files

FileId = tuple[int, int]
OTHER_NAME = "choose another name"


def check_outputs(config: MineConfig) -> None:
    """Raise `BvfError` if writing the outputs would overwrite anything, or if one cannot be written."""
    taken = dict(_taken(config))
    outputs = list(_outputs(config))
    for what, file in outputs:
        with disk_errors_explained(f"{what} {file}", OTHER_NAME):
            _check(what, file, taken)
    for (what, file), (other, second) in combinations(outputs, 2):
        if _same(file, second):
            raise BvfError(f"{what} {file}: is also written by {other}", OTHER_NAME)
    for file in output_files(config).values():
        KeyedPieces.beside(file).check()


def _check(what: str, file: Path, taken: dict[FileId, str]) -> None:
    if "\0" in str(file):
        raise BvfError(f"{what} {str(file)!r}: no file can have this name", OTHER_NAME)
    if file.exists() and not file.is_file():
        raise BvfError(f"{what} {file}: is not a file that can be replaced", OTHER_NAME)
    if file.exists() and (other := taken.get(_id(file.stat()))):
        raise BvfError(f"{what} {file}: is also {other}", OTHER_NAME)
    folder = next(parent for parent in file.parents if parent.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise BvfError(f"{what} {file}: {folder} is not a folder that can be written to", OTHER_NAME)


def _outputs(config: MineConfig) -> Iterator[tuple[str, Path]]:
    for source, file in output_files(config).items():
        yield "--out", file
        yield "the record beside --out,", record_of(file)
        yield "the replicates beside --out,", replicates_of(file)
        if config.matches:
            yield "--matches", matches_file(config, source)


def _taken(config: MineConfig) -> Iterator[tuple[FileId, str]]:
    for file in _files_read(config):
        with suppress(OSError, ValueError):
            yield _id(file.stat()), f"{file}, which is read"
    for stream, name in ((sys.stdin, "standard input"), (sys.stdout, "standard output")):
        with suppress(OSError, ValueError, AttributeError):
            yield _id(os.fstat(stream.fileno())), name


def _files_read(config: MineConfig) -> Iterable[Path]:
    for source in config.corpus:
        if is_local(source):
            yield from files_of(source)
        elif folder := hub_folder(source):
            yield from folder.rglob("*")
    yield from (Path(str(name)) for name in (config.topic, *config.plugin) if str(name).endswith((".toml", ".py")))


def _id(stat: os.stat_result) -> FileId:
    return stat.st_dev, stat.st_ino


def _same(file: Path, other: Path) -> bool:
    if file.exists() and other.exists():
        return file.samefile(other)
    return os.path.realpath(file) == os.path.realpath(other)
