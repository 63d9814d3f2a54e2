"""Selects some of a topic's groups, by name or at random."""

from collections import Counter
from collections.abc import Sequence, Set

from pydantic import Field

from bvf.domain.numbers import Count, Record
from bvf.domain.spelling import plain_letters
from bvf.errors import BvfError, nearest, shortened

GROUPS_HELP = (
    "Only these groups, or subjects of knowledge; bvf run asks names that the topic does not have as well. A name with "
    "a comma in it takes a --groups of its own, and = before a name says that its spelling is meant."
)
LETTERS_OF_A_SLIP = 2
"""A name with so few letters other than a known one is refused: it may be a slip."""


class Selection(Record):
    """How groups were selected."""

    of: Count = Field(description="Number of groups that they were selected from")
    own: tuple[str, ...] = Field((), description="Those of them that the topic does not have")
    seed: Count | None = Field(None, description="Seed by which they were drawn; null: they were named")

    @property
    def how(self) -> str:
        """One word: drawn or chosen."""
        return "chosen" if self.seed is None else "drawn"

    def __str__(self) -> str:
        return f"{self.how} by {'name' if self.seed is None else f'the seed {self.seed}'}{self.with_own}"

    @property
    def with_own(self) -> str:
        """What is said of groups that the topic does not have, behind other words."""
        return f"; your own: {shortened(', '.join(self.own))}" if self.own else ""


def named_groups(texts: Sequence[str], known: Sequence[str], whose: str) -> tuple[str, ...]:
    """Return the groups that the values of ``--groups`` name, in the order of ``known``.

    A value is the name of a group, or several names with commas between them. ``whose`` says in messages which groups
    are known.

    Raises:
        BvfError: A name is empty, unknown or repeated.
    """
    known_names = set(known)
    chosen = {name.removeprefix("="): None for name in _names(texts, known_names)}
    for name in chosen:
        if name not in known_names:
            raise BvfError(f'--groups: "{name}" is not one of the groups {whose}', nearest(name, list(known)))
    return tuple(group for group in known if group in chosen)


def own_groups(texts: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return the names in the values of ``--groups`` that are not ``known``: groups of the user's own.

    Raises:
        BvfError: A name is empty or repeated, or is spelt nearly as a known one, and no ``=`` stands before it.
    """
    known_names = set(known)
    names = [name for name in _names(texts, known_names) if name.removeprefix("=") not in known_names]
    for name in names:
        near = [] if name.startswith("=") else [group for group in known if _is_nearly(name, group)]
        if near:
            raise BvfError(
                f'--groups: "{name}" is not one of the groups of the topic',
                f'did you mean {near[0]}? "={name}" is asked',
            )
    return tuple(name.removeprefix("=") for name in names)


def _names(texts: Sequence[str], known: Set[str]) -> list[str]:
    """The names in the values of ``--groups``, with the ``=`` that some begin with."""
    spelt = [plain_letters(text) for text in texts]
    names = [name.strip() for text in spelt for name in ([text] if text.strip() in known else text.split(","))]
    for name, times in Counter(name.removeprefix("=") for name in names).items():
        if not name:
            raise BvfError("--groups: a name is empty", "write names with commas between them: --groups nurse,captain")
        if times > 1:
            raise BvfError(f'--groups: "{name}" occurs {times} times', "name every group once")
    return names


def _is_nearly(name: str, group: str) -> bool:
    """Whether at most two letters, and less than half of them, are wrong, missing or too many."""
    if abs(len(name) - len(group)) > LETTERS_OF_A_SLIP:
        return False
    row = list(range(len(group) + 1))
    for number, letter in enumerate(name, start=1):
        above, row = row, [number]
        for place, other in enumerate(group):
            row.append(min(above[place] + (letter != other), above[place + 1] + 1, row[place] + 1))
    return row[-1] <= LETTERS_OF_A_SLIP and 2 * row[-1] < len(name)


def drawn_groups(groups: Sequence[str], number: int, seed: int) -> tuple[str, ...]:
    """Draw ``number`` groups at random, without replacement. A larger ``number`` only adds groups to the draw."""
    import numpy as np  # which --help does without

    drawn = np.argsort(np.random.default_rng([seed, len(groups)]).random(len(groups)))[:number]
    return tuple(groups[place] for place in sorted(drawn.tolist()))
