"""Commands that are imported when they are named: help lists them all without their modules."""

from functools import cached_property
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from bvf.errors import BvfError


class Named(TyperCommand):
    """What a list of commands shows of one, and where the command is.

    Args:
        home: Its name, a function or a `typer.Typer` in the module of `bvf.cli` of that name, or MODULE.NAME.
        summary: The first paragraph of its help.
        example: Stands at the end of its help, if there is one.
    """

    def __init__(self, home: str, summary: str, example: str | None) -> None:
        module, _, name = home.rpartition(".")
        super().__init__(name, help=summary)
        self._home = f"bvf.cli.{module or name}", name
        self._end = example and f"Example: {example}"

    def join(self, app: typer.Typer) -> None:
        """Import the command, and add it to others."""
        module, name = self._home
        command = getattr(import_module(module), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name, epilog=self._end)(command)

    @cached_property
    def loaded(self) -> Any:
        """The command, imported and built."""
        app = typer.Typer(rich_markup_mode="rich", add_completion=False, callback=lambda: None)
        self.join(app)
        return typer.main.get_command(app).commands[self.name]  # type: ignore[attr-defined]  # a callback: it is a group


class Lazy(TyperGroup):
    """Commands that are imported only when they are named."""

    def make_context(self, *arguments: Any, **more: Any) -> Any:
        """Read the options left of the command; the options that install completion end the program.

        Raises:
            BvfError: The files that a shell reads when it starts cannot be written.
        """
        try:
            return super().make_context(*arguments, **more)
        except SystemExit as end:
            raise typer.Exit(int(end.code or 0)) from end
        except OSError as error:
            raise BvfError(
                f"completion cannot be installed: {error}", "bvf --show-completion prints what your shell has to read"
            ) from error

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the options and the list of commands."""
        from bvf.cli.help_page import draw

        draw(self, ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name of a command, the command, imported, and the arguments after its name."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.loaded if isinstance(command, Named) else command, rest
