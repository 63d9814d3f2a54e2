"""Where text goes: results to stdout, everything else to stderr."""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from bvf.errors import CONTROL, BvfError, harmless, in_one_line

WIDTH = 80
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
CONTROL_ABOVE_ASCII = re.compile(r"[\x7f-\x9f]")
"""Control characters that JSON lets stand."""


def stdout() -> Console:
    """Return the console of results; 80 columns wide where it is no terminal."""
    return HarmlessConsole(width=None if is_terminal(sys.stdout) else WIDTH, highlight=False, emoji=False)


def stderr() -> Console:
    """Return the console of everything that is no result."""
    return HarmlessConsole(stderr=True, highlight=False, soft_wrap=True, emoji=False)


class HarmlessConsole(Console):
    """A console that prints no control character of a text, wherever the text is from.

    Where one is left when the text is laid out, what replaces it is one column wide.
    """

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(CONTROL.sub(REPLACEMENT, segment.text), segment.style)


def print_json(value: object) -> None:
    """Print one JSON value to stdout, and nothing else."""
    encoding = getattr(sys.stdout, "encoding", None) or ""
    text = json.dumps(value, indent=1, ensure_ascii=not encoding.lower().startswith("utf"))
    print(CONTROL_ABOVE_ASCII.sub(lambda control: f"\\u{ord(control[0]):04x}", text))  # noqa: T201 - results go to stdout


def print_text(text: str) -> None:
    """Print lines to stdout as they are, but for control characters."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    fit = harmless(text.strip("\n")).encode(encoding, "replace").decode(encoding)
    print(fit)  # noqa: T201 - results go to stdout


def complain(error: BvfError) -> None:
    """Print one line that says what is wrong, and one that says what would be right."""
    _tell(Text.assemble(("error:", "bold red"), " ", in_one_line(error.message)))
    if error.hint:
        _tell(Text.assemble((" hint:", "dim"), " ", in_one_line(error.hint)))


def note(message: str) -> None:
    """Print a line to stderr."""
    _tell(Text(in_one_line(message)))


def next_steps(lines: Sequence[str]) -> None:
    """Print what to do next to stderr where somebody reads it on a terminal."""
    if is_terminal(sys.stderr):
        for line in lines:
            _tell(Text(harmless(line), style="dim"))


def is_terminal(stream: object) -> bool:
    """Whether somebody sees what is written; colours in a pipe, as FORCE_COLOR asks for, make none."""
    asked = getattr(stream, "isatty", None)
    return bool(asked and asked())


def _tell(line: Text) -> None:
    with suppress(OSError):  # where stderr is full or closed there is nobody to tell
        stderr().print(line)
