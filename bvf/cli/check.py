"""``bvf check``: the conformance kit without pytest."""

import re
from typing import TYPE_CHECKING, Annotated

import typer

from bvf.errors import BvfError, PluginError
from bvf.terminal.console import stdout

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

    plugins = _with(plugin)
    failed = tried = things = 0
    of_model = [model_checks(plugins, plugin, model, lang)] if model else []
    for name, checks in (*plugin_checks(plugins, plugin), *of_model):
        things += 1
        if isinstance(checks, str):
            _print(f"-     {name}: {checks}")
            continue
        problems = [problem for problem in map(problem_of, checks) if problem]
        tried, failed = tried + len(checks), failed + len(problems)
        _print(f"{'wrong' if problems else 'ok   '} {name}: {len(checks)} checks")
        for problem in problems:
            _print(f"      {problem}")
    if failed:
        raise BvfError(
            f"{failed} of {tried} checks of {plugin} failed", "python -m pydoc bvf.testing says what must hold"
        )
    if not things:
        raise BvfError(f"{plugin} offers nothing", "its hooks return no bvf.Provider")


def _with(plugin: str) -> "Plugins":
    """What is installed, with the plugin.

    Raises:
        PluginError: It cannot be loaded; where a distribution was named, the hint names its plugins.
    """
    from bvf.hooks.loader import load

    offered_there = [owner.plugin for owner in load().owners.values() if _spelt(owner.distribution) == _spelt(plugin)]
    if offered_there and plugin not in offered_there:
        commands = " or ".join(f"bvf check {name}" for name in offered_there)
        raise PluginError(f"{plugin} is a distribution, not a plugin", f"{commands} checks what it offers")
    return load(extra=[plugin])


def _spelt(distribution: str) -> str:
    """The name of a distribution as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def _print(line: str) -> None:
    stdout().print(line, markup=False, highlight=False, soft_wrap=True)
