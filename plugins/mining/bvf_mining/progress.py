"""Shows the progress of mining: a bar on a terminal, or a line per minute in a log."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from bvf.terminal import is_terminal, note, stderr

if TYPE_CHECKING:
    from bvf_mining.job import MiningProgress

SECONDS_BETWEEN_LINES = 60.0


@contextmanager
def mining_bar(quiet: bool) -> "Iterator[Callable[[str, MiningProgress], None]]":
    """Yield a function that shows the progress of mining. It is a bar on a terminal, else a line per minute."""
    if quiet:
        yield lambda source, state: None
        return
    rate = _Sentences()
    if not is_terminal(sys.stderr):
        yield rate.line
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[state]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=stderr(), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def report(source: str, state: "MiningProgress") -> None:
            task = tasks.get(source) or tasks.setdefault(source, bar.add_task(source, total=None, state=""))
            whole = None if state.share is None else 1
            bar.update(task, completed=state.share or 0, total=whole, state=rate.text(source, state))

        yield report


class _Sentences:
    """The progress of mining as text: documents, sentences per second, matches kept."""

    def __init__(self) -> None:
        self._began: dict[str, float] = {}
        self._last_line = time.monotonic()

    def text(self, source: str, state: "MiningProgress") -> str:
        if state.drawing:
            return f"{state.documents:,} documents read for the sample"
        now = time.monotonic()
        seconds = now - self._began.setdefault(source, now)
        rate = f"{state.sentences / seconds:,.0f} sentences/s, " if seconds else ""
        return f"{state.documents:,} documents, {rate}{state.kept:,} kept"

    def line(self, source: str, state: "MiningProgress") -> None:
        text = self.text(source, state)
        if time.monotonic() - self._last_line >= SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            share = f"{state.share:.0%}, " if state.share is not None else ""
            note(f"{source}: {share}{text}")
