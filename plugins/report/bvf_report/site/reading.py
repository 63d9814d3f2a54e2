"""Reads the runs of a site: verifies each once, and takes its result, its page and its figures as data.

Several processes share the runs. What is damaged, was changed, or is a copy of another run is left out.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from bvf import AnalysisConfig, BvfError, Engine, Interval, Measurement, Picture, ResultBase, Share, Work, load
from bvf.domain import Count, Finite, Level, Record
from bvf.errors import error_text, harmless
from bvf.hooks import Plugins
from bvf.results import Part, grouped, measurement_of, question, result_in, size_of, verified, with_distinct_names
from bvf.study import folders_of_runs
from bvf_report.export.eee import as_json, as_yaml, eee_record, eval_results
from bvf_report.page.build import page_of_run
from bvf_report.page.content import Links, Page
from bvf_report.page.html import html_of

if TYPE_CHECKING:
    import pandas as pd

LONGEST_SLUG = 40
RUNS_PER_PROCESS = 12
"""A process starts in the time in which it reads some six runs."""
HOME = Links((("All tables", "../index.html"),))
NO_PICTURES = "This page leaves out pictures: `bvf report` on the folder of this run draws them."
EEE, HUB = "Every Eval Ever", "evaluation results of the hub"
PLACES: dict[str, tuple[str, str]] = {EEE: ("data/eee", ".json"), HUB: ("data/eval-results", ".yaml")}
"""By format the folder of its files in a site, and how their names end."""
ASKED_ALIKE = ("contexts", "wording", "word_boundary")
"""Fields of a result that runs of one table share, besides the question, the choices of analysis and the groups."""


class ListedModel(Record):
    """A model in a table of the site."""

    name: str
    measurement: str = Field(description="Digest of the identity of its measurement")
    page: str = Field(description="Path of its page in the site")
    records: dict[str, str] = Field(description="Paths of its records in formats of others, by format")
    figures: dict[str, Finite] = Field(description="Those of its own run")
    between: dict[str, tuple[Finite, Finite]] = Field({}, description="The ends of figures that are known only roughly")
    intervals: dict[str, Interval] = Field(description="By the name of the figure; empty: there are none")
    ranks: dict[str, tuple[Count, Count]] = Field(
        description="First and last rank that it may have by each figure, 1 the highest; empty: not compared"
    )


class Board(Record):
    """Models that were asked the same and analysed alike."""

    title: str
    topic: str
    language: str
    contexts: str
    question: dict[str, Any] = Field(description="Everything that its models have in common, by field")
    level: Level = Field(description="Of the intervals")
    page: str = Field(description="Path of the page that compares its models; empty: there is none")
    unranked: str = Field(description="Why there are no ranks; empty: there are")
    tied: Count = Field(description="How many pairs of its models have no significant difference in the first figure")
    models: tuple[ListedModel, ...] = Field(description="By the ranks of the first figure; by name where these agree")

    @property
    def figures(self) -> tuple[str, ...]:
        """The names of the figures of its models."""
        return tuple(self.models[0].figures)


class OmittedFolder(Record):
    """A folder that the site does not show, and why."""

    folder: str
    why: str


class Leaderboard(Record):
    """Every table of a site."""

    schema_: Literal["bvf.leaderboard/1"] = Field("bvf.leaderboard/1", alias="schema")
    version: str = Field(description="Of bvf")
    boards: tuple[Board, ...]
    left_out: tuple[OmittedFolder, ...]

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per table, model and figure."""
        import pandas as pd

        rows = []
        for board in self.boards:
            shared = board.model_dump(include={"topic", "language", "contexts"}) | {
                "criterion": board.question["criterion"]
            }
            for model in board.models:
                of_model = {"model": model.name, "measurement": model.measurement, "page": model.page}
                for figure, value in model.figures.items():
                    ends, ranks = model.intervals.get(figure), model.ranks.get(figure, (None, None))
                    found = {"figure": figure, "value": value, "low": ends and ends.low, "high": ends and ends.high}
                    rows.append({**shared, **of_model, **found, "best_rank": ranks[0], "worst_rank": ranks[1]})
        return pd.DataFrame(rows).astype({"best_rank": "Int64", "worst_rank": "Int64"})


@dataclass(frozen=True)
class Entry:
    """A run of the site: its result, named as in its table, its measurement, page, and records of others' formats."""

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
    """Reads runs, in this process or in others."""

    config: AnalysisConfig  # choices of the analysis that differ from those of the runs' own
    light: bool  # whether pages have no script
    dataset: str  # the benchmark on the hub to which entries belong; empty: there are no entries
    extra: tuple[str, ...]  # the values of ``--plugin``, by which other processes load the plugins
    # the plugins, where this process has them already; never pickled
    plugins: Plugins | None = field(default=None, repr=False, compare=False)

    def begin(self, share: Share) -> Callable[[Path], Entry | OmittedFolder]:
        """Load the plugins, and return the function that reads one run."""
        plugins = self.plugins or load(extra=self.extra)

        def read(folder: Path) -> Entry | OmittedFolder:
            try:
                measurement = verified(folder, plugins)
                result = result_in(folder, self.config, plugins, read=measurement)
                records = dict(records_of(result, measurement, self.dataset))
                page = run_page(result, measurement, plugins, places_of(measurement.record.digest, records))
                html = html_of(page, light=self.light)
                return Entry(folder, result, measurement_of(result, measurement), html, records)
            except BvfError as error:
                return OmittedFolder(folder=str(folder), why=harmless(error.message))
            except Exception as error:  # noqa: BLE001 - one folder, of anybody, must not end the page of all
                return OmittedFolder(folder=str(folder), why=error_text(error))

        return read

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "plugins": None}


def gathered(sources: Sequence[Path], work: Reading, processes: int) -> tuple[list[list[Entry]], list[OmittedFolder]]:
    """Return the runs in folders, or below them, in lists that were asked and analysed alike; and what is left out.

    At most so many ``processes`` read them at once.

    Raises:
        BvfError: No run is left.
    """
    left_out = list[OmittedFolder]()
    folders = list(dict.fromkeys(_folders(sources, left_out)))
    read = list(entries_of(folders, work, processes))
    left_out += [each for each in read if isinstance(each, OmittedFolder)]
    entries = [each for each in read if isinstance(each, Entry)]
    if not entries:
        first = left_out[0]
        raise BvfError(f"--site: no run can be shown: {first.folder}: {first.why}", "bvf verify says what is wrong")
    entries = _each_once(entries, left_out)
    boards = list[list[Entry]]()
    for board in grouped(entries, lambda entry: {**asked(entry), "groups": [x.group for x in entry.result.groups]}):
        named = zip(board, with_distinct_names([entry.result for entry in board]), strict=True)
        boards.append([replace(entry, result=result) for entry, result in named])
    return boards, left_out


def asked(entry: Entry) -> dict[str, Any]:
    """Return what runs of one table have in common besides their groups: question, choices, contexts, sizes."""
    result = entry.result
    numbers = {"number of contexts": size_of(result), "number of groups": len(result.groups)}
    return {**question(result), **{field: getattr(result, field) for field in ASKED_ALIKE}, **numbers}


def _folders(sources: Iterable[Path], left_out: list[OmittedFolder]) -> Iterator[Path]:
    for source in sources:
        try:
            yield from folders_of_runs(source)
        except BvfError as error:
            left_out.append(OmittedFolder(folder=str(source), why=error.message.removeprefix(f"{source}: ")))


def _each_once(entries: Sequence[Entry], left_out: list[OmittedFolder]) -> list[Entry]:
    """The entries but for copies of a measurement, of which the first one with the most contexts stays."""
    kept = dict[str, Entry]()
    for entry in sorted(entries, key=lambda each: -len(each.measurement.record.asked.in_order)):
        first = kept.setdefault(entry.measurement.record.digest, entry)
        if first is not entry:
            left_out.append(OmittedFolder(folder=str(entry.folder), why=f"the measurement in {first.folder} again"))
    return [entry for entry in entries if kept[entry.measurement.record.digest] is entry]


def entries_of(folders: Sequence[Path], work: Reading, processes: int) -> Iterator[Entry | OmittedFolder]:
    """Yield the run in each folder, or why it is left out. At most so many ``processes`` read them at once."""
    many = min(processes, len(folders) // RUNS_PER_PROCESS)
    engine: Engine = load().engines.make(f"processes:{many}" if many > 1 else "local")
    read = dict(engine.map(folders, work))
    return (read[folder] for folder in folders)


def slug(name: str) -> str:
    """Return a name as part of a file name and an address.

    >>> slug("Gemma 3 270M"), slug("性别"), slug("<script>")
    ('gemma-3-270m', 'x', 'script')
    """
    return re.sub("[^a-z0-9]+", "-", name.casefold())[:LONGEST_SLUG].strip("-") or "x"


def run_page(result: ResultBase, measurement: Measurement, plugins: Plugins, places: Mapping[str, str]) -> Page:
    """Return the page of one run: what `bvf report` says of it, without pictures. ``places``: its records by format."""
    page = page_of_run(result, measurement, plugins)
    parts = [replace(part, blocks=tuple(b for b in part.blocks if not isinstance(b, Picture))) for part in page.parts]
    links = Links((*HOME.rows, *((f"This run as {kind}", f"../{place}") for kind, place in places.items())))
    kept = [part for part in parts if part.blocks]
    return Page(page.title, page.subtitle, (Part("site", "This site", (links, NO_PICTURES)), *kept))


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
