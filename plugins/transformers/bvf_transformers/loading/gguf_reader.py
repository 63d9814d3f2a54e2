"""Parses a GGUF file once. The library would parse it for configuration, tokenizer and weights each."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from transformers import AutoConfig, PreTrainedConfig


class Reader(gguf.GGUFReader):
    """The library's reader, but on a plain array. Slicing a memory map for each vocabulary token is slow."""

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, np.asarray(value) if name == "data" else value)


def reader_of(path: Path) -> Reader:
    """Return a parsed GGUF file, cached while the file is unchanged. A damaged file may raise any error."""
    status = path.stat()
    return _parsed(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=1)
def _parsed(path: Path, _size: int, _changed: int) -> Reader:
    return Reader(path)


def forget_reader() -> None:
    """Free the GGUF file that was parsed last. A large vocabulary takes hundreds of megabytes."""
    _parsed.cache_clear()


def config_of(path: Path) -> PreTrainedConfig:
    """Return a copy of the configuration in a GGUF file, cached while the file is unchanged."""
    status = path.stat()
    return deepcopy(_config(path, status.st_size, status.st_mtime_ns))


@lru_cache(maxsize=1)
def _config(path: Path, _size: int, _changed: int) -> PreTrainedConfig:
    config: PreTrainedConfig = AutoConfig.from_pretrained(str(path.parent), gguf_file=path.name)
    return config


@contextmanager
def parsed_once() -> Iterator[None]:
    """Let the transformers library reuse the parsed file and one table of tensor names in the block.

    It builds that table once per part of a model, which takes as long as loading a layer.
    """
    library: Any = gguf
    of_library = library.GGUFReader, library.get_tensor_name_map
    library.GGUFReader = lambda path: reader_of(Path(path))
    library.get_tensor_name_map = lru_cache(maxsize=1)(library.get_tensor_name_map)
    try:
        yield
    finally:
        library.GGUFReader, library.get_tensor_name_map = of_library
