"""GGUF files. Each has configuration, tokenizer and weights."""

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bvf import BvfError, ModelRequest
from bvf_transformers.loading.checkpoint import GGUF


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
