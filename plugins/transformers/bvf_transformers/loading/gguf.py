"""GGUF files: one file with configuration, tokenizer and weights."""

import importlib.util
import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from bvf.errors import BvfError
from bvf.interfaces.backend import ModelRequest
from bvf_transformers.loading.limits import check_counts

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

MAGIC = b"GGUF"
GGUF = ".gguf"
NEEDED = ("gguf", "accelerate")


def gguf_file(request: ModelRequest) -> Path | None:
    """Return the GGUF file that a request names, or None if it names something else."""
    path = Path(request.model)
    return path if path.suffix == GGUF else None


def check_gguf(path: Path) -> None:
    """Check a GGUF file before its weights are unpacked.

    Raises:
        BvfError: It is missing, no GGUF file, cut off, its settings belong to other weights, or the libraries that read
            it are not installed.
    """
    if not path.is_file():
        raise BvfError(f"--model {path}: there is no such file", "give a GGUF file, a folder, or a hub id")
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise BvfError(f"{path}: GGUF files need {missing[0]}, which is not installed", "pip install 'bvf[gguf]'")
    with path.open("rb") as content:
        if content.read(len(MAGIC)) != MAGIC:
            raise BvfError(f"{path}: not a GGUF file: it does not begin with GGUF", "download or convert it again")
    settings, shapes, _ = _contents_now(path)
    check_counts(settings, shapes, str(path))
    layers = {name.split(".")[1] for name in shapes if name.startswith("blk.")}
    if len(layers) > settings.get("block_count", 0):
        raise BvfError(
            f"{path}: the weights have {len(layers)} layers, and the settings say {settings.get('block_count')}",
            "download or convert it again",
        )


@contextmanager
def reading(request: ModelRequest) -> Iterator[None]:
    """Let the library read a model: a GGUF file is parsed once, and unpacked without the library's progress bar."""
    if gguf_file(request) is None:
        yield
        return
    from bvf_transformers.loading.gguf_reader import parsed_once

    with parsed_once(), redirect_stderr(io.StringIO()):
        yield


def config_in_gguf(path: Path) -> "PreTrainedConfig":
    """Return the configuration in a GGUF file."""
    from bvf_transformers.loading.gguf_reader import config_of

    return config_of(path)


def forget(request: ModelRequest) -> None:
    """Let go of what was parsed of a GGUF file, once its model is loaded."""
    if gguf_file(request):
        from bvf_transformers.loading.gguf_reader import forget_reader

        forget_reader()


def shapes_in_gguf(path: Path) -> dict[str, tuple[int, ...]]:
    """Return the shape of every tensor of a GGUF file.

    Raises:
        BvfError: It is damaged or cut off.
    """
    return _contents_now(path)[1]


def name_in_gguf(path: Path) -> str:
    """Return what a GGUF file calls its model; empty if it does not say.

    Raises:
        BvfError: It is damaged or cut off.
    """
    return _contents_now(path)[2]


def _contents_now(path: Path) -> tuple[dict[str, float], dict[str, tuple[int, ...]], str]:
    status = path.stat()
    return _contents(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=4)
def _contents(path: Path, _size: int, _changed: int) -> tuple[dict[str, float], dict[str, tuple[int, ...]], str]:
    """The numbers in the settings of a GGUF file, by the ends of their names, the shapes of its tensors, its name."""
    from bvf_transformers.loading.gguf_reader import reader_of

    try:
        reader = reader_of(path)
        values = {
            name.rpartition(".")[2]: field.contents() for name, field in reader.fields.items() if len(field.types) == 1
        }
        name = reader.fields["general.name"].contents() if "general.name" in reader.fields else ""
        shapes = {str(tensor.name): tuple(map(int, tensor.shape)) for tensor in reader.tensors}
    except Exception as error:  # the reader runs over the end of a file that is cut off in as many ways as it has parts
        raise BvfError(f"{path}: damaged or cut off: {error}", "copy or download the file again") from error
    return {name: value for name, value in values.items() if isinstance(value, int | float)}, shapes, str(name)
