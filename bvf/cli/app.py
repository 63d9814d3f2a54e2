"""The commands by name."""

from functools import cache
from typing import Annotated, Any

import typer

from bvf.cli.lazy import Lazy, of_core

SUMMARIES = {
    "measuring.run": "Measure how biased and how volatile a model is.",
    "measuring.merge": (
        "Check that all parts of each run are there, and show its result as `bvf run` does. No model is loaded."
    ),
    "results.analyse": "Analyse stored probabilities by another criterion, scale, p* or weights. No model is loaded.",
    "results.compare": (
        "Compare models in the same prompts: differences with intervals, and the ranks that they may have."
    ),
    "results.analyse.show": "Print the results of runs. Those with the same questions and analysis share a table.",
    "results.gate": (
        "Check figures against limits, by their intervals. Exit codes: 0 all pass, 1 one fails, 3 cannot tell."
    ),
    "results.analyse.verify": (
        "Compute every digest and every figure of a run again; exit with 1 if one is not as it was written."
    ),
    "plugins.doctor": "Show versions, devices, what is missing and the command that fixes it.",
    "inputs.topics": "List the topics; `bvf topics show NAME` shows one.",
    "inputs.contexts": (
        "List the context sets; `bvf contexts show NAME` shows one; the other commands work on files too."
    ),
    "plugins.listings.languages": "List the languages, and the plugin each one comes from.",
    "plugins.listings.backends": "List the backends, and the plugin each one comes from.",
    "plugins.listings.engines": "List the engines, and the plugin each one comes from.",
    "plugins.listings.miners": "List the miners, and the plugin each one comes from.",
    "plugins.listings.criteria": "List the criteria, and the plugin each one comes from.",
    "plugins.listings.analyses": "List the analyses, and the plugin each one comes from.",
    "plugins.listings.benchmarks": (
        "List the bias benchmarks that `bvf factors run` takes, and the plugin each one comes from."
    ),
    "plugins.listings.readers": "List the readers of generated texts, and the plugin each one comes from.",
    "inputs.models": "List the bundled models and those in Python packages; `bvf models show NAME` shows one.",
    "plugins.listings.plugins": "List the plugins; `bvf plugins show NAME` shows what one offers.",
}
"""The first paragraph of each command's help, by its module below `bvf.cli`, with its name if that differs."""
EXAMPLES = {
    "run": "bvf run --model bundled:en-causal --model bundled:en-masked",
    "merge": "bvf run --part 1/2; bvf run --part 2/2; bvf merge runs/NAME",
    "analyse": "bvf analyse runs/NAME --criterion lk:2",
    "compare": "bvf compare runs/NAME runs/OTHER --level 0.9",
    "gate": "bvf gate runs/NAME --max R=0.5 --max R_volatility=0.05",
}


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
    return Lazy(
        name="bvf",
        help="Bias and volatility of language models over contexts. `bvf run` measures the bundled model.",
        no_args_is_help=True,
        epilog="--debug with any command shows the traceback of an error.",
        rich_markup_mode="rich",
        params=typer.main.get_command(typer.Typer(callback=_left_of_the_command)).params,
        commands=[of_core(home, summary, EXAMPLES.get(home.rpartition(".")[2])) for home, summary in SUMMARIES.items()],
    )
