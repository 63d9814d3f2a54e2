"""A site of many runs: verifies and reads each once, and writes tables of models, pages of runs and comparisons.

Several processes share the runs. What is damaged, was changed, or is a copy of another run is left out.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import reduce
from importlib.metadata import version
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from bvf import (
    AnalysisConfig,
    BvfError,
    Comparison,
    Engine,
    Interval,
    Measurement,
    Picture,
    ResultBase,
    Section,
    Share,
    Work,
    load,
)
from bvf.domain import Count, Finite, Level, Record
from bvf.errors import error_text, harmless
from bvf.files import Folder, FolderKind, check_folder, disk_errors_explained, marked, processors
from bvf.hooks import Plugins, imported
from bvf.interfaces import Cell
from bvf.results import (
    PageResult,
    Part,
    comparable,
    compared_by_choices,
    grouped,
    headings,
    measurement_of,
    question,
    result_in,
    verified,
    with_distinct_names,
)
from bvf.study import RISK, folders_of_runs
from bvf.tables import BY_FIELD, between, counted, decimals, frame_as_csv, in_a_list, percent, symbol
from bvf_report.export.eee import as_json, as_yaml, eee_record, eval_results, refuse_no_dataset
from bvf_report.page.build import page_of_run
from bvf_report.page.content import Block, Code, Links, Page
from bvf_report.page.html import GENERATOR, html_of
from bvf_report.page.provenance import commands, provenance_of

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
    warnings: tuple[str, ...] = Field((), description="What makes its figures doubtful, one sentence each")


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
                doubt = {"warnings": "; ".join(model.warnings)}
                for figure, value in model.figures.items():
                    ends, ranks = model.intervals.get(figure), model.ranks.get(figure, (None, None))
                    found = {"figure": figure, "value": value, "low": ends and ends.low, "high": ends and ends.high}
                    rows.append({**shared, **of_model, **found, "best_rank": ranks[0], "worst_rank": ranks[1], **doubt})
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


def gathered(sources: Sequence[Path], work: Reading) -> tuple[list[list[Entry]], list[OmittedFolder]]:
    """Return the runs in folders, or below them, in lists that were asked and analysed alike; and what is left out.

    Raises:
        BvfError: No run is left.
    """
    left_out = list[OmittedFolder]()
    folders = list(dict.fromkeys(_folders(sources, left_out)))
    read = list(entries_of(folders, work))
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
    numbers = {"number of contexts": result.contexts_in_words, "number of groups": len(result.groups)}
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


def entries_of(folders: Sequence[Path], work: Reading) -> Iterator[Entry | OmittedFolder]:
    """Yield the run in each folder, or why it is left out. At most one process per processor reads them at once."""
    many = min(processors(), len(folders) // RUNS_PER_PROCESS)
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


ALONE = "there is one model"
TITLE = "Bias and volatility of language models"
DATA = {"data/leaderboard.csv": "a row per table, model and figure", "data/leaderboard.json": "everything on this page"}
RECORDS = "The page of a run links its records in the formats of others; leaderboard.json has the paths of all."
SHOWN = 24
INDEX, LARGEST = "index.html", 1_000_000_000
OPTION = "--site"
PAGES = FolderKind({r".*\.html": LARGEST})
OF_OTHERS = {Path(place).name: FolderKind({rf"[0-9a-f]{{16}}\{end}": LARGEST}) for place, end in PLACES.values()}
FIGURES = FolderKind({r"leaderboard\.(csv|json)": LARGEST}, OF_OTHERS)
SITE = FolderKind({INDEX: LARGEST}, {"runs": PAGES, "compare": PAGES, "data": FIGURES})
"""What stands in a site. It may hold other files, which are left alone."""
is_page = marked(GENERATOR)


def boards_of(
    groups: Sequence[Sequence[Entry]], left_out: Sequence[OmittedFolder], plugins: Plugins
) -> tuple[Leaderboard, list[Comparison | None]]:
    """Return the tables of a site, and the comparison behind each; None: its models were not compared."""
    numbered = zip(range(1, len(groups) + 1), groups, _titles(groups), strict=True)
    made = [_board(group, title, number, plugins) for number, group, title in numbered]
    boards = Leaderboard(version=version("bvf"), boards=tuple(board for board, _ in made), left_out=tuple(left_out))
    return boards, [comparison for _, comparison in made]


def _titles(groups: Sequence[Sequence[Entry]]) -> list[str]:
    """The title of each table: its topic and language, and what tells it apart from other tables of the topic."""
    topics = [f"{group[0].result.topic} ({group[0].result.language})" for group in groups]
    titles = dict[int, str]()
    for topic in dict.fromkeys(topics):
        places = [place for place, each in enumerate(topics) if each == topic]
        apart = headings([groups[place] for place in places], asked)
        titles |= {place: ", ".join(filter(None, (topic, what))) for place, what in zip(places, apart, strict=True)}
    return [titles[place] for place in range(len(groups))]


def _board(group: Sequence[Entry], title: str, number: int, plugins: Plugins) -> tuple[Board, Comparison | None]:
    comparison, why = _compared(group, plugins)
    ranks = {model.measurement: model.ranks for model in comparison.topics[0].models} if comparison else {}
    models = [_listed(entry, ranks) for entry in group]
    first, result = next(iter(models[0].figures)), group[0].result
    differences = comparison.topics[0].differences if comparison else ()
    board = Board(
        title=title,
        topic=result.topic,
        language=result.language,
        contexts=result.contexts,
        question={field: value for field, value in asked(group[0]).items() if value is not None},
        level=result.uncertainty.level,
        page=f"compare/{number}-{slug(result.topic)}.html" if comparison else "",
        unranked=why,
        tied=sum(each.decision == "tied" for each in differences if each.figure == first),
        models=tuple(sorted(models, key=lambda model: (*model.ranks.get(first, (0, 0)), model.name.casefold()))),
    )
    return board, comparison


def _compared(group: Sequence[Entry], plugins: Plugins) -> tuple[Comparison | None, str]:
    """The comparison of the models of a table, if there is one; and why there are no ranks, if there are none."""
    if len(group) == 1:
        return None, ALONE
    read = [PageResult(entry.result, entry.result.model, entry.measurement) for entry in group]
    try:
        comparison = compared_by_choices(*comparable(read, plugins), plugins)
    except BvfError as error:
        return None, error.message
    return comparison, comparison.topics[0].undefined


def _listed(entry: Entry, ranks: Mapping[str, dict[str, tuple[int, int]]]) -> ListedModel:
    result, digest = entry.result, entry.measurement.record.digest
    figures = _figures(result)
    return ListedModel(
        name=result.model,
        measurement=digest,
        page=entry.page,
        records=entry.places,
        figures={name: getattr(result, name) for name in figures},
        between={name: ends for name, ends in getattr(result, "between", {}).items() if name in figures},
        intervals={name: each for name, each in result.uncertainty.intervals.items() if name in figures},
        ranks=ranks.get(digest, {}),
        warnings=result.warnings,
    )


def _figures(result: ResultBase) -> list[str]:
    """The names of the figures that the site lists of a result: R, R^b and R^v, or those that its analysis exports."""
    if all(hasattr(result, name) for name in RISK):
        return list(RISK)
    names = [figure.field for figure in result.exported] or list(result.in_short)
    return [name for name in names if isinstance(getattr(result, name), float)]


def index_page(leaderboard: Leaderboard, groups: Sequence[Sequence[Entry]], plugins: Plugins) -> Page:
    """Return the first page: models by topics, a table for each question, what is left out, and how to add a model."""
    boards = leaderboard.boards
    models = len({model.name for board in boards for model in board.models})
    said = f"{counted(models, 'model')} in {counted(len(boards), 'table')}. No table mixes different questions."
    left_out = [(each.folder, each.why) for each in leaderboard.left_out]
    unverified = Section("Folders that are not shown, as they did not verify", ["folder", "why"], left_out, names=2)
    parts = [
        *([Part("models", "Models by topics", (_matrix(boards),))] if len(boards) > 1 else []),
        *(Part(f"table-{number}", board.title, tuple(_of_board(board))) for number, board in enumerate(boards, 1)),
        *([Part("left-out", "Left out", (unverified,))] if left_out else []),
        Part("data", "Data", (Links(tuple((f"{path}: {what}", path) for path, what in DATA.items())), RECORDS)),
        Part("add", "Add a model", tuple(_how_to_add(groups, plugins))),
    ]
    return Page(TITLE, said, tuple(parts))


def _matrix(boards: Sequence[Board]) -> Section:
    """A table with a row per model and a column per table of the site, with the first figure in each."""
    names = sorted({model.name for board in boards for model in board.models}, key=str.casefold)
    columns = [f"{board.title}: {symbol(board.figures[0])}" for board in boards]
    of_boards = [{model.name: model for model in board.models} for board in boards]
    rows = [[name, *(_in_matrix(models.get(name)) for models in of_boards)] for name in names]
    return Section(
        "Models by name; a figure is a link to the page of its run",
        ["model", *columns],
        rows,
        notes=("Figures of different columns answer different questions: no mean of a row is here.",),
        searched=True,
    )


def _in_matrix(model: ListedModel | None) -> str | Cell:
    if model is None:
        return ""
    figure, value = next(iter(model.figures.items()))
    return Cell(_shown(model, figure), value, _interval(model, figure), link=model.page)


def _shown(model: ListedModel, figure: str) -> str:
    ends = model.between.get(figure)
    return between(*ends, 2) if ends else decimals(model.figures[figure])[0]


def _interval(model: ListedModel, figure: str) -> str:
    ends = model.intervals.get(figure)
    return between(ends.low, ends.high) if ends else ""


def _of_board(board: Board) -> Iterator[Block]:
    yield _order_of(board)
    columns = ["model"]
    for figure in board.figures:
        columns += [symbol(figure), f"interval of {symbol(figure)}", f"rank by {symbol(figure)}"]
    rows = [[Cell(model.name, link=model.page), *_cells(model)] for model in board.models]
    filled = [place for place in range(len(columns)) if any(row[place].text for row in rows)]
    kept = [[row[place] for place in filled] for row in rows]
    of = f" of {percent(board.level)}" if any(model.intervals for model in board.models) else ""
    warned = {warning for model in board.models for warning in model.warnings}
    caption = f"{counted(len(rows), 'model')} in the contexts {board.contexts}" + (f", intervals{of}" if of else "")
    doubts = {warning: [each.name for each in board.models if warning in each.warnings] for warning in sorted(warned)}
    notes = [f"{in_a_list(names)}: {warning}." for warning, names in doubts.items()]
    yield Section(caption, [columns[place] for place in filled], kept, notes=notes, searched=True)
    yield " ".join(f"{symbol(name)}: {BY_FIELD[name].in_legends}." for name in board.figures if name in BY_FIELD)
    if board.page:
        yield Links((("Every difference, and how sure it is", board.page),))


def _cells(model: ListedModel) -> Iterator[Cell]:
    for figure, value in model.figures.items():
        ranks = model.ranks.get(figure)
        yield Cell(_shown(model, figure), value)
        yield Cell(_interval(model, figure))
        yield Cell("-".join(map(str, dict.fromkeys(ranks or ()))), None if ranks is None else float(sum(ranks)))


def _order_of(board: Board) -> str:
    if board.unranked:
        return f"Ordered by name, as there are no ranks: {board.unranked}."
    first = symbol(board.figures[0])
    pairs = counted(comb(len(board.models), 2), "pair")
    tied = f"{board.tied:,} of {pairs} of models show no significant difference in {first}"
    return (
        f"Ordered by the ranks that {first} allows, 1 the highest, and by name where these agree. "
        f"A rank such as 2-5 says that a model may be second to fifth. {tied}."
    )


def _how_to_add(groups: Sequence[Sequence[Entry]], plugins: Plugins) -> Iterator[Block]:
    yield (
        "Measure your model as a model here was measured: repeat its commands, with your model after --model and a "
        "folder of your own after --out. Then hand over the folder. It is checked before it is shown: bvf verify "
        "computes every digest and every figure again."
    )
    for group in groups:
        provenance = provenance_of(group[0].result, plugins, group[0].measurement)
        if provenance is not None:
            yield Code(commands(group[0].result, provenance))
    yield "bvf report --site DIR RUNS writes this site again, with the new folder among RUNS."


def comparison_page(board: Board, comparison: Comparison) -> Page:
    """Return the page that compares the models of a table."""
    pages = Links(tuple((model.name, f"../{model.page}") for model in board.models))
    parts = (
        Part("site", "This site", (HOME,)),
        Part("comparison", board.title, tuple(imported(comparison.tables)(comparison, SHOWN))),
        Part("runs", "Runs", (pages,)),
    )
    return Page("Models compared", board.title, parts)


def check_site(folder: Path, sources: Sequence[Path], *, force: bool) -> None:
    """Raise `BvfError` if no site can be written to a folder: it has other files, or runs of the site lie in it."""
    is_ours = _is_page(Folder(folder, SITE), INDEX)
    check_folder(OPTION, folder, force=force or is_ours)
    whole = folder.resolve()
    if inside := next((source for source in sources if source.resolve().is_relative_to(whole)), None):
        raise BvfError(f"{OPTION} {folder}: {inside} lies in it", f"choose another {OPTION}")


def write_site(  # noqa: PLR0913 - each is a choice of its own
    folder: Path,
    sources: Sequence[Path],
    config: AnalysisConfig,
    plugins: Plugins,
    *,
    light: bool = False,
    dataset: str = "",
    force: bool = False,
) -> Leaderboard:
    """Write a site of the runs in folders, or below them, and return its tables.

    ``light``: pages have no script. ``dataset``: the benchmark on the hub whose entries are written, as
    ORGANIZATION/NAME; empty: none. ``force``: the folder may hold other files.

    Raises:
        BvfError: No run can be shown, a model occurs twice, runs of the site lie in the folder, or it holds other files
            or cannot be written.
    """
    if dataset:
        refuse_no_dataset(dataset)
    check_site(folder, sources, force=force)
    site = Folder(folder, SITE)
    groups, left_out = gathered(sources, Reading(config, light, dataset, plugins.extra, plugins))
    leaderboard, comparisons = boards_of(groups, left_out, plugins)
    _write(site, INDEX, html_of(index_page(leaderboard, groups, plugins), light=light))
    written = {INDEX}
    for group in groups:
        for entry in group:
            texts = {entry.page: entry.html, **{entry.places[kind]: text for kind, text in entry.records.items()}}
            for name, text in texts.items():
                _write(site, name, text)
            written |= texts.keys()
    for board, comparison in zip(leaderboard.boards, comparisons, strict=True):
        if comparison is not None:
            _write(site, board.page, html_of(comparison_page(board, comparison), light=light))
            written.add(board.page)
    _write(site, "data/leaderboard.csv", frame_as_csv(leaderboard.to_frame()))
    _write(site, "data/leaderboard.json", f"{leaderboard.model_dump_json(by_alias=True, indent=1)}\n")
    for place in (*(site.sub(name) for name in ("runs", "compare")), *site.sub("data").folders()):
        for name in place.names():
            if "/".join((*place.within, name)) not in written and (place.kind is not PAGES or _is_page(place, name)):
                place.delete(name)
    return leaderboard


def _write(site: Folder, place: str, text: str) -> None:
    *within, name = place.split("/")
    with disk_errors_explained(f"{OPTION} {site.root / place}", f"choose another {OPTION}"):
        reduce(Folder.sub, within, site).write(name, text)


def _is_page(folder: Folder, name: str) -> bool:
    """Whether bvf wrote a page, which may not be there. Its beginning says so."""
    return GENERATOR in (folder.read_bytes(name) or b"")[: 1 << 16]
