"""Stored results for some of their groups."""

from collections.abc import Sequence
from pathlib import Path

from bvf.domain.groups import named_groups
from bvf.hooks.loader import Plugins, load
from bvf.measuring.folder import read_measurement
from bvf.results.again import words_chosen
from bvf.results.kept import read_result
from bvf.results.result import ResultBase
from bvf.running.verify import computed_again


def result_for_groups(folder: Path, groups: Sequence[str], plugins: Plugins | None = None) -> ResultBase:
    """Read the result of a run; if groups are named, analyse only these, with the same choices, and store nothing.

    Raises:
        BvfError: There is no finished result, or it has no such group.
    """
    result: ResultBase = read_result(folder, plugins)
    if not groups:
        return result
    measurement = read_measurement(folder)
    if words_chosen(result, measurement.record.asked):
        measurement = read_measurement(folder, words=True)
    named = named_groups(groups, [group.group for group in result.groups], f"in {folder}")
    of_groups = computed_again(result, measurement, plugins or load(), named)
    of_groups._folder = result.folder
    return of_groups
