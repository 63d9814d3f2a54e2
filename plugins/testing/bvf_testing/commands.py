"""Checks of commands. Help cannot show a command that fails them."""

import inspect
from typing import Any

from bvf_testing.check import Check, checks_of, require


def command_checks(command: Any) -> list[Check]:
    """Return the checks of a command: typer accepts it, and it has help texts.

    Args:
        command: A `typer.Typer`, or a function with typer's annotations.
    """
    return checks_of(COMMAND_CHECKS, command)


def typer_makes_it(command: Any) -> None:
    """The command is a `typer.Typer` with commands, or a function whose parameters typer takes."""
    _made(command)


def its_help_says_what_it_does(command: Any) -> None:
    """The command and each of its subcommands have a help text."""
    made = _made(command)
    for name, each in {"": made, **getattr(made, "commands", {})}.items():
        require(bool((each.help or "").strip()), f"{name or 'it'} has no help: write a docstring")


def _made(command: Any) -> Any:
    import typer

    if isinstance(command, typer.Typer):
        return typer.main.get_command(command)
    require(inspect.isfunction(command), f"it is a {type(command).__name__}, not a typer.Typer or a function")
    app = typer.Typer(add_completion=False)
    app.command()(command)
    return typer.main.get_command(app)


COMMAND_CHECKS = (typer_makes_it, its_help_says_what_it_does)
