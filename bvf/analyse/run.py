"""A run: plan, score, decompose, each callable alone."""

import math
import platform
import re
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel

from bvf.analyse.decomposing import decompose_run
from bvf.analyse.result import AnyResult
from bvf.arrays import FloatArray
from bvf.errors import BvfError, OutOfMemoryError
from bvf.files.digests import digest_of
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.backend import Fingerprinted
from bvf.interfaces.engine import Engine
from bvf.measure.checks import ScoreCheck, check_scores, handful
from bvf.measure.config import RunConfig
from bvf.measure.plan import Plan, plan
from bvf.measure.scoring import LoadedModel, Progress, load_model, readable, score
from bvf.measure.store import Store

HALVES = ("bfloat16", "float16")
LONGEST_SLUG = 48
LIBRARIES = ("torch", "transformers", "tokenizers", "numpy")


def run(
    config: RunConfig, *, plugins: Plugins | None = None, on_progress: Callable[[Progress], None] | None = None
) -> AnyResult:
    """Measure one model and store what was found.

    Args:
        config: What to measure and how.
        plugins: What is installed; looked up if None.
        on_progress: Called after every shard.

    Returns:
        The result, which also lies in ``result.folder``.

    Raises:
        BvfError: Anything that the user can mend; finished shards are kept.
    """
    available = plugins or load(extra=config.plugin, without=config.without)
    for name in config.plugin:
        available.of(name)
    laid_out = plan(config, available)
    engine: Engine = available.engines.make(laid_out.config.engine)
    in_float32 = handful_in_float32(laid_out, available) if config.dtype in HALVES else None
    model = load_model(laid_out, available)
    laid_out = readable(laid_out, model.backend)
    started = time.time()
    mass_sample = None if config.mass_sample == "all" else config.mass_sample
    check = check_scores(laid_out, model.backend, mass_sample, in_float32)
    identity = _identity(laid_out, model)
    folder = Path(config.out) if config.out else default_folder(laid_out, model, identity)
    store = Store(folder, laid_out, identity)
    store.open()
    score(laid_out, model.backend, engine, store, on_progress)
    with np.errstate(invalid="ignore", over="ignore"):
        result = decompose_run(laid_out, store.scored(), model, check)
    refuse_what_is_no_number(result)
    store.write_result(
        result.model_dump_json(by_alias=True, indent=1) + "\n",
        _record(laid_out, available, model, check, time.time() - started),
    )
    result._folder = store.folder
    return result


def refuse_what_is_no_number(result: AnyResult) -> None:
    """Raise `BvfError` if a figure is infinite or no number: JSON has neither, and the criterion is wrong."""
    parts: list[tuple[str, BaseModel]] = [(f' of "{group.group}"', group) for group in result.groups]
    for whose, part in [*parts, ("", result)]:
        for name, value in part:
            if isinstance(value, float) and not math.isfinite(value):
                raise BvfError(
                    f"the criterion {result.criterion} gives {value} as {name}{whose}",
                    "choose another criterion; what is scored is kept",
                )


def handful_in_float32(laid_out: Plan, plugins: Plugins) -> FloatArray | None:
    """Return log p of the words in a handful of prompts, shape (P, W), by the model in float32; None: it is too large.

    The model is loaded for that and let go.
    """
    whole = replace(laid_out, config=laid_out.config.model_copy(update={"dtype": "float32"}))
    try:
        backend = load_model(whole, plugins).backend
        return backend.word_logprobs(handful(readable(whole, backend)), laid_out.words)
    except OutOfMemoryError:
        return None


def default_folder(laid_out: Plan, model: LoadedModel, identity: dict[str, Any]) -> Path:
    """Return ``runs/TOPIC-LANGUAGE-MODEL-DIGEST``, the same for the same run, so that a second one goes on."""
    topic, name = _slug(laid_out.topic.name), _slug(model.name.removeprefix("bundled:"))
    return Path("runs") / f"{topic}-{laid_out.language.code}-{name}-{digest_of(identity)[:8]}"


def _slug(name: str) -> str:
    """A part of the name of a folder, short enough for every disk."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[-LONGEST_SLUG:]


def _identity(laid_out: Plan, model: LoadedModel) -> dict[str, Any]:
    backend = model.backend
    files = (backend.weights_digest(), backend.settings_digest()) if isinstance(backend, Fingerprinted) else ("", "")
    weights, settings = files
    config = {**laid_out.config.identity(), "backend": model.backend_name}
    return {
        "config": config,
        **laid_out.digests(),
        "weights": weights,
        "configuration and tokenizer": settings,
        "backend": asdict(model.entry.owner),
    }


def _record(laid_out: Plan, plugins: Plugins, model: LoadedModel, check: ScoreCheck, seconds: float) -> dict[str, Any]:
    return {
        "config": {**laid_out.config.model_dump(mode="json"), "backend": model.backend_name},
        "versions": {
            "python": platform.python_version(),
            "plugins": {name: [owner.distribution, owner.version] for name, owner in plugins.owners.items()},
            "libraries": {name: _version(name) for name in LIBRARIES},
        },
        "host": {"machine": platform.machine(), "system": platform.platform(), "node": platform.node()},
        "score_check": {**asdict(check), "candidate_mass": check.candidate_mass.model_dump()},
        "notes": list(laid_out.notes),
        "measurement": laid_out.topic.measurement.model_dump(by_alias=True),
        "sources": {"topic": laid_out.topic.sources, "contexts": laid_out.contexts.source},
        "seconds": round(seconds, 3),
    }


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None
