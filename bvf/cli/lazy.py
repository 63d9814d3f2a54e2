"""Commands that are imported only when they are named. Help lists them all without their modules."""

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from bvf.errors import BvfError

if TYPE_CHECKING:
    from bvf.hooks.provider import Provider


class Named(TyperCommand):
    """A command that is not imported yet: its entry in lists of commands, and a function that imports it.

    Args:
        name: Its name on the command line, after ``bvf``.
        summary: The first paragraph of its help.
        imported: Imports and returns the command, which is a function or a `typer.Typer`.
        example: Stands at the end of its help, if there is one.
        panel: The heading of help below which it stands; None: that of the commands of bvf.
    """

    def __init__(
        self, name: str, summary: str, imported: Callable[[], Any], example: str | None = None, panel: str | None = None
    ) -> None:
        super().__init__(name, help=summary, rich_help_panel=panel)
        self._imported = imported
        self._end = example and f"Example: {example}"

    def join(self, app: typer.Typer) -> None:
        """Import the command, and add it to the commands of ``app``."""
        command = self._imported()
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=self.name)
        else:
            app.command(self.name, epilog=self._end)(command)

    @cached_property
    def loaded(self) -> Any:
        """The click command, imported and built."""
        app = typer.Typer(rich_markup_mode="rich", add_completion=False, callback=lambda: None)
        self.join(app)
        return typer.main.get_command(app).commands[self.name]  # type: ignore[attr-defined]  # a callback: it is a group


def of_core(home: str, summary: str, example: str | None) -> Named:
    """Return a command of bvf itself.

    Args:
        home: ROOM.MODULE in `bvf.cli`, if its name is that of the module; else ROOM.MODULE.NAME.
        summary: The first paragraph of its help.
        example: Stands at the end of its help, if there is one.
    """
    room, module, *_ = home.split(".")
    name = home.rpartition(".")[2]
    return Named(name, summary, lambda: getattr(import_module(f"bvf.cli.{room}.{module}"), name), example)


def of_plugin(plugin: str, provider: "Provider[Any]") -> Named:
    """Return a command that a plugin offers, not imported yet."""
    return Named(
        provider.name, provider.summary, provider.load, provider.example or None, f"Commands of the plugin {plugin}"
    )


class Lazy(TyperGroup):
    """The commands of bvf and of plugins, each imported only when a user names it."""

    @cached_property
    def of_plugins(self) -> dict[str, dict[str, Named]]:
        """Commands by plugin, then by name. Names that commands of bvf have are left out."""
        from bvf.hooks.installed import commands_of_plugins

        named = {
            plugin: {each.name: of_plugin(plugin, each) for each in providers if each.name not in self.commands}
            for plugin, providers in commands_of_plugins().items()
        }
        return {plugin: commands for plugin, commands in named.items() if commands}

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        names = [name for named in self.of_plugins.values() for name in named]
        return list(dict.fromkeys([*super().list_commands(ctx), *names]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by its name; None if there is none.

        Raises:
            BvfError: Two plugins have a command of that name.
        """
        ours = super().get_command(ctx, cmd_name)
        if ours is not None:
            return ours
        having = [plugin for plugin, named in self.of_plugins.items() if cmd_name in named]
        if len(having) > 1:
            raise BvfError(
                f"two plugins have a command {cmd_name}: {' and '.join(having)}", "uninstall one of the packages"
            )
        return self.of_plugins[having[0]][cmd_name] if having else None

    def make_context(self, *arguments: Any, **more: Any) -> Any:
        """Read the options that stand left of the command. Options that install completion end the program.

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
        """Return the name of a command, the imported command, and the arguments after its name."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.loaded if isinstance(command, Named) else command, rest
