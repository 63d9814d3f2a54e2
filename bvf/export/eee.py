"""A record of Every Eval Ever, schema 0.3.0: what a model scored, how it was asked, and how sure that is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args
from uuid import NAMESPACE_URL, uuid5

from bvf.domain.measurement import WORDINGS, ModelPackage
from bvf.domain.scale import USUAL, ends_at_1
from bvf.errors import BvfError, nearest
from bvf.export.asked import BUNDLED, OURS, AskedRun, asked_run
from bvf.export.figures import judged_figures
from bvf.export.names import portable, without_folder, without_folders
from bvf.export.readable import of_intervals
from bvf.files.package_files import is_known
from bvf.results.result import ResultBase
from bvf.study.uncertainty import Interval
from bvf.tables.symbols import Figure

SCHEMA = "0.3.0"
Relationship = Literal["first_party", "third_party", "collaborative", "other"]
Availability = Literal["open_weights", "closed_weights", "unknown"]
INFINITY = "Infinity"
MEAN = "Student's t over {unit}s, moved by the skewness of what each adds"
BRACKET = (
    "from a margin below the lower to a margin above the higher one of the plug-in and the cross-fit estimate, by "
    "Student's t over {unit}s, with room for what no context showed"
)
NOT_GENERATED = "nothing is generated: the probabilities of words are read"


@dataclass(frozen=True)
class Provenance:
    """Who evaluates, which a record says and no result knows.

    Args:
        organization: The organization that provides the record.
        relationship: Relationship of the evaluator to the model's developer.
        availability: Whether anybody can download the weights; None: bundled models and those of known packages
            have open weights, and it is not known of others.

    Raises:
        BvfError: A value is not one of the allowed ones.
    """

    organization: str = "unknown"
    relationship: Relationship = "other"
    availability: Availability | None = None

    def __post_init__(self) -> None:
        _check("relationship", self.relationship, get_args(Relationship))
        _check("availability", self.availability or "unknown", get_args(Availability))


def eee_record(result: ResultBase, provenance: Provenance | None = None) -> dict[str, Any]:
    """Return a record of Every Eval Ever 0.3.0: one result for each of R, R^b and R^v, or of each figure of knowledge.

    It has no samples: a sample of theirs is right or wrong, and a stereotype is neither. The times are those at which
    the model was asked, so that a run always gives the same record.

    Args:
        result: Of risk or of knowledge, read from its folder.
        provenance: Who evaluates.

    Raises:
        BvfError: The result is of another analysis, or its folder does not say when the model was asked.
    """
    figures = judged_figures(result)
    if not figures:
        raise BvfError(
            f"{type(result).__name__}: a record says whether more is better, and that is not known of this analysis",
            "choose another format, such as csv",
        )
    run, who = asked_run(result), provenance or Provenance()
    stamp = _stamp(run.ended)
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"{run.collection}.{portable(result.criterion)}.{run.digest}/{run.model_id}/{stamp}",
        "evaluation_timestamp": _stamp(run.began),
        "retrieved_timestamp": stamp,
        "source_metadata": {
            "source_name": OURS,
            "source_type": "evaluation_run",
            "source_organization_name": who.organization,
            "evaluator_relationship": who.relationship,
        },
        "eval_library": {
            "name": OURS,
            "version": _version(run),
            "additional_details": _strings(run.versions.get("libraries", {})),
        },
        "model_info": _model(run, who),
        "evaluation_results": [_evaluation(run, figure) for figure in figures],
    }


def _model(run: AskedRun, who: Provenance) -> dict[str, Any]:
    model, known = run.record.model, run.versions.get("libraries", {}).get(run.result.backend)
    developer, slash, _ = run.model_id.partition("/")
    package = model.package
    is_open = run.result.model_path.startswith(BUNDLED) or (package is not None and is_known(package))
    return {
        "name": run.model_id.rpartition("/")[2],
        "id": run.model_id,
        **({"developer": developer} if slash else {}),
        "inference_engine": {"name": run.result.backend, **({"version": known} if known else {})},
        "additional_details": _strings(
            {
                "deployment_type": "self_deployed" if model.weights else "unknown",
                "model_availability": who.availability or ("open_weights" if is_open else "unknown"),
                "parameters": model.parameters,
                "revision": model.revision,
                "weights_digest": model.weights,
                "settings_digest": model.settings,
                **(_package(package) if package else {}),
                "device": run.settings.get("backend_options", {}).get("device"),
                "dtype": run.settings.get("backend_options", {}).get("dtype"),
            }
        ),
    }


def _package(package: ModelPackage) -> dict[str, str]:
    return {
        "package": f"{package.distribution}=={package.version}",
        "package_file": package.file,
        "package_file_sha256": package.digest,
        "licence": package.licence or "not stated",
    }


def _evaluation(run: AskedRun, figure: Figure) -> dict[str, Any]:
    result = run.result
    value = float(getattr(result, figure.field))
    least, most = _bounds(result, value)
    return {
        "evaluation_result_id": str(uuid5(NAMESPACE_URL, f"{OURS}:{run.digest}:{figure.field}")),
        "evaluation_name": f"{run.collection}.{figure.field}",
        "source_data": _source(run),
        "metric_config": {
            "evaluation_description": f"{figure.meaning}. {run.record.asked.meaning.construct_}",
            "metric_id": f"{OURS}.{figure.field}",
            "metric_name": figure.symbol,
            "metric_kind": result.metric_kind,
            "metric_unit": "proportion" if most == 1.0 else "points",
            "metric_parameters": _parameters(result),
            "lower_is_better": bool(figure.lower_is_better),
            "score_type": "continuous",
            "min_score": least,
            "max_score": most,
        },
        "score_details": {"score": value, **_how_sure(result, figure.field)},
        "generation_config": _generation(run),
    }


def _bounds(result: ResultBase, value: float) -> tuple[float | str, float | str]:
    """The smallest and the largest possible value of a figure; a plugin's criterion may exceed those of its scale."""
    least, most = 0.0, 1.0
    if not least <= value:
        return f"-{INFINITY}", INFINITY
    bounded = ends_at_1(getattr(result, "scale", USUAL)) and value <= most
    return least, most if bounded else INFINITY


def _how_sure(result: ResultBase, field: str) -> dict[str, Any]:
    uncertainty = result.uncertainty
    interval = uncertainty.intervals.get(field)
    without_one = uncertainty.leaving_one_out.get(field, (None, None))
    details = {
        "intervals": of_intervals(uncertainty),
        "cross_fit": interval.cross_fit if interval else None,
        "lowest_without_one_context": without_one[0],
        "highest_without_one_context": without_one[1],
        "candidate_mass": result.candidate_mass.mean,
        "warnings": _sentences(result.warnings),
        "notes": _sentences(result.notes),
    }
    confidence: dict[str, Any] = {"num_samples": _samples(result)}
    if interval is not None:
        confidence["confidence_interval"] = _interval(interval, result)
    return {"details": _strings(details), "uncertainty": confidence}


def _interval(interval: Interval, result: ResultBase) -> dict[str, Any]:
    method = MEAN if interval.cross_fit is None else BRACKET
    return {
        "lower": interval.low,
        "upper": interval.high,
        "confidence_level": result.uncertainty.level,
        "method": method.format(unit=result.uncertainty.unit),
    }


def _samples(result: ResultBase) -> int:
    """What the intervals count: draws, documents or occurrences; contexts where there is no interval."""
    units = result.uncertainty.units
    return int(units) if units is not None and units.is_integer() else result.number_of_contexts


def _source(run: AskedRun) -> dict[str, Any]:
    asked = run.record.asked
    details = {
        "topic": asked.topic,
        "language": asked.language,
        "summary": asked.summary,
        "groups": len(run.result.groups),
        "contexts": without_folder(run.result.contexts),
        "contexts_source": without_folders(asked.contexts_source),
        "number_of_contexts": run.result.number_of_contexts,
        "prompts": run.result.prompts,
        "prompts_without_an_answer": run.result.missing,
        "sources": "; ".join(asked.sources),
        "measurement": run.result.measurement,
    }
    return {"dataset_name": run.collection, "source_type": "other", "additional_details": _strings(details)}


def _generation(run: AskedRun) -> dict[str, Any]:
    result = run.result
    details = {
        "answers": NOT_GENERATED,
        "wording": WORDINGS[result.wording],
        "system": result.system,
        "user": result.user,
        "word_boundary": result.word_boundary,
        "tolerance": result.tolerance,
        "seed": run.settings.get("seed"),
    }
    template = max(run.record.asked.in_order, key=lambda each: each.drawn or each.count).template
    return {"generation_args": {"prompt_template": template}, "additional_details": _strings(details)}


def _parameters(result: ResultBase) -> dict[str, Any]:
    parameters = {
        "criterion": result.criterion,
        "scale": getattr(result, "scale", None),
        "reference": without_folder(result.reference),
        "group_weights": without_folder(result.group_weights),
        "margin": result.margin,
        "distractors": getattr(result, "distractors", None),
    }
    return {name: value for name, value in parameters.items() if value not in (None, "")}


def _sentences(said: Iterable[str]) -> str:
    return "; ".join(map(without_folders, said))


def _strings(details: Mapping[str, Any]) -> dict[str, str]:
    """Details as the schema has them: strings; missing values are left out."""
    return {name: str(value) for name, value in details.items() if value not in (None, "")}


def _version(run: AskedRun) -> str:
    plugins = run.versions.get("plugins", {})
    return str(plugins["core"][1]) if "core" in plugins else "unknown"


def _stamp(time: datetime) -> str:
    return f"{time.timestamp():.3f}"


def _check(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise BvfError(f'{name} is "{value}"', nearest(value, list(known)))
