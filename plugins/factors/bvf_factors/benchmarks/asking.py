"""What a benchmark asks: its items in every wording, in parts that are scored together."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bvf import MeasureConfig
from bvf.errors import BvfError, nearest
from bvf.hooks.loader import Plugins
from bvf.hooks.registry import Entry
from bvf.interfaces.benchmark import Benchmark, Item
from bvf_factors.benchmarks.scoring import WAYS, By
from bvf_factors.benchmarks.wordings import AS_WRITTEN, Wording, read_wordings

ITEMS_PER_PART = 64


@dataclass(frozen=True)
class BenchmarkConfig:
    """What is asked of which model.

    Args:
        benchmark: Its name.
        data: Folder or file of its items; None: the few that come with the plugin.
        by: How the score of an answer is made: sum, bytes or letters.
        wordings: A file of wordings; None: the benchmark's own.
        limit_items: Only the first items, this many; 0: all.
        out: Where the answers go; empty: below ``runs``.
        model: As in a measurement: the model, the backend and its options, plugins, the engine.
        answers: Files of published answers, in place of a model.
    """

    benchmark: str
    data: Path | None
    model: MeasureConfig
    by: By = "sum"
    wordings: Path | None = None
    limit_items: int = 0
    out: str = ""
    answers: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Asked:
    """What a model is asked, and everything besides the model that a score depends on.

    Args:
        name: Name of the benchmark.
        owner: The plugin that has it.
        benchmark: The benchmark.
        items: What it asks, in every wording.
        wordings: The wordings; only one if it is the benchmark's own.
        by: How the score of an answer is made.
        notes: What a reader should know about the data, one sentence each.
    """

    name: str
    owner: str
    benchmark: Benchmark
    items: tuple[Item, ...]
    wordings: tuple[Wording, ...]
    by: By
    notes: tuple[str, ...] = ()

    def parts(self) -> list["Part"]:
        """Return the items in parts, of one wording each."""
        return [
            Part(index, wording, start, min(start + ITEMS_PER_PART, len(self.items)))
            for index, (wording, start) in enumerate(
                (wording, start)
                for wording in range(len(self.wordings))
                for start in range(0, len(self.items), ITEMS_PER_PART)
            )
        ]

    def of(self, part: "Part") -> list[Item]:
        """Return the items of a part, in its wording."""
        wording = self.wordings[part.wording]
        return [wording.of(item) for item in self.items[part.start : part.stop]]


@dataclass(frozen=True)
class Part:
    """Items that are scored together: from ``start`` to ``stop``, in one wording."""

    index: int
    wording: int
    start: int
    stop: int


def read_asked(config: BenchmarkConfig, plugins: Plugins) -> Asked:
    """Return what is asked.

    Raises:
        BvfError: There is no such benchmark, data or wording.
    """
    if config.by not in WAYS:
        raise BvfError(f"--by {config.by}: no way to score answers", nearest(config.by, list(WAYS)))
    entry: Entry[Benchmark] = plugins.benchmarks.find(config.benchmark.partition(":")[0])
    benchmark: Benchmark = plugins.benchmarks.make(config.benchmark)
    wordings = read_wordings(config.wordings) if config.wordings else (_own_wording(config.by),)
    if benchmark.asks != "answers" and (config.wordings or config.by != "sum"):
        option = "--wordings" if config.wordings else f"--by {config.by}"
        raise BvfError(f"{option}: {config.benchmark} compares sentences, which are as they are", "leave it out")
    if config.data is not None and not config.data.exists():
        raise BvfError(f"{config.data}: there is no such file or folder", f"the data are at {benchmark.origin.url}")
    items = tuple(benchmark.items(config.data or Path(str(benchmark.sample))))
    items = items[: config.limit_items or None]
    notes = tuple(_notes(benchmark, config.data))
    asked = Asked(entry.provider.name, entry.owner.plugin, benchmark, items, wordings, config.by, notes)
    for wording in wordings:
        wording.of(items[0])
    return asked


def _notes(benchmark: Benchmark, data: Path | None) -> Iterator[str]:
    """What a reader should know about the data: that they are a sample, or not as published."""
    if data is None:
        yield f"A few items written for bvf, to try it out: scores mean nothing. --data takes {benchmark.origin.url}"
        return
    yield from benchmark.remarks(data)


def _own_wording(by: By) -> Wording:
    return Wording(AS_WRITTEN, "{left}\n{choices}\nAnswer:" if by == "letters" else "{left}")
