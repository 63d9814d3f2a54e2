"""Shows the progress of a run: a bar on a terminal, or lines in a log."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from typing import Protocol

from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from bvf.measuring.stages import SCORING
from bvf.terminal.console import HarmlessConsole, is_terminal, note

SECONDS_TO_FIRST_LINE, SECONDS_BETWEEN_LINES = 10.0, 60.0
SHORTEST_WAIT = 0.1
"""Seconds before the first line of a stage, however long ago the run began."""


class OnProgress(Protocol):
    """A function to call with progress: number done, total, number stored before, and stage."""

    def __call__(self, done: int, total: int, reused: int, stage: str = SCORING) -> None: ...


@contextmanager
def progress_bar(title: str, quiet: bool, things: str = "prompts", began: float | None = None) -> Iterator[OnProgress]:
    """Yield a function that shows the progress of a run. It is a bar on a terminal, else a line now and then.

    ``began`` is when the whole work began, by `time.monotonic`; None: it begins now.
    """
    if quiet:
        yield lambda done, total, reused, stage=SCORING: None
        return
    run = _Run(title, things, time.monotonic() if began is None else began)
    if not is_terminal(sys.stderr):
        with _lines_by_time(run) as report:
            yield report
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), _HowFar(run), _TimeLeft(run))
    with Progress(*columns, console=HarmlessConsole(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def report(done: int, total: int, reused: int, stage: str = SCORING) -> None:
            run.report(done, total, reused, stage)
            scoring = total if stage == SCORING else None
            bar.update(task, description=f"{title}: {stage}" if stage else title, completed=done, total=scoring)

        yield report


class _Run:
    """The progress of a run, its rate and the time that is left, and all of it as a line for a log.

    The rate is the mean since scoring began. A shard may take minutes, and the next report comes after it.
    """

    def __init__(self, title: str, things: str, began: float) -> None:
        self._title, self.things, self.began = title, things, began
        self._stage, self._of_stage, self._reported = "", began, began
        self._done = self._total = self._done_before = 0

    def report(self, done: int, total: int, reused: int, stage: str = SCORING) -> None:
        if stage != self._stage:
            self._stage, self._of_stage, self._done_before = stage, time.monotonic(), done
        self._done, self._total, self._reported = done, total, time.monotonic()

    @property
    def rate(self) -> float | None:
        """Things per second; None before the first are done."""
        new = self._done - self._done_before
        return new / (self._reported - self._of_stage) if new and self._stage == SCORING else None

    @property
    def seconds_left(self) -> float | None:
        """None where there is no rate yet."""
        rate = self.rate
        if rate is None:
            return None
        return max((self._total - self._done) / rate - (time.monotonic() - self._reported), 0.0)

    def line(self) -> str:
        after = f"after {time.monotonic() - self.began:.0f} s"
        if self._stage != SCORING:
            return f"{self._title}: {self._stage}, {after}" if self._stage else f"{self._title}, {after}"
        far = f"{self._title}: {self._done:,} of {self._total:,} {self.things}"
        rate, left = self.rate, self.seconds_left
        if rate is None or left is None:
            doing = "" if self._done == self._total else ", the first are being scored"
            return f"{far}{doing}, {after}"
        return f"{far}, {rate:,.1f} {self.things}/s, {left / 60:,.1f} min left"


class _HowFar(ProgressColumn):
    """A column of a progress bar: number done and rate. While the total is unknown, the seconds since the start."""

    def __init__(self, run: _Run) -> None:
        super().__init__()
        self._run = run

    def render(self, task: Task) -> Text:
        if task.total is None:
            return Text(f"{task.elapsed or 0.0:.0f} s", style="cyan")
        rate = self._run.rate
        fast = "" if rate is None else f", {rate:,.{0 if rate >= 10 else 1}f} {self._run.things}/s"
        return Text(f"{task.completed:,.0f}/{task.total:,.0f}{fast}", style="cyan")


class _TimeLeft(ProgressColumn):
    """A column of a progress bar: the time that is left, as h:mm:ss; nothing before the first answers."""

    def __init__(self, run: _Run) -> None:
        super().__init__()
        self._run = run

    def render(self, task: Task) -> Text:
        left = self._run.seconds_left
        return Text("" if left is None else f"{timedelta(seconds=round(left))} left", style="cyan")


@contextmanager
def _lines_by_time(run: _Run) -> Iterator[OnProgress]:
    """Print a line when the run is 10 seconds old, and then one per minute."""
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
