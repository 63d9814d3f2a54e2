"""Commands that are imported only when they are named. Help lists them all without their modules."""

import inspect
from collections import Counter
from functools import cached_property
from itertools import chain
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from bvf.errors import BvfError
from bvf.hooks.installed import FAILED, because_broken, offered_by
from bvf.hooks.provider import Provider


class Named(TyperCommand):
    """A command that is not imported yet. Its help begins with the summary of its provider.

    Args:
        provider: Its ``make`` names a function with typer's annotations, or a `typer.Typer`.
        panel: The heading of help below which it stands; None: that of the commands of bvf.
    """

    def __init__(self, provider: Provider[Any], panel: str | None = None) -> None:
        super().__init__(provider.name, help=provider.summary, rich_help_panel=panel)
        self._provider = provider

    def join(self, app: typer.Typer) -> None:
        """Import the command, and add it to the commands of ``app``."""
        command: Any = self._provider.load()
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=self.name, help=self.help)
            return
        _, _, more = inspect.cleandoc(command.__doc__ or "").partition("\n\n")
        example = self._provider.example
        epilog = f"Example: {example}" if example else None
        app.command(self.name, help="\n\n".join(filter(None, (self.help, more))), epilog=epilog)(command)

    @cached_property
    def loaded(self) -> Any:
        """The click command, imported and built."""
        app = typer.Typer(rich_markup_mode="rich", add_completion=False, callback=lambda: None)
        self.join(app)
        return typer.main.get_command(app).commands[self.name]  # type: ignore[attr-defined]  # a callback: it is a group


class Lazy(TyperGroup):
    """The commands of bvf and of plugins, each imported only when a user names it."""

    @cached_property
    def of_plugins(self) -> dict[str, dict[str, Named]]:
        """Commands of the plugins of others by plugin, then by name, or by ``name@plugin`` where that is another's."""
        offered = offered_by("bvf_commands", ours=False)
        times = Counter([*self.commands, *(each.name for providers in offered.values() for each in providers)])
        return {
            plugin: {
                each.name if times[each.name] == 1 else f"{each.name}@{plugin}": Named(
                    each, f"Commands of the plugin {plugin}"
                )
                for each in providers
            }
            for plugin, providers in offered.items()
        }

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return list(dict.fromkeys([*super().list_commands(ctx), *chain.from_iterable(self.of_plugins.values())]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by its name; None if there is none.

        Raises:
            BvfError: Two plugins have a command of that name, or its plugin could not be loaded.
        """
        ours = super().get_command(ctx, cmd_name)
        if ours is not None:
            return ours
        others = {name: command for named in self.of_plugins.values() for name, command in named.items()}
        if cmd_name in others:
            return others[cmd_name]
        if having := [name for name in others if name.startswith(f"{cmd_name}@")]:
            raise BvfError(f"two plugins have a command {cmd_name}", f"write bvf {' or bvf '.join(having)}")
        if broken := because_broken("bvf_commands", cmd_name, FAILED):
            raise BvfError(f"there is no command {cmd_name}", broken)
        return None

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
