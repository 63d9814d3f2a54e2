"""``bvf check``: the conformance kit without pytest."""

from typing import Annotated

import typer

from bvf.cli.console import stdout
from bvf.errors import BvfError


def check(
    plugin: Annotated[str, typer.Argument(metavar="PLUGIN", help="A plugin by name, a module, or ./file.py.")],
) -> None:
    """Check everything that a plugin offers against what it must do."""
    from bvf.hooks.loader import load
    from bvf.testing.check import problem_of
    from bvf.testing.plugin import plugin_checks

    plugins = load(extra=[plugin])
    failed = tried = things = 0
    for name, checks in plugin_checks(plugins, plugin):
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
        raise BvfError(f"{failed} of {tried} checks of {plugin} failed", "docs/reference/testing.md has them all")
    if not things:
        raise BvfError(f"{plugin} offers nothing", "its hooks return no bvf.Provider")


def _print(line: str) -> None:
    stdout().print(line, markup=False, highlight=False, soft_wrap=True)
