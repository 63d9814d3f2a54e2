"""The consoles. Results are printed to stdout, everything else to stderr."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import suppress

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from bvf.errors import CONTROL, BvfError, harmless, in_one_line

WIDTH = 80
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
UNESCAPED_BY_JSON = re.compile(r"[\x7f-\x9f]")
"""Control characters that `json.dumps` leaves as they are."""


def stdout() -> Console:
    """Return the console for results. It is 80 columns wide if stdout is not a terminal."""
    return HarmlessConsole(width=None if is_terminal(sys.stdout) else WIDTH, highlight=False, emoji=False)


def stderr() -> Console:
    """Return the console for everything that is not a result, such as notes and errors."""
    return HarmlessConsole(stderr=True, highlight=False, soft_wrap=True, emoji=False)


class HarmlessConsole(Console):
    """A console that replaces control characters by a visible one. Tabs and line feeds are kept."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(CONTROL.sub(REPLACEMENT, segment.text), segment.style)


def print_line(line: str) -> None:
    """Print a line to stdout without wrapping it."""
    stdout().print(line, markup=False, soft_wrap=True)


def print_json(value: object) -> None:
    """Print one JSON value to stdout, and nothing else."""
    encoding = getattr(sys.stdout, "encoding", None) or ""
    text = json.dumps(value, indent=1, ensure_ascii=not encoding.lower().startswith("utf"))
    print(UNESCAPED_BY_JSON.sub(lambda control: f"\\u{ord(control[0]):04x}", text))  # noqa: T201 - results go to stdout


def print_text(text: str) -> None:
    """Print lines to stdout unchanged, except for control characters."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(harmless(text.strip("\n")).encode(encoding, "replace").decode(encoding))  # noqa: T201 - results go to stdout


def complain(error: BvfError) -> None:
    """Print an error to stderr: a line that says what is wrong, and a line that says what to do."""
    _print_to_stderr(Text.assemble(("error:", "bold red"), " ", in_one_line(error.message)))
    if error.hint:
        _print_to_stderr(Text.assemble((" hint:", "dim"), " ", in_one_line(error.hint)))


def note(message: str) -> None:
    """Print a line to stderr."""
    _print_to_stderr(Text(in_one_line(message)))


def next_step(line: str) -> None:
    """Print a line that suggests the next command to stderr, but only if stderr is a terminal."""
    if is_terminal(sys.stderr):
        _print_to_stderr(Text(harmless(line), style="dim"))


def is_terminal(stream: object) -> bool:
    """Whether a stream is a terminal. A pipe is not one, even with FORCE_COLOR."""
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty())


def _print_to_stderr(line: Text) -> None:
    with suppress(OSError):  # stderr may be full or closed
        stderr().print(line)
