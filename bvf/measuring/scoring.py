"""Scores blocks of prompts and stores the probabilities, here or wherever an engine works."""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Self

from bvf.asking.model import described_model, load_backend
from bvf.errors import BvfError
from bvf.files.folder import Folder
from bvf.files.locks import ONE_AT_A_TIME
from bvf.files.machine import threads
from bvf.files.shard_files import Place, Rows, write_shard
from bvf.files.writing import OTHER_FOLDER, disk_errors_explained
from bvf.hooks.loader import load
from bvf.interfaces.backend import Backend, Capabilities, ModelRequest
from bvf.interfaces.engine import Share, Work
from bvf.interfaces.language import Language
from bvf.measuring.kind import kind_called
from bvf.measuring.plan import Plan
from bvf.measuring.questions import Block, Questions


@dataclass(frozen=True)
class Receipt:
    """A block that was scored and stored, and the names of its shards' files; ``beside``: of other words."""

    block: Block
    files: tuple[str, ...]
    beside: tuple[str, ...] = ()


@dataclass(frozen=True)
class Destination:
    """Where the shards of a measurement are written.

    Args:
        measurement: Digest of the identity of the measurement.
        folder: The folder of the shards.
        columns: The columns that are stored.
        words: Of other words, each a class, that are read in the forward passes of a run: these words; else empty.
    """

    measurement: str
    folder: Folder
    columns: tuple[str, ...]
    words: tuple[str, ...] = ()

    @classmethod
    def of(cls, measurement: str, folder: Folder, columns: Iterable[str], words: tuple[str, ...] = ()) -> Self:
        """Return a destination that is the same in every process, wherever that works."""
        return cls(measurement, replace(folder, root=folder.root.absolute()), tuple(columns), words)


@dataclass(frozen=True)
class Scoring(Work[Block, Receipt]):
    """Scores blocks of prompts and stores the probabilities, in the process in which `begin` is called.

    A process without the model loads it by its name, and refuses it if its identity or the wording rules differ.

    Args:
        questions: All questions of the measurement.
        plugins: The values of ``--plugin`` and of ``--without``.
        language: Code of the language.
        prompts: Digest of some prompts: the wording rules of the worker must give the same prompts.
        backend: Name of the backend.
        request: The request to the backend without options, whose class may be in a plugin that is not loaded yet.
        options: Values of the options, by name.
        capabilities: What the backend can do.
        model: Identity of the model: the worker must find the same one.
        to: Where the shards are written.
        beside: Where those of other words are, which are read with those of the questions; None: there are none.
        ready: The language and the loaded model, where this process has them already; never pickled.
    """

    questions: Questions
    plugins: tuple[tuple[str, ...], tuple[str, ...]]
    language: str
    prompts: str
    backend: str
    request: ModelRequest
    options: Mapping[str, Any]
    capabilities: Capabilities
    model: Mapping[str, str]
    to: Destination
    beside: Destination | None = None
    ready: tuple[Language, Backend] | None = field(default=None, repr=False, compare=False)

    def begin(self, share: Share) -> Callable[[Block], Receipt]:
        """Load the model, and return the function that scores and stores one block."""
        language, backend = self.ready or self._loaded(share)

        def score(block: Block) -> Receipt:
            with ONE_AT_A_TIME, _no_search_for_old_garbage():
                return self._stored(block, language, backend)

        return score

    def _loaded(self, share: Share) -> tuple[Language, Backend]:
        extra, without = self.plugins
        available = load(extra=extra, without=without)
        language: Language = available.languages.find(self.language).make()
        if self.questions.digest_of_prompts(language) != self.prompts:
            raise BvfError("a plugin has changed since the run began: it words prompts differently", "run it again")
        entry = available.backends.find(self.backend)
        share = share.within(threads(self.request.share.threads))
        request = replace(self.request, share=share, options=entry.chosen(self.options))
        described_model(request.model, entry, request).refuse_other(self.model)
        return language, load_backend(entry, request, self.capabilities)

    def _stored(self, block: Block, language: Language, backend: Backend) -> Receipt:
        asked, kind = self.questions, kind_called(self.questions.reading)
        questions = chain.from_iterable(asked.questions(shard).tolist() for shard in block.shards)
        prompts = asked.prompts(list(questions), language)
        words = self.beside.words if self.beside else ()
        rows, others = kind.ask_beside(backend, prompts, asked, asked.tolerance_of(block), words)

        def write(to: Destination, rows: Rows) -> Iterator[str]:
            kept = {name: rows.columns[name] for name in to.columns if name in rows.columns}
            for shard, part in zip(block.shards, replace(rows, columns=kept).divided(block.sizes), strict=True):
                groups, contexts = asked.asked(shard)
                place = Place(to.measurement, shard.index, shard.start, shard.stop)
                yield write_shard(to.folder, place, replace(part, groups=groups, contexts=contexts))

        with disk_errors_explained(self.to.folder.path, OTHER_FOLDER):  # others first: what is asked anew has both anew
            beside = tuple(write(self.beside, others)) if self.beside is not None and others is not None else ()
            return Receipt(block, tuple(write(self.to, rows)), beside)

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "ready": None}


def scoring_of(plan: Plan, to: Destination, backend: Backend | None, beside: Destination | None = None) -> Scoring:
    """Return the work of a plan for an engine. ``backend`` is the loaded model; None: each worker is to load it."""
    config, model = plan.config, plan.model
    return Scoring(
        plan.questions,
        plugins=(config.plugin, config.without),
        language=plan.language.code,
        prompts=plan.questions.digest_of_prompts(plan.language),
        backend=model.backend_spec,
        request=replace(model.request, options=None),
        options=config.backend_options,
        capabilities=model.description.capabilities,
        model=model.identity(),
        to=to,
        beside=beside,
        ready=None if backend is None else (plan.language, backend),
    )


@contextmanager
def _no_search_for_old_garbage() -> Iterator[None]:
    """In the block, let the garbage collector skip what is in memory already: libraries, contexts, the model."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
