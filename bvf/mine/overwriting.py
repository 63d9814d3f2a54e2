"""Nothing of the user's is overwritten: outputs are compared with what is read, and with each other, beforehand."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import combinations
from pathlib import Path

from bvf.contextfile import record_of
from bvf.corpus import HUB, is_local
from bvf.corpusfile import files_of
from bvf.errors import BvfError
from bvf.mine.config import MineConfig
from bvf.mine.kept import Kept
from bvf.mine.output import matches_file, output_files
from bvf.writing import disk_errors_explained

IDENTITY = tuple[int, int]


def check_outputs(config: MineConfig) -> None:
    """See that nothing is lost when the outputs are written.

    Raises:
        BvfError: An output is a device or a folder, is also an input or another output, or cannot have its name; or the
            folder of pieces is the user's.
    """
    taken = dict(_taken(config))
    with disk_errors_explained(config.out, "say another name"):
        outputs = list(_outputs(config))
        for what, file in outputs:
            if file.exists() and not file.is_file():
                raise BvfError(f"{what} {file}: is no file that can be replaced", "say another name")
            if file.exists() and (other := taken.get(_identity(file.stat()))):
                raise BvfError(f"{what} {file}: is also {other}", "say another name")
        for (what, file), (other, second) in combinations(outputs, 2):
            if os.path.realpath(file) == os.path.realpath(second) or _same(file, second):
                raise BvfError(f"{what} {file}: is also written by {other}", "say another name")
        for file in output_files(config).values():
            Kept.beside(file).check()


def _outputs(config: MineConfig) -> Iterator[tuple[str, Path]]:
    for source, file in output_files(config).items():
        yield "--out", file
        yield "the record beside --out,", record_of(file)
        if config.matches:
            yield "--matches", matches_file(config, source)


def _taken(config: MineConfig) -> Iterator[tuple[IDENTITY, str]]:
    for file in _files_read(config):
        with suppress(OSError, ValueError):
            yield _identity(file.stat()), f"{file}, which is read"
    for stream, name in ((sys.stdin, "standard input"), (sys.stdout, "standard output")):
        with suppress(OSError, ValueError, AttributeError):
            yield _identity(os.fstat(stream.fileno())), name


def _files_read(config: MineConfig) -> Iterable[Path]:
    for source in config.corpus:
        if is_local(source):
            yield from files_of(source)
        elif source.startswith(HUB):
            yield from Path(source.removeprefix(HUB)).rglob("*")
    yield from (Path(name) for name in (config.topic, *config.plugin) if name.endswith((".toml", ".py")))


def _identity(stat: os.stat_result) -> IDENTITY:
    return stat.st_dev, stat.st_ino


def _same(file: Path, other: Path) -> bool:
    return file.exists() and other.exists() and file.samefile(other)
