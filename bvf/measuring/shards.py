"""Shards: the blocks in which prompts are scored and stored, and their size."""

from dataclasses import dataclass

SHARDS_WANTED = 48
PROMPTS_IN_SHARD = (128, 16_384)
"""The fewest and the most prompts in a shard; these limits come before the wanted number of shards."""


@dataclass(frozen=True)
class Shard:
    """A block of questions that are stored together: ``start`` to ``stop`` (excluded), in scoring order."""

    index: int
    start: int
    stop: int


def cut(start: int, stop: int, together: int) -> list[tuple[int, int]]:
    """Return the start and stop of each shard. Each block of ``together`` questions stays in one shard."""
    smallest, largest = PROMPTS_IN_SHARD
    length = min(max(-(-(stop - start) // SHARDS_WANTED), smallest), largest)
    length = max(1, length // together) * together
    return [(begin, min(begin + length, stop)) for begin in range(start, stop, length)]
