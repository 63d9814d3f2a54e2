"""``bvf regress``: regressions of figures of groups on what is known about them."""

from pathlib import Path
from typing import Annotated, Any

import typer

from bvf.analyses.regress.config import RegressConfig, checked_regress
from bvf.cli.format import Format, show_as
from bvf.cli.options import flag, option, options_given
from bvf.errors import BvfError

Folders = Annotated[
    list[Path],
    typer.Argument(metavar="DIR...", help="Folders of runs, or folders that hold such folders.", show_default=False),
]
NO_FIELDS = ("folders", "plugin", "show", "form")
SHOW_HELP = "Groups to show per regression, those first that move its slope most. [default: 8]"
Texts = list[str] | None
Text = str | None


def _option(field: str, metavar: str) -> Any:
    return option(field, panel="Method", metavar=metavar, of=RegressConfig)


Against = Annotated[Texts, _option("against", "NAME|FILE[:COLUMN]")]
Weights = Annotated[Text, _option("weights", "NAME|FILE")]
Of = Annotated[Texts, _option("of", "FIGURE")]
Counted = Annotated[Texts, _option("corpus", "CORPUS")]


def regress(  # noqa: PLR0913 - one parameter per option, as typer wants it
    folders: Folders,
    against: Against = None,
    weights: Weights = None,
    of: Of = None,
    corpus: Counted = None,
    level: Annotated[float | None, _option("level", "P")] = None,
    plugin: Annotated[Texts, option("plugin", panel="Advanced", metavar="NAME")] = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "8",
    form: Format = "text",
) -> None:
    """Regress the risks or leans of groups on wages, education, the share of women, word frequency or a table.

    Weighted least squares with HC3 errors; all models, figures and factors of one command are one family of tests.
    """
    config = checked_regress(options_given(locals(), but=NO_FIELDS), "options")
    import bvf
    from bvf.analyses.regress.tables import sections
    from bvf.cli.view import view_of
    from bvf.hooks.loader import load

    number = view_of(None, show).show
    regressions = bvf.regress(folders, config, plugins=load(extra=plugin or ()))
    show_as(
        form, sections(regressions, number), regressions.model_dump(mode="json", by_alias=True), regressions.to_frame
    )


def social_choices(against: Texts, weights: Text, of: Texts, corpus: Texts) -> RegressConfig:
    """Return what figures of groups are regressed on, from the options of a command.

    Raises:
        BvfError: Something is chosen, but no factor to regress figures on.
    """
    given = options_given(locals(), but=())
    if given and "against" not in given:
        raise BvfError(f"--{next(iter(given))} does nothing without --against", "say --against wages, or name a table")
    return checked_regress(given, "options")
