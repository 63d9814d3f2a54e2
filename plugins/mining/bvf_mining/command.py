"""``bvf mine``: contexts from a corpus of the user's, with its progress."""

import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from bvf import Section
from bvf.tables import counted
from bvf.terminal import Given, Quiet, flag, is_terminal, note, print_line, show_as, stderr, stdout, with_fields
from bvf_mining.config import MineConfig, merged_mine_config

if TYPE_CHECKING:
    from bvf_mining.job import Mined, MinedPart, MiningProgress

SECONDS_BETWEEN_LINES = 60.0
SHOWN = 10


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
            from bvf_mining.remote import public

            note(f"{public(source)}: {share}{text}")


@with_fields(MineConfig)
def mine(
    given: Given,
    corpus: Annotated[
        list[str] | None, typer.Argument(metavar="CORPUS...", help=MineConfig.model_fields["corpus"].description)
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", "-o", help=MineConfig.model_fields["out"].description, metavar="FILE.csv|DIR")
    ] = None,
    config: Annotated[Path | None, flag("--config", help_text="Read these options from a TOML file.")] = None,
    no_examples: Annotated[
        bool, flag("--no-examples", help_text="Do not write example sentences of the corpus.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """``bvf mine``."""
    given |= {"corpus": corpus} if corpus else {}
    given |= {"out": out} if out else {}
    given |= {"examples": False} if no_examples else {}
    from bvf_mining.job import mine as mined_whole
    from bvf_mining.job import mine_part

    choices = merged_mine_config(given, config)
    with mining_bar(quiet) as report:
        if choices.part:
            parts, whole = mine_part(choices, on_progress=report, on_skip=note), []
        else:
            parts, whole = [], mined_whole(choices, on_progress=report, on_skip=note)
    for part in parts:
        _show_part(part)
    for number, mined in enumerate(whole):
        if number:
            print_line("")
        _show(mined, choices)


def _show_part(mined: "MinedPart") -> None:
    """Print how many blocks of documents of a corpus are mined, and which parts are missing."""
    missing = mined.part.numbers_of(mined.missing)
    there = f"{mined.pieces - len(mined.missing):,} of {mined.pieces:,} pieces are there"
    rest = f"missing: {mined.part.named(missing)}" if missing else "the same command without --part finishes"
    print_line(f"{mined.file}: part {mined.part} is done; {there}; {rest}")


def _show(mined: "Mined", choices: MineConfig) -> None:
    """Print the most frequent templates, how many sentences each rule dropped, the files, and a command to run."""
    from bvf.files import record_of

    console = stdout()
    counts = mined.counts
    rest = len(mined.lines) - SHOWN
    heaviest = Section(
        "heaviest templates",
        ("count", "template"),
        [(str(line.count), line.template) for line in mined.lines[:SHOWN]],
        names=0,
        notes=[f"and {counted(rest, 'more template')}"] if rest > 0 else [],
        last="text",
    )
    show_as("text", [heaviest], None)
    parsed = f"{counts.sentences:,} sentences, {counts.parsed:,} of them parsed, {counts.kept:,} kept"
    repeated = {"match, but the same sentence counts already": counts.repeated} if counts.repeated else {}
    dropped, words = Counter[str](), dict[str, list[str]]()
    for why, count in sorted({**counts.dropped, **repeated}.items(), key=lambda item: (-item[1], item[0])):
        rule, _, word = why.partition(": ")
        dropped[rule] += count
        words.setdefault(rule, []).extend([f"{word} {count:,}"] if word else [])
    console.print(f"\n{parsed}; {'dropped:' if dropped else 'none dropped'}", markup=False)
    for rule, count in sorted(dropped.items(), key=lambda item: (-item[1], item[0])):
        more = ", ..." if len(words[rule]) > SHOWN else ""
        named = f" ({', '.join(words[rule][:SHOWN])}{more})" if words[rule] else ""
        console.print(f"{count:>9,}  {rule}{named}", markup=False)
    print_line(f"\ncontexts: {mined.file}\nrecord:   {record_of(mined.file)}")
    print_line(f"next:     {_run(choices, mined.file)}")


def _run(choices: MineConfig, file: Path) -> str:
    """The command that asks the topic of a mined set in its language."""
    language = ["--lang", choices.lang] if choices.lang != MineConfig.model_fields["lang"].default else []
    topic = ["--topic", str(choices.topic)] if choices.topic else []
    options = [word for name, value in choices.topic_options.items() for word in ("-T", f"{name}={value}")]
    return shlex.join(["bvf", "run", *language, *topic, *options, "--contexts", str(file)])
