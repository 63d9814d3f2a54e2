"""Selects some of a topic's groups, by name or at random."""

from collections import Counter
from collections.abc import Sequence

from pydantic import Field

from bvf.domain.numbers import Count
from bvf.domain.record import Record
from bvf.domain.spelling import plain_letters
from bvf.errors import BvfError, nearest

GROUPS_HELP = "Only these groups, or subjects of knowledge. A name with a comma in it takes a --groups of its own."


class Selection(Record):
    """How groups were selected."""

    of: Count = Field(description="Number of groups that they were selected from")
    seed: Count | None = Field(None, description="Seed by which they were drawn; null: they were named")

    @property
    def how(self) -> str:
        """One word: drawn or chosen."""
        return "chosen" if self.seed is None else "drawn"

    def __str__(self) -> str:
        return f"{self.how} by {'name' if self.seed is None else f'the seed {self.seed}'}"


def named_groups(texts: Sequence[str], known: Sequence[str], whose: str) -> tuple[str, ...]:
    """Return the groups that the values of ``--groups`` name, in the order of ``known``.

    A value is the name of a group, or several names with commas between them. ``whose`` says in messages which groups
    are known.

    Raises:
        BvfError: A name is empty, unknown or repeated.
    """
    known_names = set(known)
    spelt = [plain_letters(text) for text in texts]
    names = [name.strip() for text in spelt for name in ([text] if text.strip() in known_names else text.split(","))]
    for name, times in Counter(names).items():
        if not name:
            raise BvfError("--groups: a name is empty", "write names with commas between them: --groups nurse,captain")
        if name not in known_names:
            raise BvfError(f'--groups: "{name}" is not one of the groups {whose}', nearest(name, list(known)))
        if times > 1:
            raise BvfError(f'--groups: "{name}" occurs {times} times', "name every group once")
    chosen = set(names)
    return tuple(group for group in known if group in chosen)


def drawn_groups(groups: Sequence[str], number: int, seed: int) -> tuple[str, ...]:
    """Draw ``number`` groups at random, without replacement. A larger ``number`` only adds groups to the draw."""
    import numpy as np  # which --help does without

    drawn = np.argsort(np.random.default_rng([seed, len(groups)]).random(len(groups)))[:number]
    return tuple(groups[place] for place in sorted(drawn.tolist()))
