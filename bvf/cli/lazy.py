"""Commands that are imported only when they are named. Help lists them without their modules."""

import inspect
from collections import Counter
from functools import cached_property
from itertools import chain, islice
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from bvf.errors import BvfError
from bvf.hooks.installed import FAILED, because_broken, offered_by
from bvf.hooks.provider import Provider

MOST, DAILY = 15, 8
"""Help shows the common ones of more options than `MOST`, and the first `DAILY` commands; ``--help-all`` shows all."""
HELP, ALL = "--help", "--help-all"


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

    @property
    def loaded(self) -> Any:
        """The click command, imported and built."""
        app = typer.Typer(rich_markup_mode="rich", add_completion=False, callback=lambda: None)
        self.join(app)
        return typer.main.get_command(app).commands[self.name]  # type: ignore[attr-defined]  # a callback: it is a group

    def shortened(self, context: Any) -> Any:
        """Return the click command; its help, and that of the commands in it, leaves out what few people need."""
        command = self.loaded
        for each in getattr(command, "commands", {"": command}).values():
            options = [option for option in each.params if option.param_type_name == "option"]
            common = [option for option in options if {*option.opts} & {*self._provider.common.split()}]
            if common and len(options) > MOST:
                for option in options:
                    option.hidden = option not in common
                each.get_help_option(context).help = f"Show these options; {ALL} shows all {len(options)}."
        return command


class Lazy(TyperGroup):
    """The commands of bvf and of plugins, each imported only when a user names it."""

    _whole = False

    @property
    def listed(self) -> dict[str, Any]:
        """The commands of bvf that help lists, by name."""
        return dict(islice(self.commands.items(), None if self._whole else DAILY))

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

    def make_context(self, info_name: str | None, args: list[str], *arguments: Any, **more: Any) -> Any:
        """Read the options that stand left of the command. Options that install completion end the program.

        ``--help-all``, wherever it stands, is read as ``--help`` that leaves nothing out.

        Raises:
            BvfError: The files that a shell reads when it starts cannot be written.
        """
        self._whole = ALL in args
        args = [HELP if each == ALL else each for each in args]
        try:
            return super().make_context(info_name, args, *arguments, **more)
        except SystemExit as end:
            raise typer.Exit(int(end.code or 0)) from end
        except OSError as error:
            raise BvfError(
                f"completion cannot be installed: {error}", "bvf --show-completion prints what your shell has to read"
            ) from error

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the options and the list of commands."""
        from bvf.cli.help_page import draw

        option = self.get_help_option(ctx)
        if option is not None and not self._whole:
            option.help = f"Show these commands; {ALL} shows all {len(self.commands)}."
        draw(self, ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name of a command, the imported command, and the arguments after its name."""
        found: tuple[str | None, Any, list[str]] = super().resolve_command(ctx, args)
        name, command, rest = found
        is_short = HELP in rest and not self._whole
        return name, command and (command.shortened(ctx) if is_short else command.loaded), rest
