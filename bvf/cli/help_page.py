"""The output of `bvf --help`. It looks like typer's help, and needs less than half the imports."""

from typing import Any

from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from rich.theme import Theme


class _Options(RegexHighlighter):
    highlights = (r"(^|\W)(?P<option>--[\w-]+)", r"(?P<usage>Usage: )")


def draw(group: Any, context: Any) -> None:
    """Print the usage of a group of commands, its help, its options and its commands.

    Args:
        group: A `bvf.cli.lazy.Lazy`.
        context: The context in which click parsed the arguments.
    """
    console = Console(theme=Theme({"option": "bold cyan", "usage": "yellow"}), highlighter=_Options())
    marked = console.highlighter
    console.print(Padding(marked(group.get_usage(context)), 1), style="bold")
    console.print(Padding(marked(group.help), (0, 1, 1, 1)))
    options = {",".join(option.opts): marked(option.help) for option in group.get_params(context)}
    console.print(_panel("Options", options))
    panels = {"Commands": group.listed}
    panels |= {next(iter(named.values())).rich_help_panel: named for named in group.of_plugins.values()}
    widest = max(len(name) for named in panels.values() for name in named)
    for title, named in panels.items():
        console.print(_panel(title, {name: marked(command.help) for name, command in named.items()}, widest))
    console.print(Padding(marked(group.epilog), 1))


def _panel(title: str, helps: dict[str, Text], widest: int | None = None) -> Panel:
    table = Table(box=None, show_header=False, expand=True, pad_edge=False)
    table.add_column(style="bold cyan", no_wrap=True, width=widest)
    table.add_column(ratio=1)
    for name, text in helps.items():
        table.add_row(name, text)
    return Panel(table, title=title, title_align="left", border_style="dim")
