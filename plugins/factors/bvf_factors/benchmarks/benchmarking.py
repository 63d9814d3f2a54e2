"""Puts the items of a benchmark to a model, in blocks that are stored, here or wherever an engine works."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bvf import (
    Backend,
    BvfError,
    ChosenModel,
    Engine,
    Language,
    ModelRequest,
    Share,
    Topic,
    Work,
    choose_model,
    described_model,
    folder_in_runs,
    load,
)
from bvf.files import (
    ONE_AT_A_TIME,
    Folder,
    digest_of,
    digest_of_bytes,
    disk_errors_explained,
    each_once,
    json_lines,
    locked,
    read_bytes,
    threads,
)
from bvf.hooks import Plugins
from bvf.interfaces import Answer, Asks, Item
from bvf_factors.benchmarks.answer_folder import (
    FILES,
    OTHER_FOLDER,
    PARTS,
    ROWS,
    SCORES,
    Receipt,
    items_digest,
    read_parts,
    record_in,
    refuse_other,
    write_part,
    write_record,
)
from bvf_factors.benchmarks.asking import AS_PUBLISHED, Answered, Asked, BenchmarkConfig, Part, answers_of, read_asked
from bvf_factors.benchmarks.scored import EVERY, benchmark_scores
from bvf_factors.benchmarks.scoring import By, scores_of, way_for, written_answers


@dataclass(frozen=True)
class AnswerWork(Work[Part, Receipt]):
    """Puts blocks of benchmark items to a model and stores the answers. It runs in this process or another."""

    items: tuple[tuple[Item, ...], ...]  # all items, in each wording
    # the text after the last slot of each wording, which ``pmi`` takes as the prompt without a question
    endings: tuple[str, ...]
    asks: Asks
    by: By
    language: str
    plugins: tuple[tuple[str, ...], tuple[str, ...]]  # the values of ``--plugin`` and of ``--without``
    backend: str
    request: ModelRequest
    options: Mapping[str, Any]  # options of the backend, by name
    model: Mapping[str, str]  # digests that identify the model; a worker refuses a model with others
    folder: Folder
    identity: str  # digest of everything that the answers depend on
    # the loaded model, for work in this process; never pickled
    ready: Backend | None = field(default=None, repr=False, compare=False)

    def begin(self, share: Share) -> Callable[[Part], Receipt]:
        """Load the model, and return a function that puts one block of items to it and stores the answers."""
        backend, generation = self.ready or self._loaded(share), self.request.generation

        def ask(part: Part) -> Receipt:
            items = self.items[part.wording][part.start : part.stop]
            with ONE_AT_A_TIME:
                if generation is not None:
                    answers = written_answers(backend, items, generation, self.language)
                else:
                    before = self.endings[part.wording]
                    scores = scores_of(backend, items, self.asks, self.by, self.language, before)
                    answers = list(map(Answer, items, scores))
            return write_part(self.folder, part, self.identity, answers)

        return ask

    def _loaded(self, share: Share) -> Backend:
        extra, without = self.plugins
        entry = load(extra=extra, without=without).backends.find(self.backend)
        share = share.within(threads(self.request.share.threads))
        request = replace(self.request, share=share, options=entry.chosen(self.options))
        here = described_model(request.model, entry, request)
        here.refuse_other(self.model)
        return here.load(share)

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "ready": None}


def run_benchmark(
    config: BenchmarkConfig,
    plugins: Plugins,
    on_progress: Callable[[int, int, int], None] = lambda *_: None,
    asked: Asked | None = None,
) -> Answered:
    """Score those items of a benchmark that have no stored scores yet. Returns all answers.

    Answers are stored in its folder as they come, and all of them in a table, ``rows.jsonl``. ``on_progress`` gets the
    number of answered items, of all items, and of those that were stored before. ``asked`` is what `read_asked` read,
    where it was read before.
    """
    asked = asked or read_asked(config, plugins)
    chosen = _model(config, asked, plugins)
    reads_right = chosen.description.capabilities.reads_right
    by = None if asked.generation else way_for(asked.by, asked.items, reads_right=reads_right)
    asked, whole = replace(asked, by=by), not reads_right and any(item.inside for item in asked.items)
    bare = by == "pmi" or whole or not all(item.left.strip() for item in asked.items)
    identity = {
        "benchmark": f"{asked.name}@{asked.owner}",
        "items": items_digest(asked),
        **({"by": by} if by else {}),
        **({"generation": digest_of(asked.generation.model_dump())} if asked.generation else {}),
        **chosen.identity(begins_bare=bare),
    }
    folder = Path(config.out) if config.out else _default_folder(asked.name, chosen, identity)
    with locked(Folder(folder, FILES)):
        refuse_other(folder, identity)
        package = {"package": chosen.package.model_dump()} if chosen.package else {}
        facts = {"chosen": config.benchmark, "model": chosen.name, "path": chosen.path, **package, "whole": whole}
        write_record(folder, asked, facts, identity)
        known = read_parts(folder, asked, identity)
        total = asked.answers_wanted({})
        done = reused = total - asked.answers_wanted(known)
        on_progress(done, total, reused)
        todo = [part for part in asked.parts() if part.index not in known]
        if todo:
            engines = plugins.engines
            named = config.model.engine or engines.name_of(engines.choose("", config.model.plugin))
            engine: Engine = plugins.engines.make(named, config.model.engine_options)
            work = _work(config, asked, chosen, folder, digest_of(identity), here=not engine.elsewhere)
            for part, _ in each_once(engine, todo, work, (Part, Receipt)):
                done += part.stop - part.start
                on_progress(done, total, reused)
            known = read_parts(folder, asked, identity)
        begun, answers = identity.get("start", ""), answers_of(asked, known)
        return _kept(Answered(asked, chosen.name, chosen.path, folder, answers, whole, begun))


def published_answers(config: BenchmarkConfig, plugins: Plugins, asked: Asked | None = None) -> Answered:
    """Return published answers of one model, and store them as the answers of a model that was asked."""
    if config.wordings or config.orders or config.by not in (None, "sum"):
        raise BvfError("published answers are as they are", "leave --wordings, --orders and --by out")
    asked = asked or read_asked(config, plugins)
    answers = tuple(answer for file in config.answers for answer in asked.benchmark.published(file, list(asked.items)))
    files = ", ".join(map(str, config.answers))
    if not answers:
        raise BvfError(
            f"{files}: no answer to an item of {config.benchmark}", "name the file of answers, and its items as --data"
        )
    asked = replace(asked, items=tuple(answer.item for answer in answers))
    name = config.model.name or ", ".join(file.stem for file in config.answers)
    digest = digest_of([asked.name, asked.owner, [digest_of_bytes(read_bytes(file)) for file in config.answers]])
    folder = Path(config.out) if config.out else Path("runs") / f"{asked.name}-published-{digest[:8]}"
    identity = {"benchmark": f"{asked.name}@{asked.owner}", "items": items_digest(asked), "answers": digest}
    refuse_other(folder, identity)
    for part in asked.parts():
        write_part(Folder(folder, FILES).sub(PARTS), part, digest_of(identity), answers[part.start : part.stop])
    write_record(folder, asked, {"chosen": config.benchmark, "model": name, "path": files}, identity)
    return _kept(Answered(asked, name, files, folder, {AS_PUBLISHED: answers}))


def _kept(answered: Answered) -> Answered:
    """The answers, after their rows were written into their folder, and their scores, which other commands read."""
    with disk_errors_explained(answered.folder, OTHER_FOLDER):
        Folder(answered.folder, FILES).write(ROWS, json_lines(answered.rows()))
    keep_scores(answered)
    return answered


def keep_scores(answered: Answered) -> None:
    """Write the scores of a model, and those of each group that items are about, into the folder of its answers."""
    about = any(item.group for item in answered.asked.items)
    scores = benchmark_scores([answered], groups=[EVERY] if about else (), against_others=False)
    values = scores.model_dump(mode="json", by_alias=True)
    with disk_errors_explained(answered.folder, OTHER_FOLDER):
        Folder(answered.folder, FILES).write(SCORES, json.dumps(values, indent=1, ensure_ascii=False) + "\n")


def _work(
    config: BenchmarkConfig, asked: Asked, chosen: ChosenModel, folder: Path, identity: str, *, here: bool
) -> AnswerWork:
    return AnswerWork(
        tuple(tuple(asked.worded(wording)) for wording in asked.wordings),
        tuple(wording.ending for wording in asked.wordings),
        asked.benchmark.asks,
        asked.by or "sum",
        asked.benchmark.language,
        (config.model.plugin, config.model.without),
        chosen.backend_spec,
        replace(chosen.request, options=None),
        config.model.backend_options,
        chosen.identity(),
        Folder(folder.absolute(), FILES).sub(PARTS),
        identity,
        chosen.load() if here else None,
    )


def _model(config: BenchmarkConfig, asked: Asked, plugins: Plugins) -> ChosenModel:
    name, language = config.model.model, asked.benchmark.language
    if not name:
        if language not in plugins.languages.names():
            raise BvfError(f'no bundled model speaks "{language}"', "name a model with --model")
        spoken: Language = plugins.languages.find(language).make()
        name = spoken.default_model
    chosen = choose_model(config.model.model_copy(update={"model": name}), _no_topic(asked), plugins, asked.generation)
    if asked.generation and not chosen.description.capabilities.writes_texts:
        raise BvfError(
            f"--model {name}: the backend {chosen.backend} writes no texts, and {asked.name} asks for them",
            "choose a causal model, or a server: bvf backends",
        )
    if chosen.description.capabilities.answers_from_table:
        raise BvfError(f"{name} answers from a table, and no table has the items of {asked.name}", "choose a model")
    return chosen


def _no_topic(asked: Asked) -> Topic:
    """A placeholder for the topic that backends require. No answer can be derived from it."""
    meaning = dict.fromkeys(("construct", "harm", "chosen_by", "reference"), asked.benchmark.title)
    return Topic.model_validate(
        {
            "schema": "bvf.topic/1",
            "name": asked.name,
            "language": asked.benchmark.language,
            "summary": asked.benchmark.title,
            "contexts": "none",
            "sources": [asked.benchmark.origin.url],
            "groups": ["item"],
            "attributes": [{"name": name, "words": [name]} for name in ("first", "second")],
            "measurement": meaning,
        },
        context=asked.name,
    )


def _default_folder(name: str, chosen: ChosenModel, identity: dict[str, str]) -> Path:
    def holds_it(folder: Path) -> bool:
        record = record_in(folder)
        return record.get("identity") == identity and record.get("path", record.get("model")) == chosen.path

    return folder_in_runs([name], chosen.name, digest_of(identity), holds_it)
