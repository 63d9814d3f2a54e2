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

BYTES_OF_TYPE = 4
"""The type of an array's elements stands before their number."""
ALWAYS_READ, BYTES_PER_ELEMENT = 2_000_000, 64
"""The elements that arrays of a header may have, and the bytes of the file for each further one.

A vocabulary of 262,000 tokens has 1.3 million. The library takes 6 seconds for a million.
"""


class Reader(gguf.GGUFReader):
    """The library's reader, but on a plain array. Slicing a memory map for each vocabulary token is slow."""

    elements = 0

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, np.asarray(value) if name == "data" else value)

    def _get_field_parts(self, orig_offs: int, raw_type: int) -> Any:
        """Read a value of the header. The library makes objects for each element that an array says it has."""
        if raw_type == gguf.GGUFValueType.ARRAY:
            self._count(orig_offs)
        return super()._get_field_parts(orig_offs, raw_type)

    def _count(self, array_at: int) -> None:
        said = self._get(array_at + BYTES_OF_TYPE, np.uint64)
        self.elements += int(said[0]) if len(said) else 0
        if self.elements > ALWAYS_READ + len(self.data) // BYTES_PER_ELEMENT:
            raise ValueError(f"its {len(self.data):,} bytes say that arrays have {self.elements:,} elements")


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
