"""``bvf regress``: regressions of figures of groups on what is known about them."""

from pathlib import Path
from typing import Annotated

import typer

from bvf.analyses.regress.config import RegressConfig, checked_regress
from bvf.cli import method
from bvf.errors import BvfError
from bvf.terminal.format import Format, show_found
from bvf.terminal.options import Given, flag, with_fields

Folders = Annotated[
    list[Path],
    typer.Argument(metavar="DIR...", help="Folders of runs, or folders that hold such folders.", show_default=False),
]
SHOW_HELP = "Groups to show per regression, those first that move its slope most. [default: 8]"
FIELDS = ("against", "weights", "of", "corpus")


@with_fields(RegressConfig)
def regress(
    given: Given,
    folders: Folders,
    plugin: method.Plugin = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "8",
    form: Format = "text",
) -> None:
    """Regress the risks or leans of groups on wages, education, the share of women, word frequency or a table.

    Weighted least squares with HC3 errors; all models, figures and factors of one command are one family of tests.
    """
    config = checked_regress(given, "options")
    import bvf
    from bvf.analyses.regress.tables import sections
    from bvf.hooks.loader import load
    from bvf.terminal.view import view_of

    number = view_of(None, show).show
    regressions = bvf.regress(folders, config, plugins=load(extra=plugin or ()))
    show_found(form, sections(regressions, number), regressions)


def social_choices(given: Given) -> RegressConfig:
    """Return what figures of groups are regressed on, from the options of a command."""
    if given and "against" not in given:
        raise BvfError(f"--{next(iter(given))} does nothing without --against", "say --against wages, or name a table")
    return checked_regress(given, "options")
