"""The items of a benchmark in each of its prompt wordings, split into blocks that are scored together."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from bvf_mining.corpora import check_encoding

from bvf import MeasureConfig
from bvf.domain.generation import Generation, generation
from bvf.domain.numbers import Count, checked_number
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.hooks.registry import Entry
from bvf.interfaces.benchmark import Benchmark, Item
from bvf_factors.benchmarks.scoring import By, checked_way
from bvf_factors.benchmarks.wordings import AS_WRITTEN, Wording, in_orders, read_wordings

ITEMS_PER_PART = 64


@dataclass(frozen=True)
class BenchmarkConfig:
    """The user's options of ``bvf factors run``: a published benchmark, and the model that answers its items.

    Args:
        benchmark: Name of the benchmark.
        data: Folder or file of its items; None: the few that come with the plugin.
        model: The model, the backend and its options, plugins, and the engine, as for a measurement.
        by: How the choices of an item are scored, such as by the ``sum`` of log p; None: as the authors do for this
            kind of model.
        wordings: A file of prompt wordings; None: the benchmark's own.
        limit_items: Only the first N items are scored; 0: all.
        out: Folder of the answers; empty: below ``runs``.
        answers: Files of published answers, in place of a model.
        encoding: The encoding of ``data`` and ``answers``; empty: UTF-8, or that of a published file.
        orders: The orders in which choices are listed; ``model.seed`` draws the random ones.
    """

    benchmark: str
    data: Path | None
    model: MeasureConfig
    by: str | None = None
    wordings: Path | None = None
    limit_items: int = 0
    out: str = ""
    answers: tuple[Path, ...] = ()
    encoding: str = ""
    orders: str = ""


@dataclass(frozen=True)
class Asked:
    """The items of a benchmark and how they are put to a model: all that scores depend on, apart from the model.

    Args:
        name: Name of the benchmark.
        owner: Name of the plugin that offers it.
        items: The questions that are scored, each with its choices.
        wordings: The texts around an item in a prompt; each item is scored in every one.
        by: How choices are scored, such as by the ``sum`` of log p; None: not chosen, and the kind of model decides.
        notes: What a reader should know about the data, one sentence each.
        generation: How texts are generated; None: no texts are asked for, or others wrote them.
    """

    name: str
    owner: str
    benchmark: Benchmark
    items: tuple[Item, ...]
    wordings: tuple[Wording, ...]
    by: By | None
    notes: tuple[str, ...] = ()
    generation: Generation | None = None

    def parts(self) -> list["Part"]:
        """Split the items, in every prompt wording, into blocks that are scored together."""
        starts = product(range(len(self.wordings)), range(0, len(self.items), ITEMS_PER_PART))
        return [
            Part(index, wording, start, min(start + ITEMS_PER_PART, len(self.items)))
            for index, (wording, start) in enumerate(starts)
        ]

    def of(self, part: "Part") -> list[Item]:
        """Return the items of a block, in the block's prompt wording."""
        return self.worded(self.wordings[part.wording])[part.start : part.stop]

    def worded(self, wording: Wording) -> list[Item]:
        """Return all items in a wording, with their choices in its order."""
        if wording.order is None:
            return [wording.of(item) for item in self.items]
        return [wording.of(self.benchmark.in_order(item, wording.order_of(item))) for item in self.items]


@dataclass(frozen=True)
class Part:
    """A block of items that are scored together: ``start`` to ``stop`` (excluded), in wording number ``wording``."""

    index: int
    wording: int
    start: int
    stop: int


def read_asked(config: BenchmarkConfig, plugins: Plugins) -> Asked:
    """Read the items and the prompt wordings of a benchmark."""
    entry: Entry[Benchmark] = plugins.benchmarks.find(config.benchmark.partition(":")[0])
    benchmark: Benchmark = plugins.benchmarks.make(config.benchmark)
    _set_encoding(benchmark, config)
    if config.data is not None and not config.data.exists():
        raise BvfError(f"{config.data}: there is no such file or folder", f"the data are at {benchmark.origin.url}")
    items = tuple(benchmark.items(config.data or Path(str(benchmark.sample))))
    items = items[: checked_number(config.limit_items, Count, "--limit-items") or None]
    by = checked_way(config.by, benchmark.asks, items, config.benchmark)
    own = Wording(AS_WRITTEN, "{left}\n{choices}\nAnswer:" if by == "letters" else "{left}")
    wordings = read_wordings(config.wordings) if config.wordings else (own,)
    if benchmark.asks != "answers" and (config.wordings or config.orders):
        option = "--wordings" if config.wordings else f"--orders {config.orders}"
        texts = "continues texts" if benchmark.asks == "texts" else "compares sentences"
        raise BvfError(f"{option}: {config.benchmark} {texts}, which are as they are", "leave it out")
    for wording in wordings:
        wording.of(items[0])
    sample = f"A few items written for bvf, to try it out: scores mean nothing. --data takes {benchmark.origin.url}"
    notes = (sample,) if config.data is None else tuple(benchmark.remarks(config.data))
    in_all = in_orders(wordings, config.orders, config.model.seed, items)
    name, owner = entry.provider.name, entry.owner.plugin
    asked = Asked(name, owner, benchmark, items, in_all, by, notes, _generation_of(config, benchmark))
    if config.orders:
        _refuse_unlisted_choices(asked, wordings)
    return asked


def _generation_of(config: BenchmarkConfig, benchmark: Benchmark) -> Generation | None:
    """How texts are generated; refuse an option of it where none are."""
    model = config.model
    chosen = next((name for name in ("samples", "tokens", "temperature") if getattr(model, name) is not None), None)
    if benchmark.asks == "texts" and not config.answers:
        return generation(model.samples, model.tokens, model.temperature, model.seed)
    if chosen is not None:
        why = "others wrote the texts" if benchmark.asks == "texts" else f"{config.benchmark} asks for no texts"
        raise BvfError(f"--{chosen} {getattr(model, chosen)}: {why}", "leave it out")
    return None


def _set_encoding(benchmark: Benchmark, config: BenchmarkConfig) -> None:
    """Tell the benchmark the encoding that the user named; refuse one that does not exist or would not be used."""
    if not config.encoding:
        return
    check_encoding(config.encoding)
    option = f"--encoding {config.encoding}"
    if config.data is None:
        raise BvfError(f"{option}: that is the encoding of --data, which is not given", "give both")
    if not benchmark.encoding:
        raise BvfError(f"{option}: {config.benchmark} reads its files in one encoding", "leave it out")
    benchmark.encoding = config.encoding


def _refuse_unlisted_choices(asked: Asked, wordings: Sequence[Wording]) -> None:
    item = asked.items[0]
    turned = asked.benchmark.in_order(item, tuple(reversed(range(len(item.choices)))))
    for wording in wordings:
        if wording.of(turned).left == wording.of(item).left:
            raise BvfError(
                f'--orders: the wording "{wording.name}" does not list the choices, so their order changes nothing',
                "take --by letters, or a wording with {choices}",
            )
