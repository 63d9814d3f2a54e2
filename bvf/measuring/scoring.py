"""Scores shards (blocks of prompts) and stores the probabilities, here or wherever an engine works."""

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bvf.arrays import FloatArray
from bvf.asking.model import described_model, load_backend
from bvf.errors import BvfError
from bvf.files.folder import Folder
from bvf.files.locks import ONE_AT_A_TIME
from bvf.files.machine import threads
from bvf.files.shard_files import Place, Stored, write_shard
from bvf.files.text_shards import StoredTexts, write_text_shard
from bvf.files.thought_shards import write_thought_shard
from bvf.files.writing import OTHER_FOLDER, disk_errors_explained
from bvf.hooks.loader import load
from bvf.interfaces.backend import Backend, Capabilities, ModelRequest
from bvf.interfaces.engine import Share, Work
from bvf.interfaces.language import Language
from bvf.interfaces.texts import written_texts
from bvf.measuring.plan import Plan
from bvf.measuring.questions import Questions
from bvf.measuring.shards import Shard
from bvf.measuring.thought import after_thoughts
from bvf.stats.figures.probabilities import class_probabilities


@dataclass(frozen=True)
class Receipt:
    """A shard (block of questions) that was scored and stored, and the name of its file."""

    shard: Shard
    file: str


@dataclass(frozen=True)
class Scoring(Work[Shard, Receipt]):
    """Scores shards (blocks of prompts) and stores the probabilities, in the process in which `begin` is called.

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
        measurement: Digest of the identity of the measurement.
        folder: Where the shards are written.
        keeps_words: Whether log p-hat of every word is stored.
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
    measurement: str
    folder: Folder
    keeps_words: bool
    ready: tuple[Language, Backend] | None = field(default=None, repr=False, compare=False)

    def begin(self, share: Share) -> Callable[[Shard], Receipt]:
        """Load the model, and return the function that scores and stores one shard."""
        language, backend = self.ready or self._loaded(share)

        def score(shard: Shard) -> Receipt:
            with ONE_AT_A_TIME, _no_search_for_old_garbage():
                return self._stored(shard, language, backend)

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

    def _stored(self, shard: Shard, language: Language, backend: Backend) -> Receipt:
        asked, generation = self.questions, self.request.generation
        prompts = asked.prompts(asked.questions(shard).tolist(), language)
        place = Place(self.measurement, shard.index, shard.start, shard.stop)
        if generation is not None:
            texts = StoredTexts(*asked.asked(shard), written_texts(backend, prompts, generation))
            with disk_errors_explained(self.folder.path, OTHER_FOLDER):
                return Receipt(shard, write_text_shard(self.folder, place, texts))
        if self.request.thinking is not None:
            thoughts = after_thoughts(backend, prompts, shard, asked, self.request.thinking)
            with disk_errors_explained(self.folder.path, OTHER_FOLDER):
                return Receipt(shard, write_thought_shard(self.folder, place, asked.classes, thoughts))
        answers = backend.answers(prompts, asked.words, asked.class_of_word, asked.tolerance_of(shard))
        stored = Stored(
            *asked.asked(shard),
            probabilities=class_probabilities(answers.logp, asked.class_of_word, len(asked.classes)),
            bounds=np.zeros(len(prompts)) if answers.bounds is None else answers.bounds,
            remarks=answers.remarks,
            word_logprobs=_from_the_most_probable(answers.logp) if self.keeps_words else None,
            hits=answers.hits,
        )
        with disk_errors_explained(self.folder.path, OTHER_FOLDER):
            return Receipt(shard, write_shard(self.folder, place, asked.classes, stored))

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "ready": None}


def _from_the_most_probable(logp: FloatArray) -> FloatArray:
    """Log p minus the log p of each prompt's most probable word. So seven digits are enough."""
    most = logp.max(axis=1, keepdims=True)
    return logp - np.where(np.isfinite(most), most, 0.0)


def scoring_of(plan: Plan, folder: Folder, measurement: str, keeps_words: bool, backend: Backend | None) -> Scoring:
    """Return the work of a plan for an engine. ``backend`` is the loaded model, or None if each worker is to load it.

    ``measurement`` is the digest of the measurement's identity, and ``folder`` the folder of its shards.
    """
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
        measurement=measurement,
        folder=replace(folder, root=folder.root.absolute()),
        keeps_words=keeps_words,
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
