"""The commands by name."""

from functools import cache
from typing import Annotated, Any

import typer

from bvf.cli.lazy import Lazy, Named
from bvf.hooks.installed import offered_by

ORDER = (
    *("run", "show", "compare", "explain", "report", "plot", "gate", "topics", "contexts", "merge", "analyse"),
    *("regress", "export", "plan", "verify", "mine", "doctor", "check", "new", "openings", "languages", "backends"),
    *("engines", "miners", "criteria", "analyses", "benchmarks", "readers", "models", "plugins"),
)
"""The commands of bvf and of its own packages, as help lists them, the most used first; others follow."""


def _print_version(wanted: bool) -> None:
    if not wanted:
        return
    import bvf
    from bvf.terminal.console import print_line

    print_line(f"bvf {bvf.__version__}")
    raise typer.Exit


def _left_of_the_command(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """The options of ``bvf`` itself. Typer adds the options that install shell completion."""


@cache
def command() -> Any:
    """Return the root command, which runs the command line."""
    ours = {each.name: Named(each) for offered in offered_by("bvf_commands", ours=True).values() for each in offered}
    order = [*(name for name in ORDER if name in ours), *(name for name in ours if name not in ORDER)]
    return Lazy(
        name="bvf",
        help="Bias and volatility of language models over contexts. `bvf run` measures the bundled model.",
        no_args_is_help=True,
        epilog="--debug with any command shows the traceback of an error.",
        rich_markup_mode="rich",
        params=typer.main.get_command(typer.Typer(callback=_left_of_the_command)).params,
        commands={name: ours[name] for name in order},
    )
