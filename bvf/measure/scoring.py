"""Scoring: the model is loaded, and shards of questions are answered, here or in other processes."""

import gc
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np

from bvf.errors import BvfError, ContractError, nearest
from bvf.hooks.loader import Plugins, load
from bvf.hooks.registry import Entry
from bvf.interfaces.backend import Backend, Bounding, ModelRequest, Remarking, check_wishes
from bvf.interfaces.engine import Engine
from bvf.measure.config import RunConfig
from bvf.measure.plan import Plan, Shard, choose, plan
from bvf.measure.store import Scored, Store

DEFAULT_BACKEND = "transformers"
PASSED_ON = {
    *("revision", "device", "dtype", "device_map", "trust_remote_code", "allow_pickle"),
    *("chat_template", "system", "word_boundary"),
}
"""Settings that the backend gets under the same names."""

AS_ENGINES_YIELD = "an engine yields every shard once, with what score(shard) returned"


@dataclass(frozen=True)
class Progress:
    """How far the scoring is, in prompts; ``reused`` of them were stored by an earlier run."""

    done: int
    total: int
    reused: int


@dataclass(frozen=True)
class LoadedModel:
    """A backend, the name its model goes by, and where the backend comes from."""

    name: str
    backend_name: str
    backend: Backend
    entry: Entry[Backend]


def load_model(laid_out: Plan, plugins: Plugins) -> LoadedModel:
    """Load what ``--model`` names: ``bundled:NAME``, ``BACKEND:NAME``, a folder or a hub id.

    Raises:
        BvfError: The name is unknown, or the model cannot be loaded.
    """
    config = laid_out.config
    name = config.model
    scheme, colon, rest = name.partition(":")
    backend_name, target = config.backend, name
    if colon and scheme == "bundled":
        target = str(plugins.models.find(rest).make().path)
    elif colon and scheme in plugins.backends.names():
        backend_name, target = scheme, rest
    elif colon and not os.path.exists(name):
        raise BvfError(
            f'--model {name}: there is no backend "{scheme}"', nearest(scheme, ["bundled", *plugins.backends.names()])
        )
    entry = choose(plugins.backends, backend_name, config.plugin, DEFAULT_BACKEND)
    unbiased = {} if laid_out.reference is None else dict(zip(laid_out.groups, laid_out.reference, strict=True))
    request = ModelRequest(
        model=target,
        topic=laid_out.topic,
        unbiased=unbiased,
        batch_tokens=0 if config.batch_tokens == "auto" else config.batch_tokens,
        **config.model_dump(include=PASSED_ON),
    )
    if config.system and not config.chat_template:
        raise BvfError("--system goes with --chat-template: a bare text has no system's turn", "add --chat-template")
    backend = entry.make(request)
    check_wishes(request, type(backend), entry.provider.name)
    return LoadedModel(name, entry.provider.name, backend, entry)


def readable(laid_out: Plan, backend: Backend) -> Plan:
    """Return the questions that a backend can answer."""
    return laid_out if backend.reads_right else laid_out.without_group_behind_slot()


def score(
    laid_out: Plan,
    backend: Backend,
    engine: Engine,
    store: Store,
    on_progress: Callable[[Progress], None] | None = None,
) -> None:
    """Score every shard that is not stored yet.

    Raises:
        BvfError: The model gave no probabilities, or they could not be stored.
        ContractError: The engine mixed shards up, or left one out.
    """
    todo = store.missing()
    reused = laid_out.size - sum(shard.stop - shard.start for shard in todo)
    report = on_progress or (lambda _: None)
    done = reused
    report(Progress(done, laid_out.size, reused))
    with ThreadPoolExecutor(max_workers=1) as beside:  # a shard is written while the next one is scored
        writing = beside.submit(lambda: None)
        for shard, scored in _checked_scores(engine, todo, ShardScorer(laid_out, backend)):
            writing.result()
            writing = beside.submit(store.write_shard, shard, scored)
            done += shard.stop - shard.start
            report(Progress(done, laid_out.size, reused))
        writing.result()


def _checked_scores(engine: Engine, todo: list[Shard], scorer: "ShardScorer") -> Iterator[tuple[Shard, Scored]]:
    """Yield what an engine yields, if that is every shard once with its own scores."""
    name, left = f"{type(engine).__name__}.scores", list(todo)
    for pair in engine.scores(todo, scorer):
        if not (isinstance(pair, tuple) and [type(each) for each in pair] == [Shard, Scored]):
            raise ContractError(f"{name} yielded something else than a shard and its scores", AS_ENGINES_YIELD)
        shard, scored = pair
        if shard not in left:
            raise ContractError(f"{name} yielded shard {shard.index}, which is not asked for or done", AS_ENGINES_YIELD)
        if scored.shard != shard:
            raise ContractError(f"{name} yielded shard {shard.index} with the scores of another", AS_ENGINES_YIELD)
        left.remove(shard)
        yield shard, scored
    if left:
        raise ContractError(f"{name} left {len(left)} of {len(todo)} shards out", AS_ENGINES_YIELD)


@contextmanager
def _no_search_for_old_garbage() -> Iterator[None]:
    """Let the garbage collector pass over what is there already: libraries, contexts, the model."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@dataclass(frozen=True)
class ShardScorer:
    """Answers the questions of a shard; sent to another process, it loads the model there.

    Models are not made for several threads: of calls at the same time, one waits for the other.
    """

    laid_out: Plan
    backend: Backend
    _one_at_a_time: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)

    def __call__(self, shard: Shard) -> Scored:
        """Return p(y | x, c) of the questions (Eq. 8), and how far from exact each can be."""
        with self._one_at_a_time, _no_search_for_old_garbage():
            return self._answers(shard)

    def _answers(self, shard: Shard) -> Scored:
        laid_out, backend = self.laid_out, self.backend
        prompts = laid_out.prompts(range(shard.start, shard.stop))
        tolerance = laid_out.config.tolerance
        if tolerance and isinstance(backend, Bounding):
            logp, bounds = backend.logprobs_within(prompts, laid_out.words, laid_out.class_of_word, tolerance)
        else:
            logp = backend.word_logprobs(prompts, laid_out.words, absolute=False)
            bounds = np.zeros(len(prompts))
        remarks = backend.remarks() if isinstance(backend, Remarking) else []
        return Scored(laid_out.class_probabilities(logp), bounds, tuple(remarks), shard)

    def __reduce__(self) -> tuple[Any, ...]:
        return _scorer_again, (self.laid_out.config, self.laid_out.digests())


def _scorer_again(config: RunConfig, digests: dict[str, str]) -> ShardScorer:
    """The same in another process, from the configuration.

    Raises:
        BvfError: It is not the same, or the model cannot be loaded.
    """
    plugins = load(extra=config.plugin, without=config.without)
    laid_out = plan(config, plugins)
    backend = load_model(laid_out, plugins).backend
    laid_out = readable(laid_out, backend)
    if laid_out.digests() != digests:
        raise BvfError("a file of the topic, the contexts or a plugin has changed since the run began", "run it again")
    return ShardScorer(laid_out, backend)
