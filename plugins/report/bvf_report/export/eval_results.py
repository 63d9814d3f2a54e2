"""Makes the entries of ``.eval_results/NAME.yaml`` in the repository of a model on the Hugging Face hub."""

from typing import Any

from bvf import BvfError, ResultBase
from bvf.domain import HUB_ID, MeasurementRecord
from bvf.interfaces import Quantity
from bvf.results import groups_of
from bvf.tables import between
from bvf_report.export.asked import AskedRun, asked_run
from bvf_report.export.figures import judged_figures, model_figures
from bvf_report.export.names import portable, without_folder, without_folders
from bvf_report.export.papers import of_intervals


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
        of_intervals(result.uncertainty),
        f"criterion {result.criterion}",
        scale,
        f"{groups_of(result)} in {result.number_of_contexts} contexts of {without_folder(result.contexts)}",
        *map(without_folders, result.warnings),
    )
    return "; ".join(filter(None, notes))
