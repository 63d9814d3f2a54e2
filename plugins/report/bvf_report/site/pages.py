"""The pages of a site that show several runs: tables of models, and a page that compares the models of each table."""

from collections.abc import Iterator, Sequence
from math import comb

from bvf import Comparison, Section
from bvf.hooks import Plugins, imported
from bvf.interfaces import Cell
from bvf.results import Part, percent, spanned
from bvf.tables import BY_FIELD, between, counted, decimals, symbol
from bvf_report.page.content import Block, Code, Links, Page
from bvf_report.page.provenance import commands, provenance_of
from bvf_report.site.reading import HOME, Entry
from bvf_report.site.result import Board, Leaderboard, ListedModel

TITLE = "Bias and volatility of language models"
DATA = {"data/leaderboard.csv": "a row per table, model and figure", "data/leaderboard.json": "everything on this page"}
RECORDS = "The page of a run links its records in the formats of others; leaderboard.json has the paths of all."
SHOWN = 24


def index_page(leaderboard: Leaderboard, groups: Sequence[Sequence[Entry]], plugins: Plugins) -> Page:
    """Return the first page: models by topics, a table for each question, what is left out, and how to add a model."""
    boards = leaderboard.boards
    models = len({model.name for board in boards for model in board.models})
    said = f"{counted(models, 'model')} in {counted(len(boards), 'table')}. No table mixes different questions."
    parts = [
        *([Part("models", "Models by topics", (_matrix(boards),))] if len(boards) > 1 else []),
        *(Part(f"table-{number}", board.title, tuple(_of_board(board))) for number, board in enumerate(boards, 1)),
        *_left_out(leaderboard),
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
    return Cell(decimals(value)[0], value, _interval(model, figure), link=model.page)


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
        yield Cell(decimals(value)[0], value)
        yield Cell(_interval(model, figure))
        yield Cell(spanned(*ranks) if ranks else "", None if ranks is None else float(sum(ranks)))


def _order_of(board: Board) -> str:
    """What the order of a table means."""
    if board.unranked:
        return f"Ordered by name, as there are no ranks: {board.unranked}."
    first = symbol(board.figures[0])
    pairs = counted(comb(len(board.models), 2), "pair")
    tied = f"{board.tied:,} of {pairs} of models show no significant difference in {first}"
    return (
        f"Ordered by the ranks that {first} allows, 1 the highest, and by name where these agree. "
        f"A rank such as 2-5 says that a model may be second to fifth. {tied}."
    )


def _left_out(leaderboard: Leaderboard) -> list[Part]:
    rows = [(each.folder, each.why) for each in leaderboard.left_out]
    if not rows:
        return []
    table = Section("Folders that are not shown, as they did not verify", ["folder", "why"], rows, names=2)
    return [Part("left-out", "Left out", (table,))]


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
