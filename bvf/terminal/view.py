"""Makes a `View` from the options ``--rank``, ``--show`` and ``--details``."""

from typing import TYPE_CHECKING

from bvf.errors import BvfError, shortened
from bvf.files.parsing import whole_number

if TYPE_CHECKING:
    from bvf.interfaces.analysis import View

MOST_SHOWN = 1_000_000


def view_of(rank: str | None, show: str | None, details: bool = False) -> "View":
    """Return the `View` for these options: the order of groups, their number, and whether all details are shown.

    ``show`` is None if the user leaves it open.
    """
    from bvf.interfaces.analysis import RANKS, View

    known = next((each for each in RANKS if each == rank), None)
    if rank is not None and known is None:
        raise BvfError(f'--rank is "{rank}"', f"write {' or '.join(RANKS)}")
    if show is None:
        return View(known, details=details)
    number = 0 if show == "all" else whole_number(show, 1, MOST_SHOWN)
    if number is None:
        raise BvfError(f'--show is "{shortened(show)}"', f"write a number of groups, 1 to {MOST_SHOWN}, or all")
    return View(known, number, number, details)
