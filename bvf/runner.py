"""A run: plan, score, decompose, each callable alone."""

import platform
import re
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from bvf import risk
from bvf.arrays import FloatArray
from bvf.backend import Fingerprinted
from bvf.candidates import among_candidates
from bvf.config import RunConfig
from bvf.criterion import Criterion, KnowledgeCriterion
from bvf.engine import Engine
from bvf.errors import BvfError, OutOfMemoryError
from bvf.plan import Plan, digest_of, plan
from bvf.plugins import Plugins, load
from bvf.result import AnyResult, GroupKnowledge, GroupRisk, KnowledgeResult, Result
from bvf.scorecheck import ScoreCheck, check_scores, handful
from bvf.scoring import LoadedModel, Progress, load_model, readable, score
from bvf.store import Scored, Store

HALVES = ("bfloat16", "float16")
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
    store = Store(Path(config.out) if config.out else default_folder(laid_out, model, identity), laid_out)
    store.open(identity)
    score(laid_out, model.backend, engine, store, on_progress)
    result = decompose_run(laid_out, store.scored(), model, check)
    store.write_record(_record(laid_out, available, model, check, identity, time.time() - started))
    store.write_result(result)
    result._folder = store.folder
    return result


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


def decompose_run(laid_out: Plan, scored: Scored, model: LoadedModel, check: ScoreCheck) -> AnyResult:
    """Return the result of a run from the scores of all its questions."""
    weights = laid_out.contexts.weights()
    probabilities = scored.probabilities.reshape(len(laid_out.groups), len(weights), -1)
    if laid_out.candidates is not None:
        probabilities = among_candidates(probabilities, laid_out.candidates)
    missing = int(np.isnan(probabilities).any(axis=2).sum())
    notes = [*laid_out.notes, *check.warnings()]
    notes += scored.remarks
    reached = float(scored.bounds.max())
    if reached:
        notes.append(
            f"improbable words left out: no class probability is further than {reached:.2g} from the exact one"
        )
    if model.backend.wording == "chat":
        system = laid_out.config.system
        notes.append(f"contexts are what the user says in a chat{f', and the system says: {system}' if system else ''}")
    if missing:
        notes.append(f"{missing} of {laid_out.size} prompts are missing: every candidate word has probability 0 there")
    common = {
        "model": model.name,
        "backend": model.backend_name,
        "wording": model.backend.wording,
        "system": laid_out.config.system,
        "topic": laid_out.topic.name,
        "language": laid_out.language.code,
        "criterion": laid_out.config.criterion,
        "reference": laid_out.config.reference,
        "contexts": laid_out.contexts.name,
        "number_of_contexts": len(weights),
        "effective_contexts": float(1.0 / (weights**2).sum()),
        "prompts": laid_out.size,
        "missing": missing,
        "word_boundary": laid_out.config.word_boundary,
        "tolerance": laid_out.config.tolerance,
        "deviation_bound": reached,
        "candidate_mass": check.candidate_mass,
        "notes": tuple(notes),
    }
    if isinstance(laid_out.criterion, KnowledgeCriterion):
        return _knowledge_result(laid_out, probabilities, laid_out.criterion, common)
    return _risk_result(laid_out, probabilities, laid_out.criterion, common)


def default_folder(laid_out: Plan, model: LoadedModel, identity: dict[str, Any]) -> Path:
    """Return ``runs/TOPIC-LANGUAGE-MODEL-DIGEST``, the same for the same run, so that a second one goes on."""
    slug = re.sub(r"[^A-Za-z0-9.]+", "-", model.name.removeprefix("bundled:")).strip("-.")[-48:]
    topic = laid_out.topic.name.replace("/", "-")
    return Path("runs") / f"{topic}-{laid_out.language.code}-{slug}-{digest_of(identity)[:8]}"


def _risk_result(laid_out: Plan, probabilities: FloatArray, criterion: Criterion, common: dict[str, Any]) -> Result:
    weights = laid_out.contexts.weights()
    found = risk.decompose_risk(
        probabilities,
        criterion,
        context_weights=weights,
        group_weights=laid_out.group_weights,
        reference=laid_out.reference,
        scale=laid_out.config.scale,
    )
    groups = tuple(
        GroupRisk(
            r=float(found.r[x]), r_bias=float(found.r_bias[x]), r_volatility=float(found.r_volatility[x]), **shared
        )
        for x, shared in enumerate(_each_group(laid_out, probabilities))
    )
    return Result(
        **common,
        scale=laid_out.config.scale,
        R=found.R,
        R_bias=found.R_bias,
        R_volatility=found.R_volatility,
        groups=groups,
    )


def _knowledge_result(
    laid_out: Plan, probabilities: FloatArray, criterion: KnowledgeCriterion, common: dict[str, Any]
) -> KnowledgeResult:
    if laid_out.truth is None:
        raise BvfError(f"topic {laid_out.topic.name} names no true attributes")
    found = risk.decompose_knowledge(
        probabilities,
        laid_out.truth,
        criterion,
        context_weights=laid_out.contexts.weights(),
        group_weights=laid_out.group_weights,
    )
    answers = risk.top_answers(risk.mean_probabilities(probabilities, laid_out.contexts.weights()))
    agreement = risk.consistency(probabilities)
    groups = tuple(
        GroupKnowledge(
            truth=laid_out.classes[laid_out.truth[x]],
            answer=laid_out.classes[answers[x]] if answers[x] >= 0 else None,
            mastery=float(found.x_mastery[x]),
            expected_score=float(found.x_expected_score[x]),
            confidence_gap=float(found.x_confidence_gap[x]),
            consistency=_number(float(agreement[x])),
            **shared,
        )
        for x, shared in enumerate(_each_group(laid_out, probabilities))
    )
    return KnowledgeResult(
        **common,
        mastery=found.mastery,
        expected_score=found.expected_score,
        confidence_gap=found.confidence_gap,
        accuracy=float(laid_out.group_weights @ (answers == laid_out.truth)),
        consistency=_number(float(laid_out.group_weights @ agreement)),
        distractors=laid_out.config.distractors,
        groups=groups,
    )


def _number(value: float) -> float | None:
    """JSON has no NaN."""
    return None if np.isnan(value) else value


def _each_group(laid_out: Plan, probabilities: FloatArray) -> list[dict[str, Any]]:
    mean = risk.mean_probabilities(probabilities, laid_out.contexts.weights())
    return [
        {
            "group": group,
            "gloss": laid_out.topic.glosses.get(group, ""),
            "weight": float(laid_out.group_weights[x]),
            "mean_probabilities": dict(zip(laid_out.classes, mean[x].tolist(), strict=True)),
            "reference_probabilities": dict(zip(laid_out.classes, laid_out.reference[x].tolist(), strict=True)),
        }
        for x, group in enumerate(laid_out.groups)
    ]


def _identity(laid_out: Plan, model: LoadedModel) -> dict[str, Any]:
    digest = model.backend.weights_digest() if isinstance(model.backend, Fingerprinted) else ""
    config = {**laid_out.config.identity(), "backend": model.backend_name}
    return {"config": config, **laid_out.digests(), "weights": digest, "backend": asdict(model.entry.owner)}


def _record(
    laid_out: Plan, plugins: Plugins, model: LoadedModel, check: ScoreCheck, identity: dict[str, Any], seconds: float
) -> dict[str, Any]:
    return {
        "identity": identity,
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
