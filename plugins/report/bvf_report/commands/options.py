"""Options that packages add to a command."""

from collections.abc import Callable

from bvf import AnalysisConfig, BvfError
from bvf.hooks import offered_by
from bvf.terminal import Command, Given, with_fields


def with_options_of(hook: str) -> Callable[[Command], Command]:
    """Give a command the options of all that installed plugins offer by a hook, but those of an analysis.

    The command gets what the user set in ``given``, as by `with_fields`.
    """

    def decorated(command: Command) -> Command:
        for provider in (each for offered in offered_by(hook).values() for each in offered):
            if options := provider.load_options():
                command = with_fields(options, but=AnalysisConfig.model_fields)(command)
        return command

    return decorated


def split_options(given: Given) -> tuple[Given, Given]:
    """Return, of what the user set, the fields of an analysis, and those that `with_options_of` added."""
    of_analysis = {name: value for name, value in given.items() if name in AnalysisConfig.model_fields}
    return of_analysis, {name: value for name, value in given.items() if name not in of_analysis}


def refuse_unused(given: Given) -> None:
    """Raise `BvfError` for an option of analysis, which has no effect on a file with a finished analysis."""
    name = next((name for name in given if name in AnalysisConfig.model_fields), "")
    if name:
        raise BvfError(f"--{name.replace('_', '-')} does nothing with a file", "it is for folders of runs")
