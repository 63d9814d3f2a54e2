"""Arguments and options that several commands take, the choices of analysis among them, and the `View` they ask for."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bvf.errors import BvfError, shortened
from bvf.files.parsing import whole_number
from bvf.running.config import environment
from bvf.study.config import AnalysisConfig
from bvf.terminal.console import note
from bvf.terminal.options import flag, option

if TYPE_CHECKING:
    from bvf.interfaces.analysis import View

MOST_SHOWN = 1_000_000
NOT_COMPARED = ("distractors", "seed")
"""Fields of an analysis that are not options of `bvf compare`: they are as in the runs, which must agree."""


def _or_newest(context: typer.Context, given: Any) -> Any:
    """The folders of an argument; if none is given, that of the newest result below ``runs``, which a note names."""
    from bvf.files.folder import runs_below

    if given or context.resilient_parsing:
        return given
    results = [result for folder in runs_below(Path("runs")) if (result := folder / "result.json").is_file()]
    if not results:
        raise BvfError("no DIR is given, and no finished run is in runs", f"name a run: {context.command_path} DIR")
    newest = max(results, key=lambda result: result.stat().st_mtime).parent
    note(f"{newest}: the newest run")
    return newest if given is None else [newest]


NEWEST_HELP = "The folder of a run; if none is given, the newest in runs."
_newest = partial(typer.Argument, metavar="DIR", help=NEWEST_HELP, show_default=False, callback=_or_newest)
Folder = Annotated[Path, _newest(default_factory=lambda: None)]
OrNewest = Annotated[list[Path], _newest(default_factory=list)]
Folders = Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of runs.", show_default=False)]
Plugin = Annotated[list[str] | None, option("plugin")]
Without = Annotated[list[str] | None, option("without")]

RANK_HELP = (
    "Order of groups: by r, or by what sets them apart from neutral subjects (or, where these were not asked, from "
    "others); the second if not given, where it is defined."
)
SHOW_HELP = "Groups to show, half of them from each end of the order. [default: 2; 6 with --details]"
DETAILS_HELP = "Print everything: words, contexts, notes, reference models, controls."
Rank = Annotated[str | None, flag("--rank", help_text=RANK_HELP, metavar="risk|particular")]
Show = Annotated[str | None, flag("--show", help_text=SHOW_HELP, metavar="N|all")]
Details = Annotated[bool, flag("--details", help_text=DETAILS_HELP)]
Quiet = Annotated[bool, flag("--quiet", "-q", help_text="No progress.")]
QuietAnyway = Annotated[bool, flag("--quiet", "-q", help_text="As for `bvf run`; this command prints no progress.")]


def merged_analysis(given: dict[str, Any]) -> AnalysisConfig:
    """Return the choices of analysis on the command line and, for those not made there, in environment variables."""
    return AnalysisConfig.checked({**analysis_of_environment(), **given}, "options")


def analysis_of_environment() -> dict[str, Any]:
    """Return the choices of analysis (criterion, p*, ...) in environment variables such as ``BVF_CRITERION``."""
    of_environment = environment(AnalysisConfig.model_fields)
    AnalysisConfig.checked(of_environment, "environment")
    return of_environment


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
