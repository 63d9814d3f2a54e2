"""The items of a benchmark in each prompt wording, in blocks that are scored together, and the answers of a model."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from bvf_mining.corpora import check_encoding

from bvf import Benchmark, BvfError, MeasureConfig
from bvf.domain import Count, Generation, checked_number
from bvf.hooks import Entry, Plugins
from bvf.interfaces import Answer, Item
from bvf.tables import counted
from bvf_factors.benchmarks.scoring import AS_WRITTEN, By, Wording, checked_way, in_orders, order_text, read_wordings

ITEMS_PER_PART = 64
AS_PUBLISHED = "as published"
CHOSEN = {
    "sum": "the answer with the highest log-probability",
    "bytes": "the answer with the highest log-probability per byte",
    "letters": "the letter with the highest log-probability",
    "pmi": "the answer whose log-probability the question raises most",
}
WHOLE = {"sum": "log-probability", "tokens": "log-probability per token", "bytes": "log-probability per byte"}


@dataclass(frozen=True)
class BenchmarkConfig:
    """The user's options of ``bvf factors run``: a published benchmark, and the model that answers its items."""

    benchmark: str
    data: Path | None  # folder or file of its items; None: the few that come with the plugin
    model: MeasureConfig  # the model, the backend and its options, plugins, and the engine, as for a measurement
    # how the choices of an item are scored, such as by the ``sum`` of log p; None: as the authors do for this
    # kind of model
    by: str | None = None
    wordings: Path | None = None  # a file of prompt wordings; None: the benchmark's own
    limit_items: int = 0  # only the first N items are scored; 0: all
    out: str = ""  # folder of the answers; empty: below ``runs``
    answers: tuple[Path, ...] = ()  # files of published answers, in place of a model
    encoding: str = ""  # the encoding of ``data`` and ``answers``; empty: UTF-8, or that of a published file
    orders: str = ""  # the orders in which choices are listed; ``model.seed`` draws the random ones


@dataclass(frozen=True)
class Part:
    """A block of items that are scored together: ``start`` to ``stop`` (excluded), in wording number ``wording``."""

    index: int
    wording: int
    start: int
    stop: int


@dataclass(frozen=True)
class Asked:
    """The items of a benchmark and how they are put to a model: all that scores depend on, apart from the model."""

    name: str
    owner: str  # name of the plugin that offers it
    benchmark: Benchmark
    items: tuple[Item, ...]  # the questions that are scored, each with its choices
    wordings: tuple[Wording, ...]  # the texts around an item in a prompt; each item is scored in every one
    # how choices are scored, such as by the ``sum`` of log p; None: not chosen, and the kind of model decides
    by: By | None
    notes: tuple[str, ...] = ()  # what a reader should know about the data, one sentence each
    generation: Generation | None = None  # how texts are generated; None: no texts are asked for, or others wrote them

    def parts(self) -> list[Part]:
        """Split the items, in every prompt wording, into blocks that are scored together."""
        starts = product(range(len(self.wordings)), range(0, len(self.items), ITEMS_PER_PART))
        return [
            Part(index, wording, start, min(start + ITEMS_PER_PART, len(self.items)))
            for index, (wording, start) in enumerate(starts)
        ]

    def answers_wanted(self, but: Mapping[int, Any]) -> int:
        """Return how many answers the blocks have whose numbers are not in ``but``."""
        return sum(part.stop - part.start for part in self.parts() if part.index not in but)

    def worded(self, wording: Wording) -> list[Item]:
        """Return all items in a wording, with their choices in its order."""
        if wording.order is None:
            return [wording.of(item) for item in self.items]
        return [wording.of(self.benchmark.in_order(item, wording.order_of(item))) for item in self.items]


@dataclass(frozen=True)
class Answered:
    """The answers of a model to the items of a benchmark, and where they are stored."""

    asked: Asked
    model: str
    path: str  # the model as given by ``--model``, or the files of published answers
    folder: Path
    answers: Mapping[str, tuple[Answer, ...]]  # the answers to all items, by wording
    whole: bool = False  # sentences with a slot were scored whole, as the model reads only from left to right
    # the rule for the token before a text with nothing left of it; empty: there is no such text, or the model
    # was asked before there were two rules
    start: str = ""

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row per answer (or text): factors, outcome, model, item, wording, order of choices if it varies."""
        orders = {wording.name: wording for wording in self.asked.wordings if wording.order is not None}
        for name, answers in self.answers.items():
            for answer in answers:
                order = {"order": order_text(orders[name].order_of(answer.item))} if name in orders else {}
                group = {"group": answer.item.group} if answer.item.group else {}
                named = {"model": self.model, "item": answer.item.id, "wording": name, **order, **group}
                for number, alone in enumerate(answer.text_by_text, start=1):
                    text = {"sample": number, "text": alone.texts[0].text} if alone.texts else {}
                    yield {**named, **text, **self.asked.benchmark.row(alone)}

    @property
    def summary(self) -> str:
        """A sentence on the items, and on what is compared."""
        asked = self.asked
        if AS_PUBLISHED in self.answers:
            answers = self.answers[AS_PUBLISHED]
            texts = sum(len(each.texts) for each in answers)
            if not texts:
                return f"{counted(len(answers), 'published answer')}."
            return f"{counted(texts, 'text')} after {counted(len(answers), 'prompt')}."
        if asked.generation:
            every = Counter(text.missing for of in self.answers.values() for each in of for text in each.texts)
            missing = [f", {number} missing: {why}" for why, number in sorted(every.items()) if why]
            return f"{counted(len(asked.items), 'prompt')}, {asked.generation.described}{''.join(missing)}."
        texts_of, orders = ({getattr(each, field) for each in asked.wordings} for field in ("text", "order"))
        wordings = [
            f", in {counted(len(texts_of), 'wording')}" if len(texts_of) > 1 else "",
            f", in {len(orders)} orders of the choices" if len(orders) > 1 else "",
            ", with the choices in an order drawn for each item"
            if any(isinstance(each, int) for each in orders)
            else "",
        ]
        begun = ", with texts begun as by lm-evaluation-harness" if self.start == "harness" else ""
        return f"{counted(len(asked.items), 'item')}{''.join(wordings)}. {self._chosen}{begun}."

    @property
    def _chosen(self) -> str:
        by = self.asked.by or "sum"
        if self.asked.benchmark.asks != "answers":
            return "Sentences are compared" + ("" if by == "sum" else f" by their {WHOLE[by]}")
        if not self.whole:
            return f"Chosen: {CHOSEN[by]}"
        follows = any(not item.inside for item in self.asked.items)
        following = f", or the one that is most probable after its context{' per byte' if by == 'bytes' else ''}"
        return f"Chosen: the whole sentence with the highest {WHOLE[by]}{following if follows else ''}"


def answers_of(asked: Asked, known: Mapping[int, list[Answer]]) -> dict[str, tuple[Answer, ...]]:
    """Return the answers of all parts, by wording, with scores in the order of the data."""
    of_wordings: dict[str, list[Answer]] = {wording.name: [] for wording in asked.wordings}
    for part in asked.parts():
        wording = asked.wordings[part.wording]
        for each in known[part.index]:
            in_data = sorted(zip(wording.order_of(each.item), each.scores, strict=True))
            of_wordings[wording.name].append(replace(each, scores=tuple(score for _, score in in_data)))
    return {name: tuple(answers) for name, answers in of_wordings.items()}


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
    if config.orders:
        _refuse_unlisted_choices(benchmark, items[0], wordings)
    name, owner = entry.provider.name, entry.owner.plugin
    return Asked(name, owner, benchmark, items, in_all, by, notes, _generation_of(config, benchmark))


def _generation_of(config: BenchmarkConfig, benchmark: Benchmark) -> Generation | None:
    """How texts are generated; refuse an option of it where none are."""
    model = config.model
    chosen = next((name for name in ("samples", "tokens", "temperature") if getattr(model, name) is not None), None)
    if benchmark.asks == "texts" and not config.answers:
        return Generation.of(model.samples, model.tokens, model.temperature, model.seed)
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


def _refuse_unlisted_choices(benchmark: Benchmark, item: Item, wordings: Sequence[Wording]) -> None:
    turned = benchmark.in_order(item, tuple(reversed(range(len(item.choices)))))
    for wording in wordings:
        if wording.of(turned).left == wording.of(item).left:
            raise BvfError(
                f'--orders: the wording "{wording.name}" does not list the choices, so their order changes nothing',
                "take --by letters, or a wording with {choices}",
            )
