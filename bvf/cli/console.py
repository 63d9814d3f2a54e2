"""Where text goes: results to stdout, everything else to stderr."""

import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, Protocol

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.segment import Segment
from rich.text import Text

from bvf.errors import CONTROL, BvfError, harmless, in_one_line
from bvf.measuring.stages import SCORING

if TYPE_CHECKING:
    from bvf.mining.job import MiningProgress

WIDTH = 80
SECONDS_TO_FIRST_LINE, SECONDS_BETWEEN_LINES = 10.0, 60.0
SHORTEST_WAIT = 0.1
"""Seconds after which a stage that has just begun is worth a line."""
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
CONTROL_ABOVE_ASCII = re.compile(r"[\x7f-\x9f]")
"""Control characters that JSON lets stand."""


def stdout() -> Console:
    """Return the console of results; 80 columns wide where it is no terminal."""
    return _Harmless(width=None if _is_terminal(sys.stdout) else WIDTH, highlight=False, emoji=False)


def stderr() -> Console:
    """Return the console of everything that is no result."""
    return _Harmless(stderr=True, highlight=False, soft_wrap=True, emoji=False)


class _Harmless(Console):
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
    if _is_terminal(sys.stderr):
        for line in lines:
            _tell(Text(harmless(line), style="dim"))


def _is_terminal(stream: object) -> bool:
    """Whether somebody sees what is written; colours in a pipe, as FORCE_COLOR asks for, make none."""
    asked = getattr(stream, "isatty", None)
    return bool(asked and asked())


def _tell(line: Text) -> None:
    with suppress(OSError):  # where stderr is full or closed there is nobody to tell
        stderr().print(line)


class OnProgress(Protocol):
    """Takes how many are done, of how many, how many of them were stored before, and what is being done now."""

    def __call__(self, done: int, total: int, reused: int, stage: str) -> None: ...


@contextmanager
def progress_bar(title: str, quiet: bool, things: str = "prompts", began: float | None = None) -> Iterator[OnProgress]:
    """Yield a function that shows how far a run is: as a bar on a terminal, else as a line now and then, or not at all.

    Args:
        title: What is run.
        quiet: Show nothing.
        things: What is counted.
        began: When the work began of which this is a part, by `time.monotonic`; None: it begins now.
    """
    if quiet:
        yield lambda done, total, reused, stage: None
        return
    if not _is_terminal(sys.stderr):
        with _lines_by_time(_Run(title, things, time.monotonic() if began is None else began)) as report:
            yield report
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), _HowFar(things), TimeRemainingColumn())
    with Progress(*columns, console=_Harmless(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def report(done: int, total: int, reused: int, stage: str) -> None:
            scoring = total if stage == SCORING else None
            bar.update(task, description=f"{title}: {stage}" if stage else title, completed=done, total=scoring)

        yield report


class _HowFar(ProgressColumn):
    """How many are done and how fast; how long it has taken where nothing is counted yet."""

    def __init__(self, things: str) -> None:
        super().__init__()
        self._things = things

    def render(self, task: Task) -> Text:
        if task.total is None:
            return Text(f"{task.elapsed or 0.0:.0f} s", style="cyan")
        rate = f", {task.speed:,.0f} {self._things}/s" if task.speed else ""
        return Text(f"{task.completed:,.0f}/{task.total:,.0f}{rate}", style="cyan")


class _Run:
    """How far a run is, as a line for a log."""

    def __init__(self, title: str, things: str, began: float) -> None:
        self._title, self._things, self.began = title, things, began
        self._stage, self._of_stage = "", began
        self._done = self._total = self._done_before = 0

    def report(self, done: int, total: int, reused: int, stage: str) -> None:
        if stage != self._stage:
            self._stage, self._of_stage, self._done_before = stage, time.monotonic(), done
        self._done, self._total = done, total

    def line(self) -> str:
        now = time.monotonic()
        if self._stage != SCORING:
            return f"{self._title}: {self._stage}, after {now - self.began:.0f} s"
        far = f"{self._title}: {self._done:,} of {self._total:,} {self._things}"
        new = self._done - self._done_before
        if not new:
            return f"{far}, the first are being scored, after {now - self.began:.0f} s"
        rate = new / (now - self._of_stage)
        return f"{far}, {rate:,.1f} {self._things}/s, {(self._total - self._done) / rate / 60:,.1f} min left"


@contextmanager
def _lines_by_time(run: _Run) -> Iterator[OnProgress]:
    """Print a line when the work is some seconds old, and then one per minute, whatever was finished in between."""
    ended = Event()

    def print_lines() -> None:
        seconds = max(run.began + SECONDS_TO_FIRST_LINE - time.monotonic(), SHORTEST_WAIT)
        while not ended.wait(seconds):
            note(run.line())
            seconds = SECONDS_BETWEEN_LINES

    printing = Thread(target=print_lines, daemon=True)
    printing.start()
    try:
        yield run.report
    finally:
        ended.set()
        printing.join()


@contextmanager
def mining_bar(quiet: bool) -> "Iterator[Callable[[str, MiningProgress], None]]":
    """Yield a function of a corpus and how far it is: a bar on a terminal, else a line a minute, or nothing."""
    if quiet:
        yield lambda source, state: None
        return
    rate = _Sentences()
    if not _is_terminal(sys.stderr):
        yield lambda source, state: rate.line(source, state)
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[state]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=_Harmless(stderr=True), transient=True) as bar:
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
        if state.drawing:
            return f"{state.documents:,} documents read for the sample"
        now = time.monotonic()
        seconds = now - self._began.setdefault(source, now)
        rate = f"{state.sentences / seconds:,.0f} sentences/s, " if seconds else ""
        return f"{state.documents:,} documents, {rate}{state.kept:,} kept"

    def line(self, source: str, state: "MiningProgress") -> None:
        text = self.text(source, state)
        if time.monotonic() - self._told >= SECONDS_BETWEEN_LINES:
            self._told = time.monotonic()
            share = f"{state.share:.0%}, " if state.share is not None else ""
            note(f"{source}: {share}{text}")
