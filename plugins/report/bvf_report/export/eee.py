"""Makes a record of Every Eval Ever 0.3.0, and the evaluation results of a model card on the hub."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args
from uuid import NAMESPACE_URL, uuid5

from bvf import BvfError, ResultBase
from bvf.domain import USUAL, WORDINGS, MeasurementRecord, assignments
from bvf.errors import nearest
from bvf.files import KNOWN
from bvf.interfaces import Quantity
from bvf.tables import between, counted
from bvf_report.export.names import HUB_ID, in_a_cell, portable, without_folder, without_folders
from bvf_report.export.papers import of_intervals
from bvf_report.export.runs import BUNDLED, OURS, AskedRun, asked_run, judged_figures, model_figures

SCHEMA = "0.3.0"
Relationship = Literal["first_party", "third_party", "collaborative", "other"]
Availability = Literal["open_weights", "closed_weights", "unknown"]
MEAN = "Student's t over {unit}s, moved by the skewness of what each adds"
BRACKET = (
    "from a margin below the lower to a margin above the higher one of the plug-in and the cross-fit estimate, by "
    "Student's t over {unit}s, with room for what no context showed"
)


@dataclass(frozen=True)
class Provenance:
    """Who provides a record, their relationship to the model's developer, and the availability of the weights.

    Without ``availability``, bundled models and those of known packages have open weights, and others ``unknown``.
    """

    organization: str = "unknown"
    relationship: Relationship = "other"
    availability: Availability | None = None

    def __post_init__(self) -> None:
        _refuse_unknown("relationship", self.relationship, get_args(Relationship))
        _refuse_unknown("availability", self.availability or "unknown", get_args(Availability))


def eee_record(
    result: ResultBase, provenance: Provenance | None = None, *, record: MeasurementRecord | None = None
) -> dict[str, Any]:
    """Return a record of Every Eval Ever 0.3.0, with a result for each of the main figures, such as R, R^b and R^v.

    It has no samples: in their schema a sample is right or wrong, and a stereotype is neither. The times are those of
    the measurement, so that a run always gives the same record. The record of the measurement is read if not given.
    """
    figures = judged_figures(result)
    if not figures:
        raise BvfError(
            f"{type(result).__name__}: a record says whether more is better, and that is not known of this analysis",
            "choose another format, such as csv",
        )
    run, who = asked_run(result, record), provenance or Provenance()
    ended, plugins = f"{run.ended.timestamp():.3f}", run.versions.get("plugins", {})
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"{run.collection}.{portable(result.criterion)}.{run.digest}/{run.model_id}/{ended}",
        "evaluation_timestamp": f"{run.began.timestamp():.3f}",
        "retrieved_timestamp": ended,
        "source_metadata": {
            "source_name": OURS,
            "source_type": "evaluation_run",
            "source_organization_name": who.organization,
            "evaluator_relationship": who.relationship,
        },
        "eval_library": {
            "name": OURS,
            "version": str(plugins["core"][1]) if "core" in plugins else "unknown",
            "additional_details": _strings(run.versions.get("libraries", {})),
        },
        "model_info": _model(run, who),
        "evaluation_results": [_evaluation(run, figure) for figure in figures],
    }


def as_json(record: dict[str, Any]) -> str:
    """Return a record of Every Eval Ever as the text of its file."""
    return json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _model(run: AskedRun, who: Provenance) -> dict[str, Any]:
    model, known = run.record.model, run.versions.get("libraries", {}).get(run.result.backend)
    developer, slash, _ = run.model_id.partition("/")
    package = model.package
    is_open = run.result.model_path.startswith(BUNDLED) or (package is not None and is_known(package.digest))
    options = run.settings.get("backend_options", {})
    of_package = (
        {
            "package": f"{package.distribution}=={package.version}",
            "package_file": package.file,
            "package_file_sha256": package.digest,
            "licence": package.licence or "not stated",
        }
        if package
        else {}
    )
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
                **of_package,
                "device": options.get("device"),
                "dtype": options.get("dtype"),
            }
        ),
    }


def _evaluation(run: AskedRun, figure: Quantity) -> dict[str, Any]:
    result = run.result
    value = float(getattr(result, figure.field))
    ends = getattr(result, "scale", USUAL) == USUAL and value <= 1.0  # a figure of a plugin may extend them
    least, most = (0.0, 1.0 if ends else "Infinity") if value >= 0.0 else ("-Infinity", "Infinity")
    parameters = {
        "criterion": result.criterion,
        "scale": getattr(result, "scale", None),
        "reference": without_folder(result.reference),
        "group_weights": without_folder(result.group_weights),
        "margin": result.margin,
        "distractors": getattr(result, "distractors", None),
    }
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
            "metric_parameters": _present(parameters),
            "lower_is_better": bool(figure.lower_is_better),
            "score_type": "continuous",
            "min_score": least,
            "max_score": most,
        },
        "score_details": {"score": value, **_uncertainty(result, figure.field)},
        "generation_config": _generation(run),
    }


def _uncertainty(result: ResultBase, field: str) -> dict[str, Any]:
    """The fields of a record on a figure's uncertainty: its interval, and the number of sampling units or contexts."""
    uncertainty = result.uncertainty
    interval, units = uncertainty.intervals.get(field), uncertainty.units
    without_one = uncertainty.leaving_one_out.get(field, (None, None))
    details = {
        "intervals": of_intervals(result),
        "cross_fit": interval.cross_fit if interval else None,
        "lowest_without_one_context": without_one[0],
        "highest_without_one_context": without_one[1],
        "candidate_mass": result.candidate_mass.mean,
        "warnings": in_a_cell(result.warnings),
        "notes": "; ".join(map(without_folders, result.notes)),
    }
    samples = int(units) if units is not None and units.is_integer() else result.number_of_contexts
    confidence: dict[str, Any] = {"num_samples": samples}
    if interval is not None:
        method = MEAN if interval.cross_fit is None else BRACKET
        confidence["confidence_interval"] = {
            "lower": interval.low,
            "upper": interval.high,
            "confidence_level": uncertainty.level,
            "method": method.format(unit=uncertainty.unit),
        }
    return {"details": _strings(details), "uncertainty": confidence}


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
        "answers": _answers(result),
        "wording": WORDINGS[result.wording],
        "system": result.system,
        "user": result.user,
        "chat_variables": assignments(result.chat_variables),
        "chat_date": result.chat_date,
        "word_boundary": result.word_boundary,
        "start": run.record.model.start,
        "tolerance": result.tolerance,
        "seed": run.settings.get("seed"),
    }
    template = max(run.record.asked.in_order, key=lambda each: each.drawn or each.count).template
    return {"generation_args": {"prompt_template": template}, "additional_details": _strings(details)}


def _answers(result: ResultBase) -> str:
    if result.generation is not None:
        return f"{result.generation.described}, read by {result.reader}"
    if result.thinking is not None:
        return f"{result.thinking.described}: the probabilities of words after each thought are read"
    return "nothing is generated: the probabilities of words are read"


def _present(details: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in details.items() if value not in (None, "")}


def _strings(details: Mapping[str, Any]) -> dict[str, str]:
    """Details as the schema requires them: all values are strings, and missing values are left out."""
    return {name: str(value) for name, value in _present(details).items()}


def _refuse_unknown(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise BvfError(f'{name} is "{value}"', nearest(value, list(known)))


def is_known(digest: str) -> bool:
    """Whether a model of this digest is in a known package. Anybody can download a known package."""
    return any(known.digest == digest for known in KNOWN)


def eval_results(result: ResultBase, dataset: str, *, record: MeasurementRecord | None = None) -> list[dict[str, Any]]:
    """Return an entry for each of R, R^b (bias) and R^v (volatility), or for each figure of another analysis.

    The format has no field for an interval, nor for whether a higher figure is better: both are in ``notes``.
    ``dataset`` is the benchmark on the hub, ORGANIZATION/NAME, whose ``eval.yaml`` has a task TOPIC-FIGURE per figure.
    The record of the measurement is read if not given.
    """
    refuse_no_dataset(dataset)
    run = asked_run(result, record)
    figures = judged_figures(result) or model_figures([result])
    return [
        {
            "dataset": {"id": dataset, "task_id": portable(f"{result.topic}-{figure.field}")},
            "value": getattr(result, figure.field),
            "date": run.ended.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "notes": _notes(run, figure),
        }
        for figure in figures
    ]


def as_yaml(entries: list[dict[str, Any]]) -> str:
    """Return entries of the hub as the text of their file."""
    import yaml

    return str(yaml.safe_dump(entries, sort_keys=False, allow_unicode=True))


def refuse_no_dataset(name: str) -> None:
    """Raise `BvfError` for what cannot be the name of a data set on the hub."""
    if not HUB_ID.fullmatch(name):
        raise BvfError(f'"{name}" is not the name of a data set on the hub', "write ORGANIZATION/NAME")


def _notes(run: AskedRun, figure: Quantity) -> str:
    result = run.result
    interval = result.uncertainty.intervals.get(figure.field)
    better = {True: "lower is better", False: "higher is better", None: ""}[figure.lower_is_better]
    scale = f"{result.scale} scale" if hasattr(result, "scale") else ""
    notes = (
        figure.meaning,
        better,
        between(interval.low, interval.high) if interval else "",
        of_intervals(result),
        f"criterion {result.criterion}",
        scale,
        f"{result.groups_in_words()} in {counted(result.number_of_contexts, 'context')} of "
        f"{without_folder(result.contexts)}",
        *map(without_folders, result.warnings),
    )
    return "; ".join(filter(None, notes))
