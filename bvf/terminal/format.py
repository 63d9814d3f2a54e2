"""The option ``--format``: prints a command's findings as tables for people, Markdown, CSV or JSON."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, TypeAlias

from bvf.terminal.console import is_terminal, print_json, print_text, stdout
from bvf.terminal.options import flag

if TYPE_CHECKING:
    import pandas as pd

    from bvf.interfaces.section import Section


class Found(Protocol):
    """The findings of an analysis: an object with JSON fields and a data frame."""

    def model_dump(self, *, mode: str, by_alias: bool) -> dict[str, Any]: ...

    def to_frame(self) -> "pd.DataFrame": ...


Frame: TypeAlias = "Callable[[], pd.DataFrame] | list[dict[str, Any]]"
"""What makes the data frame of a table, or its rows."""
FormatName = Literal["text", "md", "csv", "json"]
HELP = "Tables to be read, tables for Markdown, one table of all rows as CSV, or everything as JSON. [default: text]"
Format = Annotated[FormatName, flag("--format", help_text=HELP)]


def show_found(form: FormatName, sections: "Sequence[Section]", found: Found) -> None:
    """Print the findings of an analysis: its tables, or all its fields as JSON, or its data frame as CSV."""
    show_as(form, sections, found.model_dump(mode="json", by_alias=True), found.to_frame)


def show_as(form: FormatName, sections: "Sequence[Section]", value: Any, frame: "Frame | None" = None) -> None:
    """Print a command's findings, and nothing else, to stdout: ``sections``, ``value`` as JSON, or ``frame`` as CSV."""
    from bvf.tables.markup import as_csv, as_markdown, frame_as_csv

    if form == "json":
        print_json(value)
    elif form == "text":
        from bvf.tables.terminal import Drawn

        stdout().print(Drawn(sections, whole=not is_terminal(sys.stdout)), crop=False)  # a pipe cuts none
    elif form == "md":
        print_text(as_markdown(sections))
    elif callable(frame):
        print_text(frame_as_csv(frame()))
    elif frame is not None:
        import pandas as pd

        print_text(frame_as_csv(pd.DataFrame(frame)))
    else:
        last = sections[-1]
        print_text(as_csv(last.columns, (*last.above, *last.rows)))
