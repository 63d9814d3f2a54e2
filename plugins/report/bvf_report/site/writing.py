"""Writes a site to a folder: tables of models, and pages that compare those of each table."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from importlib.metadata import version
from math import comb
from pathlib import Path

from bvf import AnalysisConfig, BvfError, Comparison, ResultBase, Section
from bvf.files import Folder, FolderKind, check_folder, disk_errors_explained, marked, processors
from bvf.hooks import Plugins, imported
from bvf.interfaces import Cell
from bvf.results import Part, compared_by_choices, headings, method_of, refuse_missing, spanned
from bvf.study import RISK
from bvf.tables import BY_FIELD, between, counted, decimals, frame_as_csv, percent, symbol
from bvf_report.export.eee import refuse_no_dataset
from bvf_report.page.content import Block, Code, Links, Page
from bvf_report.page.html import GENERATOR, html_of
from bvf_report.page.provenance import commands, provenance_of
from bvf_report.site.reading import (
    HOME,
    PLACES,
    Board,
    Entry,
    Leaderboard,
    ListedModel,
    OmittedFolder,
    Reading,
    asked,
    gathered,
    slug,
)

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
    try:
        for entry in group:
            refuse_missing(entry.result, plugins)
        measurements = [entry.measurement for entry in group]
        first, asked = group[0].result, measurements[0].record.asked
        chosen = AnalysisConfig(**{**method_of(first, asked), "reader": first.reader_again(asked)})
        config = chosen.as_stored(first)
        comparison = compared_by_choices(measurements, config, plugins)
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
    caption = f"{counted(len(rows), 'model')} in the contexts {board.contexts}" + (f", intervals{of}" if of else "")
    yield Section(caption, [columns[place] for place in filled], kept, searched=True)
    yield " ".join(f"{symbol(name)}: {BY_FIELD[name].in_legends}." for name in board.figures if name in BY_FIELD)
    if board.page:
        yield Links((("Every difference, and how sure it is", board.page),))


def _cells(model: ListedModel) -> Iterator[Cell]:
    for figure, value in model.figures.items():
        ranks = model.ranks.get(figure)
        yield Cell(_shown(model, figure), value)
        yield Cell(_interval(model, figure))
        yield Cell(spanned(*ranks) if ranks else "", None if ranks is None else float(sum(ranks)))


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
    processes: int | None = None,
) -> Leaderboard:
    """Write a site of the runs in folders, or below them, and return its tables.

    ``light``: pages have no script. ``dataset``: the benchmark on the hub whose entries are written, as
    ORGANIZATION/NAME; empty: none. ``force``: the folder may hold other files. At most so many ``processes`` read runs
    at once; None: one per processor.

    Raises:
        BvfError: No run can be shown, a model occurs twice, runs of the site lie in the folder, or it holds other files
            or cannot be written.
    """
    if dataset:
        refuse_no_dataset(dataset)
    check_site(folder, sources, force=force)
    site = Folder(folder, SITE)
    work = Reading(config, light, dataset, plugins.extra, plugins)
    groups, left_out = gathered(sources, work, processors() if processes is None else processes)
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
