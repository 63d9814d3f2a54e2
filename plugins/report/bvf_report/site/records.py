"""What a site has of each run in the formats of others: records of Every Eval Ever, entries for the hub."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.results.result import ResultBase
from bvf_report.export import eee_record, eval_results
from bvf_report.export.eee import as_json
from bvf_report.export.eval_results import as_yaml

EEE, HUB = "Every Eval Ever", "evaluation results of the hub"
PLACES = {EEE: ("data/eee", ".json"), HUB: ("data/eval-results", ".yaml")}
"""By format the folder of its files in a site, and how their names end."""


def records_of(result: ResultBase, measurement: Measurement, dataset: str) -> Iterator[tuple[str, str]]:
    """Yield each format and the text of a result in it. ``dataset`` is that of the hub; empty: no entries for the hub.

    A format is left out where it needs what is not known, such as when the model was asked, or whether more is better.
    """
    with suppress(BvfError):
        yield EEE, as_json(eee_record(result, record=measurement.record))
    if dataset:
        with suppress(BvfError):
            yield HUB, as_yaml(eval_results(result, dataset, record=measurement.record))


def places_of(digest: str, records: Mapping[str, str]) -> dict[str, str]:
    """Return the path of each record of a run in the site, by format."""
    return {kind: f"{PLACES[kind][0]}/{digest}{PLACES[kind][1]}" for kind in records}


def stored_records(site: Path) -> Iterator[Path]:
    """Yield the files of records in a site."""
    for folder, ending in PLACES.values():
        yield from sorted((site / folder).glob(f"{'[0-9a-f]' * 16}{ending}"))
