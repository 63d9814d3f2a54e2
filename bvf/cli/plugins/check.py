"""``bvf check``: the conformance kit without pytest."""

from typing import TYPE_CHECKING, Annotated

import typer

from bvf.errors import BvfError, PluginError
from bvf.terminal.console import print_line

if TYPE_CHECKING:
    from bvf.hooks.loader import Plugins


def check(
    plugin: Annotated[str, typer.Argument(metavar="PLUGIN", help="A plugin by name, a module, or ./file.py.")],
    model: Annotated[
        str, typer.Option("--model", metavar="BACKEND:NAME", help="Load a model with a backend of it, and check that.")
    ] = "",
    lang: Annotated[str, typer.Option("--lang", help="Language in which the model is asked.")] = "en",
) -> None:
    """Check everything that a plugin offers against what it must do."""
    from bvf.testing.check import problem_of
    from bvf.testing.plugin import model_checks, plugin_checks

    plugins = _installed_and(plugin)
    failed = tried = things = 0
    of_model = [model_checks(plugins, plugin, model, lang)] if model else []
    of_plugin = [
        (name, checks)
        for name, checks in plugin_checks(plugins, plugin)
        if not any(tried_with.startswith(f"{name} with ") for tried_with, _ in of_model)
    ]
    for name, checks in (*of_plugin, *of_model):
        things += 1
        if isinstance(checks, str):
            print_line(f"-     {name}: {checks}")
            continue
        problems = [problem for problem in map(problem_of, checks) if problem]
        tried, failed = tried + len(checks), failed + len(problems)
        print_line(f"{'wrong' if problems else 'ok   '} {name}: {len(checks)} checks")
        for problem, names in _alike(problems).items():
            others = f" and {len(names) - 1} more" if len(names) > 1 else ""
            print_line(f"      {names[0]}{others}: {problem}")
    if failed:
        raise BvfError(
            f"{failed} of {tried} checks of {plugin} failed", "python -m pydoc bvf.testing says what must hold"
        )
    if not things:
        raise BvfError(f"{plugin} offers nothing", "its hooks return no bvf.Provider")


def _alike(problems: list[str]) -> dict[str, list[str]]:
    """The names of the checks that failed, by what each says."""
    names: dict[str, list[str]] = {}
    for name, _, problem in (problem.partition(": ") for problem in problems):
        names.setdefault(problem, []).append(name)
    return names


def _installed_and(plugin: str) -> "Plugins":
    """Load the installed plugins and one more. A distribution's name is refused with the names of its plugins."""
    from bvf.files.packages.distributions import spelt
    from bvf.hooks.loader import load

    of_distribution = [owner.plugin for owner in load().owners.values() if spelt(owner.distribution) == spelt(plugin)]
    if of_distribution and plugin not in of_distribution:
        commands = " or ".join(f"bvf check {name}" for name in of_distribution)
        raise PluginError(f"{plugin} is a distribution, not a plugin", f"{commands} checks what it offers")
    return load(extra=[plugin])
