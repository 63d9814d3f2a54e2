"""Shards: the blocks in which prompts are scored and stored, and their size."""

from dataclasses import dataclass

SHARDS_WANTED = 48
PROMPTS_IN_SHARD = (128, 16_384)
"""The fewest and the most prompts in a shard; these limits come before the wanted number of shards."""
TEXTS_IN_SHARD = (256, 16_384)
"""The same for texts and thoughts that a model writes, which take it far longer than a prompt whose words it scores."""


@dataclass(frozen=True)
class Shard:
    """A block of questions that are stored together: ``start`` to ``stop`` (excluded), in scoring order."""

    index: int
    start: int
    stop: int


def cut(start: int, stop: int, together: int, samples: int = 0) -> list[tuple[int, int]]:
    """Return the start and stop of each shard. Each block of ``together`` questions stays in one shard.

    ``samples`` is the number of texts or thoughts that the model writes per prompt; 0: it writes neither.
    """
    smallest, largest = (max(1, texts // samples) for texts in TEXTS_IN_SHARD) if samples else PROMPTS_IN_SHARD
    length = min(max(-(-(stop - start) // SHARDS_WANTED), smallest), largest)
    length = max(1, length // together) * together
    return [(begin, min(begin + length, stop)) for begin in range(start, stop, length)]
