"""The file of a shard (block of questions) of generated texts: the texts, and the numbers of the questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from bvf.files.folder import Folder
from bvf.files.parquet import column_of, texts_of
from bvf.files.shard_files import Place, content_of_shard, samples_in, write_columns
from bvf.interfaces.texts import Texts

COLUMNS = ("group", "context", "sample", "text")


@dataclass(frozen=True)
class StoredTexts:
    """The content of a shard of texts, a block of N questions (prompts) that were answered and stored together.

    Args:
        groups: The group of each question, length N.
        contexts: The key of each question's template, length N.
        texts: The texts of each question, length N.
    """

    groups: Sequence[str]
    contexts: Sequence[str]
    texts: Sequence[Texts]


def write_text_shard(folder: Folder, place: Place, stored: StoredTexts) -> str:
    """Write the file of a shard of texts, with a row per text, and return its name.

    Raises:
        OSError: The file cannot be written.
    """
    numbers = [len(texts) for texts in stored.texts]
    repeated = [
        [name for name, n in zip(names, numbers, strict=True) for _ in range(n)]
        for names in (stored.groups, stored.contexts)
    ]
    groups, contexts = (texts_of(names).dictionary_encode() for names in repeated)
    samples = np.concatenate([np.arange(n) for n in numbers]) if numbers else np.empty(0, np.int64)
    columns = [groups, contexts, column_of(samples), texts_of(list(chain.from_iterable(stored.texts)))]
    return write_columns(folder, place, dict(zip(COLUMNS, columns, strict=True)))


def read_text_shard(folder: Folder, name: str, samples: int) -> tuple[Place, StoredTexts] | None:
    """Return the place and the content of a shard; None: the file is missing, damaged, or of another format.

    ``name`` is that of the file in the folder of the shards, and ``samples`` is the number of texts of each question.

    Raises:
        BvfError: The file exists and cannot be read.
    """

    def parse(table: Any, _: dict[str, Any]) -> tuple[StoredTexts, int]:
        stored = _stored(table, samples)
        return stored, len(stored.texts)

    return content_of_shard(folder, name, parse)


def _stored(table: Any, samples: int) -> StoredTexts:
    """The content of a shard in a table. Raises ValueError if the table was not written by `write_text_shard`."""
    if tuple(table.column_names) != COLUMNS:
        raise ValueError("other columns")
    groups, contexts = samples_in(table, samples)
    texts = table["text"].to_pylist()
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("no texts")
    rows = range(0, len(texts), samples)
    return StoredTexts(groups, contexts, [tuple(texts[row : row + samples]) for row in rows])
