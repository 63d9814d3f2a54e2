"""Makes a context set of each corpus: reads and mines it in blocks, counts matches, and writes the set."""

import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Unpack

from bvf import BvfError, Engine, Share, find_topic, load
from bvf.domain import JobPart, settings_of
from bvf.files import digest_of_texts, disk_errors_explained, processors, read_bytes
from bvf.hooks import Entry, Plugins
from bvf.interfaces import Document, Miner, MiningRequest
from bvf_mining.config import IN_PYTHON, MineConfig, MineKeywords
from bvf_mining.corpora import harmless
from bvf_mining.corpus import Corpus, Health, sample, without_markup
from bvf_mining.output import check_outputs, matches_file, output_files, write_matches, write_set
from bvf_mining.pieces import ONCE_WRITABLE, KeyedPieces, Piece, found_in, mine_pieces, pieces_of
from bvf_mining.remote import public
from bvf_mining.tally import Counts, Line, Tally

LEAST_OF_SCRIPT = 0.5
LETTERS_LOOKED_AT = 20_000
RULES_SHOWN = 4
DRAWN_BETWEEN_REPORTS = 1000
ALONE = Share()
OnSkip = Callable[[str], None]


@dataclass(frozen=True)
class MiningProgress:
    """The progress of mining one corpus.

    ``share`` is the fraction of the corpus read so far, None if unknown; ``reused`` is the number of blocks of
    documents from an earlier run; ``drawing``: a sample of documents is being drawn, and nothing is mined yet.
    """

    documents: int = 0
    characters: int = 0
    share: float | None = None
    sentences: int = 0
    kept: int = 0
    reused: int = 0
    drawing: bool = False


OnProgress = Callable[[str, MiningProgress], None]


@dataclass(frozen=True)
class Mined:
    """A mined context set: its file, its lines, and the record beside it."""

    file: Path
    lines: list[Line]
    counts: Counts
    record: dict[str, Any]


@dataclass(frozen=True)
class MinedPart:
    """The number of blocks of documents of a corpus, and the indices of those still missing."""

    file: Path
    part: JobPart
    pieces: int
    missing: tuple[int, ...]


@dataclass
class _Extent:
    """Numbers of documents and characters read, and a digest that ignores the documents' order."""

    documents: int = 0
    characters: int = 0
    sum: int = 0

    def add(self, document: Document) -> None:
        self.documents += 1
        self.characters += len(document.text)
        self.sum = (self.sum + int(digest_of_texts(document.id, document.text), 16)) % 2**128


def mine(
    config: MineConfig | None = None,
    *,
    plugins: Plugins | None = None,
    on_progress: OnProgress = lambda _, __: None,
    on_skip: OnSkip = lambda _: None,
    **choices: Unpack[MineKeywords],
) -> list[Mined]:
    """Mine each corpus into a context set of its own (Section 3.2).

    Args:
        config: What to mine and how; or give keywords instead.
        plugins: What is installed; looked up if None.
        on_progress: Called with the corpus after every piece of it.
        on_skip: Called with a sentence for every line that cannot be used.
        choices: Fields of `MineConfig`: ``bvf.mine(corpus="corpus.txt", out="contexts.csv", topic="gender")``.

    Returns:
        A context set per corpus, in the order of the corpora; a file is written once its set is complete.

    Raises:
        BvfError: Anything that the user can mend; finished pieces are kept, and the same command goes on from there.
    """
    config = settings_of(MineConfig, config, choices, IN_PYTHON)
    if config.part:
        raise BvfError(f"part {config.part} of a corpus is not a context set", "leave the part out at the end")
    job, files = _job(config, plugins, on_progress, on_skip), output_files(config)
    return [job.run(source, files[source]) for source in config.corpus]


def mine_part(
    config: MineConfig,
    *,
    plugins: Plugins | None = None,
    on_progress: OnProgress = lambda _, __: None,
    on_skip: OnSkip = lambda _: None,
) -> list[MinedPart]:
    """Mine a part of each corpus, all of which is read, while other processes mine the rest; then see `mine`."""
    part, job, files = JobPart.parse(config.part), _job(config, plugins, on_progress, on_skip), output_files(config)
    return [job.part(source, files[source], part) for source in config.corpus]


def _job(config: MineConfig, plugins: Plugins | None, on_progress: OnProgress, on_skip: OnSkip) -> "_Job":
    check_outputs(config)
    available = plugins or load(extra=config.plugin, without=config.without)
    config = _in_its_language(config, available)
    entry, engine = miner_entry(config, available), engine_of(config, available)
    miner = make_miner(config, plugins=available)  # the engine makes its own miners
    package = (entry.owner.distribution or Path(entry.owner.plugin).name, entry.owner.version)
    about = _About(entry.provider.name, *package, miner.script, miner.models, miner.cues, miner.libraries)
    return _Job(config, mining_request(config, available), about, engine, on_progress, on_skip)


def _in_its_language(config: MineConfig, plugins: Plugins) -> MineConfig:
    """Return the configuration with the language of its topic, which a file or a `bvf.Topic` brings."""
    plugins.languages.find(config.lang)
    if not config.topic:
        return config
    topic = find_topic(config.topic, plugins, config.lang, config.topic_options)
    lang = topic.asked_in(config.given().get("lang"), plugins.languages.names())
    return config.model_copy(update={"lang": lang})


def mining_request(config: MineConfig, plugins: Plugins) -> MiningRequest:
    """Return the request from which the miner is made."""
    language = plugins.languages.find(config.lang).make()
    topic = find_topic(config.topic or language.default_topic, plugins, language.code, config.topic_options)
    options = miner_entry(config, plugins).chosen(config.miner_options)
    return MiningRequest(topic, config.max_words, options, min_confidence=config.min_confidence)


def engine_of(config: MineConfig, plugins: Plugins) -> Engine:
    """Return the engine of ``--engine``, or one with ``--workers`` processes (1: this process).

    Without either option, it is the engine of a ``--plugin`` or, if there is none, has one process per processor.
    """
    if config.engine and config.workers:
        raise BvfError(
            f"--engine {config.engine}, --workers {config.workers}: both say where pieces are mined",
            "--workers 4 is --engine processes:4; leave one of them out",
        )
    offered = plugins.engines.of_plugins(config.plugin)
    named = config.engine or (plugins.engines.name_of(offered) if offered and not config.workers else "")
    number = config.workers or processors()
    by_number = "local" if number == 1 and not config.engine_options else f"processes:{number}"
    engine: Engine = plugins.engines.make(named or by_number, config.engine_options)
    return engine


def make_miner(config: MineConfig, share: Share = ALONE, plugins: Plugins | None = None) -> Miner:
    """Return the miner of `miner_entry` for the topic and ``share`` of this machine."""
    available = plugins or load(extra=config.plugin, without=config.without)
    request = replace(mining_request(config, available), share=share)
    return miner_entry(config, available).make(request)


def miner_entry(config: MineConfig, plugins: Plugins) -> Entry[Miner]:
    """Return the entry of ``--miner``, else of a ``--plugin``, else the default of the language, or its only one."""
    miners, named = plugins.miners.in_language(config.lang), config.miner
    if not miners.names():
        hint = f"`bvf miners` lists all; `bvf new miner NAME --lang {config.lang}` writes a package for one"
        raise BvfError(f"no miner reads {config.lang}", hint)
    if not named and not miners.of_plugins(config.plugin):
        default = plugins.languages.make(config.lang).default_miner
        named = default or (config.lang if config.lang in miners.names() else "")
    entry: Entry[Miner] = miners.choose(named, config.plugin)
    return entry


@dataclass(frozen=True)
class _About:
    """A miner without its parser: its name, its distribution or file with the version, and attributes of `Miner`."""

    name: str
    package: str
    version: str
    script: str
    models: str
    cues: str
    libraries: tuple[str, ...]


@dataclass(frozen=True)
class _Job:
    config: MineConfig
    request: MiningRequest
    miner: _About
    engine: Engine
    on_progress: OnProgress
    on_skip: OnSkip

    def run(self, source: str, file: Path) -> Mined:
        """Mine one corpus into one file."""
        config, kept, tally = self.config, KeyedPieces.beside(file), Tally()
        extent, counts, keys = self._mined(source, kept, tally)
        counts = replace(counts, kept=tally.kept, repeated=counts.kept - tally.kept)
        if not counts.kept:
            most_dropped = sorted(counts.dropped.items(), key=lambda item: -item[1])[:RULES_SHOWN]
            rules = "; ".join(f"{rule}: {count}" for rule, count in most_dropped)
            raise BvfError(f"{public(source)}: no template in {counts.sentences} sentences", f"dropped: {rules}")
        lines = tally.lines()
        record = self._record(source, extent, counts, {"templates": len(lines), "documents": tally.documents})
        with disk_errors_explained(file, ONCE_WRITABLE):
            if config.matches:
                found = (finding for key in keys for finding in found_in(kept, key)[1])
                write_matches(matches_file(config, source), tally.counted(found))
            redrawn = tally.replicates([line.template for line in lines])
            write_set(file, lines, config.examples, redrawn, record)
        kept.delete()
        return Mined(file, lines, counts, record)

    def part(self, source: str, file: Path, part: JobPart) -> MinedPart:
        """Mine the blocks of documents of one part of a corpus, and store their findings."""
        kept = KeyedPieces.beside(file)
        _, _, keys = self._mined(source, kept, part)
        missing = tuple(index for index, key in enumerate(keys) if not kept.has(key))
        return MinedPart(file, part, len(keys), missing)

    def _mined(self, source: str, kept: KeyedPieces, into: Tally | JobPart) -> tuple[_Extent, Counts, list[str]]:
        """Mine a corpus or one part of it. Returns what was read, the counts, and the keys of all blocks."""
        corpus = Corpus((source,), self.config.text_column, self.config.encoding, Health(self.on_skip))
        extent, counts, keys, reused = _Extent(), Counts(), list[str](), 0
        on_progress = partial(self.on_progress, source)
        documents, share = _documents(self.config, corpus, extent, on_progress)

        def pieces() -> Iterator[Piece]:
            for index, piece in enumerate(pieces_of(self._watched(documents, extent), self._key())):
                keys.append(piece.key)
                if isinstance(into, Tally) or into.takes(index):
                    yield piece

        with closing(mine_pieces(pieces(), kept, self.engine, partial(make_miner, self.config))) as outcomes:
            for outcome in outcomes:
                counts += outcome.counts
                reused += outcome.reused
                found = counts.kept
                if isinstance(into, Tally):
                    into.add(outcome.findings)
                    found = into.kept
                on_progress(
                    MiningProgress(extent.documents, extent.characters, share(), counts.sentences, found, reused)
                )
        return extent, counts, keys

    def _watched(self, documents: Iterable[Document], extent: _Extent) -> Iterator[Document]:
        """Yield the documents, count them, and check the script of the first ones."""
        letters = of_script = 0
        for document in documents:
            extent.add(document)
            if self.miner.script and letters < LETTERS_LOOKED_AT:
                alphabetic = [char for char in document.text[:LETTERS_LOOKED_AT] if char.isalpha()]
                letters += len(alphabetic)
                of_script += sum(unicodedata.name(char, "").startswith(self.miner.script) for char in alphabetic)
                if letters >= LETTERS_LOOKED_AT:
                    self._refuse_other_script(of_script, letters)
            yield document
        if letters < LETTERS_LOOKED_AT:
            self._refuse_other_script(of_script, letters)

    def _refuse_other_script(self, of_script: int, letters: int) -> None:
        if letters and self.miner.script and of_script / letters < LEAST_OF_SCRIPT:
            script = self.miner.script.split()[0].title()
            raise BvfError(
                f"--lang {self.config.lang}: {1 - of_script / letters:.0%} of the letters read are not {script}",
                "choose the language of the corpus: --lang zh, --lang en",
            )

    def _key(self) -> str:
        """Digest of all that findings depend on, except the documents."""
        request = self.request
        no_words = {"neutral", "group_weights", "references", "statistics"}
        words = request.topic.model_dump_json(by_alias=True, exclude=no_words)
        options = _options_as_json(request.options)
        limits = (str(request.max_words), str(request.min_confidence))
        miner = (self.miner.name, self.miner.package, self.miner.version, self.miner.models, self.miner.cues)
        parts = (version("bvf"), self.config.lang, words, *limits, *miner, options)
        files = [read_bytes(Path(name)).hex() for name in self.config.plugin if name.endswith(".py")]
        return digest_of_texts(*parts, *map(version, self.miner.libraries), *files)

    def _record(self, source: str, extent: _Extent, counts: Counts, sizes: dict[str, int]) -> dict[str, Any]:
        config = self.config
        return {
            "schema": "bvf.mining/1",
            "language": config.lang,
            "topic": self.request.topic.name,
            "corpus": {
                "source": harmless(public(source)),
                "documents": extent.documents,
                "characters": extent.characters,
                "digest": f"{extent.sum:032x}",
                "sample": {"size": config.sample, "seed": config.seed} if config.sample else None,
            },
            "miner": {"name": self.miner.name, "package": self.miner.package, "version": self.miner.version},
            "models": self.miner.models,
            "cues": self.miner.cues,
            "options": json.loads(_options_as_json(self.request.options)),
            "max_words": config.max_words,
            "min_confidence": config.min_confidence,
            "versions": {"bvf": version("bvf"), **{name: version(name) for name in self.miner.libraries}},
            "counts": {**asdict(counts), **sizes},
        }


def _options_as_json(options: Any) -> str:
    return "{}" if options is None else str(options.model_dump_json())


def _documents(
    config: MineConfig, corpus: Corpus, extent: _Extent, on_progress: Callable[[MiningProgress], None]
) -> tuple[Iterable[Document], Callable[[], float | None]]:
    """Return the documents, and also a function that returns the fraction read so far (None: unknown)."""
    if not config.sample:
        return corpus.documents(), corpus.progress.share
    drawn = sample(_reported(corpus, on_progress), config.sample, config.seed)
    return without_markup(drawn), lambda: extent.documents / len(drawn)


def _reported(corpus: Corpus, on_progress: Callable[[MiningProgress], None]) -> Iterator[Document]:
    """Yield the documents that a sample is drawn from. The number read is reported now and then."""
    for number, document in enumerate(corpus.as_written(), start=1):
        if number % DRAWN_BETWEEN_REPORTS == 0:
            on_progress(MiningProgress(number, share=corpus.progress.share(), drawing=True))
        yield document
