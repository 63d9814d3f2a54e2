"""Parses a GGUF file once. The library would parse it for configuration, tokenizer and weights each."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from transformers import AutoConfig, PreTrainedConfig

from bvf_transformers.loading.gguf_settings import carry_over, take_left_out

LENGTH = struct.Struct("=Q")
LONGEST = 1024
"""The longest list of numbers that can be a setting; a longer one belongs to the vocabulary."""
TOKENS = "tokenizer.ggml.tokens"
ALWAYS_READ, BYTES_PER_ELEMENT = 2_000_000, 64
"""The elements of lists that the library may read, and the bytes of the file for each further one.

It takes 6 seconds for a million.
"""


class Reader(gguf.GGUFReader):
    """The library's reader, but on a plain array, and with the vocabulary as one piece.

    The library's makes several objects of each token, score and merge, and whoever asks it for a configuration or for
    weights converts them all once more. The library itself reads the vocabulary in another way.
    """

    elements = 0

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, np.asarray(value) if name == "data" else value)

    def _get_field_parts(self, orig_offs: int, raw_type: int) -> Any:
        """Return size, parts, places of the values among them, and types of a field. A vocabulary has no places."""
        if raw_type == gguf.GGUFValueType.ARRAY and self.byte_order == "I":
            kind, count = self._get(orig_offs, np.uint32), self._get(orig_offs + 4, np.uint64)
            size = self._bytes_of_vocabulary(orig_offs + 12, gguf.GGUFValueType(kind[0]), int(count[0]))
            if size:
                content = self._get(orig_offs + 12, np.uint8, size)
                return 12 + size, [kind, count, content], [], [raw_type, gguf.GGUFValueType(kind[0])]
        if raw_type == gguf.GGUFValueType.ARRAY:
            self._refuse_too_many(int(self._get(orig_offs + 4, np.uint64)[0]))
        return super()._get_field_parts(orig_offs, raw_type)

    def _refuse_too_many(self, more: int) -> None:
        """Count the elements that the library is about to read one by one, as a header says any number."""
        self.elements += more
        if self.elements > ALWAYS_READ + len(self.data) // BYTES_PER_ELEMENT:
            raise ValueError(f"its {len(self.data):,} bytes say that lists have {self.elements:,} entries")

    def _bytes_of_vocabulary(self, start: int, kind: Any, count: int) -> int:
        """The bytes of a list of texts, or of a long list of numbers. 0 for another list."""
        end = start
        if kind == gguf.GGUFValueType.STRING:
            content: Any = self.data
            for _ in range(count):
                end += LENGTH.size + LENGTH.unpack_from(content, end)[0]
        elif count > LONGEST and kind in self.gguf_scalar_to_np:
            end += count * np.dtype(self.gguf_scalar_to_np[kind]).itemsize
        if end > len(self.data):
            raise ValueError(f"it says that a list has {count:,} entries, and the file is too short for them")
        return end - start

    def texts_of(self, name: str) -> list[str]:
        """Return a field that is a list of texts, such as the tokens of the vocabulary."""
        content = self.fields[name].parts[-1].tobytes()
        texts, start = [], 0
        while start < len(content):
            first = start + LENGTH.size
            start = first + LENGTH.unpack_from(content, start)[0]
            texts.append(content[first:start].decode())
        return texts

    def number_of_tokens(self) -> int:
        """Return the size of the vocabulary."""
        return int(self.fields[TOKENS].parts[-2][0]) if TOKENS in self.fields else 0


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
    if not config.get_text_config().vocab_size:  # the library counts the tokens, which `Reader` leaves out
        config.get_text_config().vocab_size = reader_of(path).number_of_tokens()
    reader = reader_of(path)
    architecture = reader.fields["general.architecture"].contents()
    own = {name: field.contents() for name, field in reader.fields.items() if name.startswith(f"{architecture}.")}
    carry_over(config, own, path)
    return config


def check_whole(model: Any, path: Path) -> None:
    """Refuse a model that lacks something of the GGUF file that it was read from, and let it turn positions as that."""
    reader = reader_of(path)
    tensors = {str(tensor.name): tensor.data for tensor in reader.tensors}
    take_left_out(model, tensors, reader.fields["general.architecture"].contents(), path)


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
