"""The command line with every command imported. It is for documentation and tests that go through all of them."""

import typer

from bvf.cli.app import command

_listed = command()
app = typer.Typer(
    help=_listed.help, epilog=_listed.epilog, no_args_is_help=True, add_completion=False, rich_markup_mode="rich"
)
_of_plugins = [named for commands in _listed.of_plugins.values() for named in commands.values()]
for _named in (*_listed.commands.values(), *_of_plugins):
    _named.join(app)
