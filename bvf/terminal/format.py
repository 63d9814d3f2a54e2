"""``--format``: what a command says as tables for people, Markdown, CSV or JSON."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from bvf.terminal.console import print_json, print_text, stdout
from bvf.terminal.options import flag

if TYPE_CHECKING:
    import pandas as pd

    from bvf.interfaces.section import Section

FormatName = Literal["text", "md", "csv", "json"]
HELP = "Tables to be read, tables for Markdown, one table of all rows as CSV, or everything as JSON. [default: text]"
Format = Annotated[FormatName, flag("--format", help_text=HELP)]


def show_as(
    form: FormatName, sections: "Sequence[Section]", value: Any, frame: "Callable[[], pd.DataFrame] | None" = None
) -> None:
    """Print what a command found to stdout, and nothing else.

    Args:
        form: The format.
        sections: Tables for people.
        value: What JSON has, with every row and digit.
        frame: What CSV has, with every row and digit; the cells of the last table if not given.
    """
    from bvf.tables.markup import as_csv, markdown

    if form == "json":
        print_json(value)
    elif form == "text":
        from bvf.tables.terminal import Drawn

        stdout().print(Drawn(sections))
    elif form == "md":
        print_text(markdown(sections))
    elif frame is not None:
        print_text(frame().to_csv(index=False, lineterminator="\n"))
    else:
        last = sections[-1]
        print_text(as_csv(last.columns, (*last.above, *last.rows)))
