"""Where text goes: results to stdout, everything else to stderr."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from bvf.errors import BvfError

WIDTH = 80
SECONDS_BETWEEN_LINES = 60.0


def stdout() -> Console:
    """Return the console of results; 80 columns wide where it is no terminal."""
    console = Console(highlight=False, emoji=False)
    return console if console.is_terminal else Console(width=WIDTH, highlight=False, emoji=False)


def stderr() -> Console:
    """Return the console of everything that is no result."""
    return Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)


def complain(error: BvfError) -> None:
    """Print one line that says what is wrong, and one that says what would be right."""
    console = stderr()
    console.print(f"[bold red]error:[/] {_plain(str(error))}")
    if error.hint:
        console.print(f"[dim] hint:[/] {_plain(error.hint)}")


def note(message: str) -> None:
    """Print a line to stderr."""
    stderr().print(_plain(message))


@contextmanager
def progress_bar(title: str, quiet: bool) -> Iterator[Callable[[int, int, int], None]]:
    """Yield a function of (done, total, reused) prompts: a bar on a terminal, else a line a minute, or nothing."""
    if quiet:
        yield lambda done, total, reused: None
        return
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _line_a_minute(title)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total, reused: bar.update(task, completed=done, total=total)


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f} prompts/s" if task.speed else "", style="cyan")


def _line_a_minute(title: str) -> Callable[[int, int, int], None]:
    started = last = time.monotonic()

    def report(done: int, total: int, reused: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < SECONDS_BETWEEN_LINES:
            return
        last = now
        rate = (done - reused) / (now - started)
        left = (total - done) / rate if rate else float("inf")
        sys.stderr.write(f"{title}: {done:,} of {total:,} prompts, {rate:,.0f} prompts/s, {left / 60:.0f} min left\n")

    return report


def _plain(text: str) -> str:
    return text.replace("[", r"\[")
