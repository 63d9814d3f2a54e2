"""The items of a benchmark, each in several prompt wordings, split into blocks that are scored together."""

from dataclasses import dataclass
from itertools import product
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
    """A benchmark and the model that answers it.

    Args:
        data: Folder or file of its items; None: the few that come with the plugin.
        model: As in a measurement: the model, the backend and its options, plugins, the engine.
        wordings: A file of wordings; None: the benchmark's own.
        limit_items: Only the first N items are scored; 0: all.
        out: Folder of the answers; empty: below ``runs``.
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
    """Items, prompt wordings and settings of a benchmark. Apart from the model, scores depend on nothing else.

    Args:
        name: Name of the benchmark.
        owner: The plugin that brings it.
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
        """Split the items, in every prompt wording, into blocks that are scored together."""
        starts = product(range(len(self.wordings)), range(0, len(self.items), ITEMS_PER_PART))
        return [
            Part(index, wording, start, min(start + ITEMS_PER_PART, len(self.items)))
            for index, (wording, start) in enumerate(starts)
        ]

    def of(self, part: "Part") -> list[Item]:
        """Return the items of a block, in the block's prompt wording."""
        wording = self.wordings[part.wording]
        return [wording.of(item) for item in self.items[part.start : part.stop]]


@dataclass(frozen=True)
class Part:
    """A block of items that are scored together: ``start`` to ``stop``, in one wording."""

    index: int
    wording: int
    start: int
    stop: int


def read_asked(config: BenchmarkConfig, plugins: Plugins) -> Asked:
    """Read the items and the prompt wordings of a benchmark."""
    if config.by not in WAYS:
        raise BvfError(f"--by {config.by}: no way to score answers", nearest(config.by, list(WAYS)))
    entry: Entry[Benchmark] = plugins.benchmarks.find(config.benchmark.partition(":")[0])
    benchmark: Benchmark = plugins.benchmarks.make(config.benchmark)
    own = Wording(AS_WRITTEN, "{left}\n{choices}\nAnswer:" if config.by == "letters" else "{left}")
    wordings = read_wordings(config.wordings) if config.wordings else (own,)
    if benchmark.asks != "answers" and (config.wordings or config.by != "sum"):
        option = "--wordings" if config.wordings else f"--by {config.by}"
        raise BvfError(f"{option}: {config.benchmark} compares sentences, which are as they are", "leave it out")
    if config.data is not None and not config.data.exists():
        raise BvfError(f"{config.data}: there is no such file or folder", f"the data are at {benchmark.origin.url}")
    items = tuple(benchmark.items(config.data or Path(str(benchmark.sample))))
    items = items[: config.limit_items or None]
    for wording in wordings:
        wording.of(items[0])
    sample = f"A few items written for bvf, to try it out: scores mean nothing. --data takes {benchmark.origin.url}"
    notes = (sample,) if config.data is None else tuple(benchmark.remarks(config.data))
    return Asked(entry.provider.name, entry.owner.plugin, benchmark, items, wordings, config.by, notes)
