"""Results as tables, or as JSON."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bvf.cli.console import print_json, stdout

if TYPE_CHECKING:
    from bvf.interfaces.analysis import Section


def print_sections(value: Any, sections: "Sequence[Section]", as_json: bool) -> None:
    """Print tables with a line between them, or the value that they show as JSON and nothing else."""
    from bvf.report.layout import drawn

    if as_json:
        print_json(value)
        return
    for number, section in enumerate(sections):
        if number:
            stdout().print()
        stdout().print(drawn(section))
