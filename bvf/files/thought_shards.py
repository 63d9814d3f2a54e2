"""The file of a shard (block of questions) of thoughts: their texts, and p of the classes after each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from bvf.arrays import FloatArray
from bvf.files.folder import Folder
from bvf.files.parquet import column_of, numbers_in, texts_of
from bvf.files.shard_files import PREFIX, Place, check_probabilities, content_of_shard, samples_in, write_columns
from bvf.interfaces.thoughts import Thought

COLUMNS = ("group", "context", "sample", "thought", "ended")


@dataclass(frozen=True)
class StoredThoughts:
    """The content of a shard of thoughts, a block of N questions (prompts) with K thoughts each.

    Args:
        groups: The group of each question, length N.
        contexts: The key of each question's template, length N.
        thoughts: The thoughts of each question, length N.
        probabilities: p(y | x, c, k) after each thought, shape (N, K, Y); NaN where it is missing.
        remarks: Remarks of the backend on how it read the model.
    """

    groups: Sequence[str]
    contexts: Sequence[str]
    thoughts: Sequence[tuple[Thought, ...]]
    probabilities: FloatArray
    remarks: tuple[str, ...] = ()


def write_thought_shard(folder: Folder, place: Place, classes: Sequence[str], stored: StoredThoughts) -> str:
    """Write the file of a shard of thoughts, with a row per thought, and return its name.

    Raises:
        OSError: The file cannot be written.
    """
    number = stored.probabilities.shape[1]
    groups, contexts = (
        texts_of([name for name in names for _ in range(number)]).dictionary_encode()
        for names in (stored.groups, stored.contexts)
    )
    every = list(chain.from_iterable(stored.thoughts))
    ended = column_of(np.array([each.ended for each in every], np.uint8))
    samples = column_of(np.tile(np.arange(number), len(stored.groups)))
    columns = dict(
        zip(COLUMNS, [groups, contexts, samples, texts_of([each.text for each in every]), ended], strict=True)
    )
    flat = stored.probabilities.reshape(-1, len(classes))
    columns |= {f"{PREFIX}{name}": column_of(flat[:, y]) for y, name in enumerate(classes)}
    return write_columns(folder, place, columns, remarks=stored.remarks)


def read_thought_shard(
    folder: Folder, name: str, classes: Sequence[str], thoughts: int
) -> tuple[Place, StoredThoughts] | None:
    """Return the place and the content of a shard; None: the file is missing, damaged, or of another format.

    ``name`` is that of the file in the folder of the shards; ``thoughts`` is K, the number of thoughts of a question.

    Raises:
        BvfError: The file exists and cannot be read.
    """

    def parse(table: Any, metadata: dict[str, Any]) -> tuple[StoredThoughts, int]:
        stored = _stored(table, classes, thoughts, tuple(map(str, metadata.pop("remarks"))))
        return stored, len(stored.thoughts)

    return content_of_shard(folder, name, parse)


def _stored(table: Any, classes: Sequence[str], thoughts: int, remarks: tuple[str, ...]) -> StoredThoughts:
    """The content of a shard in a table. Raises ValueError if the table was not written by `write_thought_shard`."""
    of_classes = [f"{PREFIX}{name}" for name in classes]
    if table.column_names != [*COLUMNS, *of_classes]:
        raise ValueError("other columns")
    groups, contexts = samples_in(table, thoughts)
    texts, ended = table["thought"].to_pylist(), numbers_in(table["ended"])
    if not all(isinstance(text, str) for text in texts) or not np.isin(ended, (0, 1)).all():
        raise ValueError("no thoughts")
    p = np.column_stack([numbers_in(table[name]) for name in of_classes])
    check_probabilities(p)
    every = [Thought(text, bool(its)) for text, its in zip(texts, ended.tolist(), strict=True)]
    of_questions = [tuple(every[row : row + thoughts]) for row in range(0, len(every), thoughts)]
    shape = len(of_questions), thoughts, len(classes)
    return StoredThoughts(groups, contexts, of_questions, p.reshape(shape), remarks)
