"""GGUF files. Each has configuration, tokenizer and weights."""

import importlib.util
import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bvf.errors import BvfError
from bvf.interfaces.backend import ModelRequest
from bvf_transformers.loading.checkpoint import GGUF
from bvf_transformers.loading.fit import check_counts

MAGIC = b"GGUF"
NEEDED = ("gguf", "accelerate")


class Contents(NamedTuple):
    """The contents of a GGUF file's header.

    Args:
        settings: The numeric settings, by the last part of their names.
        texts: The settings that are texts, by their whole names.
        shapes: Shape of every tensor, by name.
        name: The model name in the file; empty if it has none.
        parts: Into how many files the model was split.
    """

    settings: dict[str, float]
    texts: dict[str, str]
    shapes: dict[str, tuple[int, ...]]
    name: str
    parts: int = 1


def gguf_file(request: ModelRequest) -> Path | None:
    """Return the GGUF file that a request names; None if it names a folder or hub id."""
    path = Path(request.model)
    return path if path.suffix == GGUF else None


def check_gguf(path: Path) -> None:
    """Refuse a GGUF file that is missing or damaged, has settings unfit for its weights, or needs a missing library."""
    if not path.is_file():
        raise BvfError(f"--model {path}: there is no such file", "give a GGUF file, a folder, or a hub id")
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise BvfError(f"{path}: GGUF files need {missing[0]}, which is not installed", "pip install 'bvf[gguf]'")
    with path.open("rb") as content:
        if content.read(len(MAGIC)) != MAGIC:
            raise BvfError(f"{path}: not a GGUF file: it does not begin with GGUF", "download or convert it again")
    contents = contents_of(path)
    settings, shapes = contents.settings, contents.shapes
    if contents.parts > 1:
        raise BvfError(
            f"{path}: one of {contents.parts} parts of a model",
            "join them with llama.cpp: llama-gguf-split --merge FIRST-PART.gguf WHOLE.gguf",
        )
    check_counts(settings, shapes, str(path))
    layers = {name.split(".")[1] for name in shapes if name.startswith("blk.")}
    if len(layers) > settings.get("block_count", 0):
        raise BvfError(
            f"{path}: the weights have {len(layers)} layers, and the settings say {settings.get('block_count')}",
            "download or convert it again",
        )


def contents_of(path: Path) -> Contents:
    """Return the header of a GGUF file, cached while the file is unchanged. Refuses a damaged file."""
    status = path.stat()
    return _contents(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=4)
def _contents(path: Path, _size: int, _changed: int) -> Contents:
    from bvf_transformers.loading.gguf_reader import reader_of

    try:
        reader = reader_of(path)
        values = {name: field.contents() for name, field in reader.fields.items() if len(field.types) == 1}
        shapes = {str(tensor.name): tuple(map(int, tensor.shape)) for tensor in reader.tensors}
    except Exception as error:  # on a truncated file the reader may raise many kinds of errors
        raise BvfError(f"{path}: damaged or cut off: {error}", "copy or download the file again") from error
    numbers = {name.rpartition(".")[2]: value for name, value in values.items() if isinstance(value, int | float)}
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    return Contents(numbers, texts, shapes, texts.get("general.name", ""), int(values.get("split.count", 1)))


@contextmanager
def reading(request: ModelRequest) -> Iterator[None]:
    """In the block, let the library parse the request's GGUF file only once. It shows no progress bar."""
    if gguf_file(request) is None:
        yield
        return
    from bvf_transformers.loading.gguf_reader import parsed_once

    with parsed_once(), redirect_stderr(io.StringIO()):
        yield


def forget(request: ModelRequest) -> None:
    """Free the memory of the parsed GGUF file, once its model is loaded."""
    if gguf_file(request):
        from bvf_transformers.loading.gguf_reader import forget_reader

        forget_reader()
