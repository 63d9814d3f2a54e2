"""Answers to a benchmark from their folder alone: no model is asked, and no data of the benchmark are read."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bvf.domain.generation import Generation
from bvf.errors import BvfError
from bvf.files.digests import digest_of
from bvf.hooks.loader import Plugins
from bvf.interfaces.benchmark import Benchmark
from bvf_factors.benchmarks.answer_folder import (
    AGAIN,
    ITEMS,
    PARTS,
    RECORD,
    answers_in,
    asked_model,
    items_digest,
    read_items,
    record_in,
    refuse_other_items,
)
from bvf_factors.benchmarks.answer_store import read_parts
from bvf_factors.benchmarks.answered import AS_PUBLISHED, Answered, answers_of
from bvf_factors.benchmarks.asking import Asked
from bvf_factors.benchmarks.wordings import Wording
from bvf_factors.reading.logs.joining import refuse_doubled


def answers_to_compare(sources: Sequence[Path], plugins: Plugins) -> list[Answered]:
    """Return the stored answers of models to the same items of one benchmark.

    Raises:
        BvfError: A source is not a folder of answers, or the answers are of one model, or to other items.
    """
    folders = []
    for source in sources:
        folder = answers_in(source)
        if folder is None:
            raise BvfError(
                f"{source}: is not a folder of answers to a benchmark",
                "name folders that bvf factors run wrote; for a table or a log, declare its factors: --factors FILE",
            )
        folders.append(folder)
    refuse_doubled(folders)
    if len(folders) == 1:
        raise BvfError(f"{folders[0]} has the answers of one model", "name the folder of another one, too")
    refuse_other_items(folders)
    names = {folder: str(record_in(folder).get("benchmark")) for folder in folders}
    other = next((folder for folder in folders if names[folder] != names[folders[0]]), None)
    if other is not None:
        raise BvfError(
            f"{folders[0]} has answers to {names[folders[0]]}, and {other} to {names[other]}",
            "compare answers to one benchmark",
        )
    return [stored_answers(folder, plugins) for folder in folders]


def stored_answers(folder: Path, plugins: Plugins) -> Answered:
    """Return the answers in a folder of ``bvf factors run``.

    Raises:
        BvfError: The folder has no record, lacks items or answers, or its items were changed.
    """
    record, model = record_in(folder), asked_model(folder)
    identity = record.get("identity")
    asked = _asked(folder, record, plugins) if isinstance(identity, dict) else None
    if asked is None or model is None or not isinstance(identity, dict):
        raise BvfError(f"{folder / RECORD}: this is not a record of answers to a benchmark", AGAIN)
    if items_digest(asked) != identity.get("items"):
        raise BvfError(f"{folder / ITEMS}: the items are not those that were asked", AGAIN)
    known = dict(read_parts(folder / PARTS, asked, digest_of(identity)))
    missing = sum(part.stop - part.start for part in asked.parts() if part.index not in known)
    if missing:
        raise BvfError(f"{folder}: {missing:,} of {_total(asked):,} answers are missing", AGAIN)
    answers = answers_of(asked, known)
    if "answers" in identity:
        answers = dict(zip([AS_PUBLISHED], answers.values(), strict=True))
    name, path = model
    return Answered(asked, name, path, folder, answers, bool(record.get("whole")))


def _asked(folder: Path, record: dict[str, Any], plugins: Plugins) -> Asked | None:
    """What was asked, as the record and the items of a folder say it; None: the record does not say it."""
    name, _, owner = str(record["identity"].get("benchmark")).partition("@")
    benchmark: Benchmark = plugins.benchmarks.make(str(record.get("chosen", name)))
    items = read_items(folder)
    try:
        wordings = tuple(
            Wording(each["name"], each["text"], tuple(order) if isinstance(order := each["order"], list) else order)
            for each in record["wordings"]
        )
        written = record.get("generation")
        generation = Generation(**written) if written else None
        return Asked(name, owner, benchmark, items, wordings, record["by"], tuple(record["notes"]), generation)
    except (KeyError, TypeError):
        return None


def _total(asked: Asked) -> int:
    return sum(part.stop - part.start for part in asked.parts())
