"""A part of a job shared by processes that do not communicate: every n-th task of the job."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from bvf.errors import BvfError

WRITTEN = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


@dataclass(frozen=True)
class JobPart:
    """One of ``of`` equal parts of a job: part ``number``, from 1, has every ``of``-th task."""

    number: int
    of: int

    def takes(self, index: int) -> bool:
        """Return whether the task with this index, from 0, is in this part. Each task is in exactly one part.

        >>> [index for index in range(10) if JobPart(2, 4).takes(index)]
        [1, 5, 9]
        """
        return index % self.of == self.number - 1

    def numbers_of(self, indices: Iterable[int]) -> list[int]:
        """Return the sorted numbers of the parts of this job to which the tasks with these indices belong."""
        return sorted({index % self.of + 1 for index in indices})

    def named(self, numbers: Sequence[int]) -> str:
        """Return a phrase that names parts of this job by their ascending numbers.

        >>> JobPart(1, 16).named([3]), JobPart(1, 16).named([1, 2, 7])
        ('part 3 of 16', 'parts 1-2,7 of 16')
        """
        return f"part{'s' * (len(numbers) > 1)} {listed(numbers)} of {self.of}"

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @classmethod
    def parse(cls, text: str) -> "JobPart":
        """Return the part of a job that a text such as ``3/16`` (part 3 of 16) names.

        Raises:
            BvfError: The text does not name a part.
        """
        match = WRITTEN.fullmatch(text.strip())
        if match is None:
            raise BvfError(f'"{text}" is not a part', "write I/N, e.g. 3/16 for the third of sixteen")
        part = cls(int(match[1]), int(match[2]))
        if not 1 <= part.number <= part.of:
            last = f"1/{part.of} to {part.of}/{part.of}" if part.of else "e.g. 1/16 to 16/16"
            raise BvfError(f"there is no part {part}", f"parts are counted from 1: {last}")
        return part


def listed(numbers: Iterable[int]) -> str:
    """Return ascending numbers as text, with ranges for consecutive ones. The form is that of ``sbatch --array``.

    >>> listed([1, 2, 3, 5, 8, 9])
    '1-3,5,8-9'
    """
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), lambda each: each[1] - each[0])]
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
