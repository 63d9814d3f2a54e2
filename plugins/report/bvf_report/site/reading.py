"""Reads a run of a site once: verifies it, takes its result, and makes its page. Several processes share the runs."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bvf.builtin.engines.local import LocalEngine
from bvf.builtin.engines.processes import Processes
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError, harmless
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.engine import Engine, Share, Work
from bvf.results.restore import measurement_of
from bvf.results.result import ResultBase
from bvf.running.run import result_in
from bvf.running.verify import verified
from bvf.study.config import AnalysisConfig
from bvf_report.page.html import html_of
from bvf_report.site.records import places_of, records_of
from bvf_report.site.result import OmittedFolder
from bvf_report.site.run_pages import run_page

LONGEST_SLUG = 40
RUNS_PER_PROCESS = 12
"""A process starts in the time in which it reads some six runs."""


@dataclass(frozen=True)
class Entry:
    """A run of the site: its result, whose model has a name of its own in its table, its measurement, and its page.

    ``records`` has the text of its records in the formats of others, by format.
    """

    folder: Path
    result: ResultBase
    measurement: Measurement
    html: str
    records: dict[str, str]

    @property
    def places(self) -> dict[str, str]:
        """The paths of its records in the site, by format."""
        return places_of(self.measurement.record.digest, self.records)

    @property
    def page(self) -> str:
        """The path of its page in the site."""
        named = "-".join(map(slug, (self.result.model, self.result.topic)))
        return f"runs/{named}-{self.measurement.record.digest}.html"


@dataclass(frozen=True)
class Reading(Work[Path, Entry | OmittedFolder]):
    """Reads runs, in this process or in others.

    Args:
        config: Choices of the analysis that differ from those of the runs' own.
        light: Whether pages have no script.
        dataset: The benchmark on the hub to which entries belong; empty: there are no entries.
        extra: The values of ``--plugin``, by which other processes load the plugins.
        plugins: The plugins, where this process has them already; never pickled.
    """

    config: AnalysisConfig
    light: bool
    dataset: str
    extra: tuple[str, ...]
    plugins: Plugins | None = field(default=None, repr=False, compare=False)

    def begin(self, share: Share) -> Callable[[Path], Entry | OmittedFolder]:
        """Load the plugins, and return the function that reads one run."""
        plugins = self.plugins or load(extra=self.extra)

        def read(folder: Path) -> Entry | OmittedFolder:
            try:
                return self._entry(folder, plugins)
            except BvfError as error:
                return OmittedFolder(folder=str(folder), why=harmless(error.message))

        return read

    def _entry(self, folder: Path, plugins: Plugins) -> Entry:
        read = verified(folder, plugins)
        result = result_in(folder, self.config, plugins, read=read)
        records = dict(records_of(result, read, self.dataset))
        page = run_page(result, read, plugins, places_of(read.record.digest, records))
        return Entry(folder, result, measurement_of(result, read), html_of(page, light=self.light), records)

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "plugins": None}


def entries_of(folders: Sequence[Path], work: Reading, processes: int) -> Iterator[Entry | OmittedFolder]:
    """Yield the run in each folder, or why it is left out. At most so many ``processes`` read them at once."""
    read = dict(_engine(min(processes, len(folders) // RUNS_PER_PROCESS)).map(folders, work))
    return (read[folder] for folder in folders)


def slug(name: str) -> str:
    """Return a name as part of a file name and an address.

    >>> slug("Gemma 3 270M"), slug("性别"), slug("<script>")
    ('gemma-3-270m', 'x', 'script')
    """
    return re.sub("[^a-z0-9]+", "-", name.casefold())[:LONGEST_SLUG].strip("-") or "x"


def _engine(processes: int) -> Engine:
    return Processes(str(processes)) if processes > 1 else LocalEngine()
