"""Reads the runs of a site. What is damaged or was changed is left out; a model that occurs twice is refused."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bvf.errors import BvfError
from bvf.results.compatible import grouped, question
from bvf.results.names import size_of, with_distinct_names
from bvf.study.found import folders_of_runs
from bvf.study.names import model_key
from bvf.study.pairing import refuse_equal_digests
from bvf_report.site.reading import Entry, Reading, entries_of
from bvf_report.site.result import OmittedFolder

ASKED_ALIKE = ("contexts", "wording", "word_boundary")
"""Fields of a result that runs of one table share, besides the question, the choices of analysis and the groups."""


def gathered(sources: Sequence[Path], work: Reading, processes: int) -> tuple[list[list[Entry]], list[OmittedFolder]]:
    """Return the runs in folders, or below them, in lists that were asked and analysed alike; and what is left out.

    At most so many ``processes`` read them at once.

    Raises:
        BvfError: No run is left, or two are the same model, asked the same.
    """
    left_out = list[OmittedFolder]()
    folders = list(dict.fromkeys(_folders(sources, left_out)))
    read = list(entries_of(folders, work, processes))
    left_out += [each for each in read if isinstance(each, OmittedFolder)]
    entries = [each for each in read if isinstance(each, Entry)]
    if not entries:
        first = left_out[0]
        raise BvfError(f"--site: no run can be shown: {first.folder}: {first.why}", "bvf verify says what is wrong")
    refuse_equal_digests((str(entry.folder), entry.measurement.record.digest) for entry in entries)
    boards = grouped(entries, _asked_of_groups)
    for board in boards:
        _refuse_twice(board)
    return [_named_apart(board) for board in boards], left_out


def asked(entry: Entry) -> dict[str, Any]:
    """Return what runs of one table have in common: question, choices of analysis, contexts, wording, and how many."""
    result = entry.result
    numbers = {"number of contexts": size_of(result), "number of groups": len(result.groups)}
    return {**question(result), **{field: getattr(result, field) for field in ASKED_ALIKE}, **numbers}


def _asked_of_groups(entry: Entry) -> dict[str, Any]:
    """What runs of one table have in common, with the names of their groups, which no heading has room for."""
    return {**asked(entry), "groups": [group.group for group in entry.result.groups]}


def _folders(sources: Iterable[Path], left_out: list[OmittedFolder]) -> Iterator[Path]:
    for source in sources:
        try:
            yield from folders_of_runs(source)
        except BvfError as error:
            left_out.append(OmittedFolder(folder=str(source), why=error.message.removeprefix(f"{source}: ")))


def _refuse_twice(board: Sequence[Entry]) -> None:
    seen = dict[str, Entry]()
    for entry in board:
        first = seen.setdefault(model_key(entry.measurement), entry)
        if first is not entry:
            raise BvfError(
                f"{first.folder} and {entry.folder} are one model, asked about {entry.result.topic} in one context set",
                "name one of them",
            )


def _named_apart(board: Sequence[Entry]) -> list[Entry]:
    results = with_distinct_names([entry.result for entry in board])
    return [replace(entry, result=result) for entry, result in zip(board, results, strict=True)]
