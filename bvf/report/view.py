"""How results are shown: in which order groups stand, and how many of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from bvf.errors import BvfError
from bvf.files.parsing import shortened, whole_number
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion

Rank = Literal["risk", "particular"]
RANKS: tuple[Rank, ...] = get_args(Rank)
GROUPS_SHOWN = 8
MOST_SHOWN = 1_000_000


@dataclass(frozen=True)
class View:
    """The order of groups and their number.

    Args:
        rank: ``risk``: by r; ``particular``: by what sets them apart; None: the latter, where it is defined.
        show: How many groups, from both ends of that order together; 0: all.
    """

    rank: Rank | None = None
    show: int = GROUPS_SHOWN

    def check(self, criterion: Criterion | KnowledgeCriterion, name: str, groups: Sequence[str]) -> None:
        """Refuse an order that these groups do not have under this criterion, before anything is asked of a model.

        Raises:
            BvfError: ``rank`` is for risks and the criterion scores knowledge, or ``particular`` is undefined.
        """
        if self.rank is None:
            return
        if isinstance(criterion, KnowledgeCriterion):
            raise BvfError(f"--rank {self.rank}: {name} scores knowledge; subjects stand in the order of their scores")
        if self.rank == "particular" and not criterion.sublinear:
            raise BvfError(
                f"--rank particular: the criterion {name} is not sublinear, so R <= shared + particular need not hold",
                "use --rank risk, or a sublinear criterion: linf, lk:k, direction:class or tv",
            )
        if self.rank == "particular" and len(groups) == 1:
            raise BvfError(
                f'--rank particular: there is one group, "{groups[0]}", and nothing to set it apart from',
                "ask two groups or more, or use --rank risk",
            )


def view_of(rank: str | None, show: str) -> View:
    """Return what ``--rank`` and ``--show`` ask for.

    Raises:
        BvfError: One of them is wrong.
    """
    known = next((each for each in RANKS if each == rank), None)
    if rank is not None and known is None:
        raise BvfError(f'--rank is "{rank}"', f"write {' or '.join(RANKS)}")
    if show == "all":
        return View(known, 0)
    number = whole_number(show, 1, MOST_SHOWN)
    if number is None:
        raise BvfError(f'--show is "{shortened(show)}"', f"write a number of groups, 1 to {MOST_SHOWN}, or all")
    return View(known, number)
