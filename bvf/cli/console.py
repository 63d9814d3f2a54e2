"""Where text goes: results to stdout, everything else to stderr."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from bvf.errors import BvfError

if TYPE_CHECKING:
    from bvf.mine.job import MiningProgress

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
    console.print(f"[bold red]error:[/] {plain(str(error))}")
    if error.hint:
        console.print(f"[dim] hint:[/] {plain(error.hint)}")


def note(message: str) -> None:
    """Print a line to stderr."""
    stderr().print(plain(message))


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


@contextmanager
def mining_bar(quiet: bool) -> "Iterator[Callable[[str, MiningProgress], None]]":
    """Yield a function of a corpus and how far it is: a bar on a terminal, else a line a minute, or nothing."""
    if quiet:
        yield lambda source, state: None
        return
    console = Console(stderr=True)
    rate = _Sentences()
    if not console.is_terminal:
        yield lambda source, state: rate.line(source, state)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def report(source: str, state: "MiningProgress") -> None:
            task = tasks.get(source) or tasks.setdefault(source, bar.add_task(source, total=None, state=""))
            whole = None if state.share is None else 1
            bar.update(task, completed=state.share or 0, total=whole, state=rate.text(source, state))

        yield report


class _Sentences:
    """Sentences a second since a corpus was begun."""

    def __init__(self) -> None:
        self._began: dict[str, float] = {}
        self._told = time.monotonic()

    def text(self, source: str, state: "MiningProgress") -> str:
        now = time.monotonic()
        seconds = now - self._began.setdefault(source, now)
        rate = f"{state.sentences / seconds:,.0f} sentences/s, " if seconds else ""
        return f"{state.documents:,} documents, {rate}{state.kept:,} kept"

    def line(self, source: str, state: "MiningProgress") -> None:
        text = self.text(source, state)
        if time.monotonic() - self._told >= SECONDS_BETWEEN_LINES:
            self._told = time.monotonic()
            share = f"{state.share:.0%}, " if state.share is not None else ""
            sys.stderr.write(f"{source}: {share}{text}\n")


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


def plain(text: str) -> str:
    """Return a text that rich reads no style in."""
    return text.replace("[", r"\[")
