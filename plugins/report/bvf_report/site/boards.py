"""Compares the models of each table of a site, and orders them by the ranks that they may have."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version

from bvf import AnalysisConfig, BvfError, Comparison, ResultBase
from bvf.hooks import Plugins
from bvf.results import compared_by_choices, headings, method_of, refuse_missing
from bvf.study import RISK
from bvf_report.site.reading import Entry, asked, slug
from bvf_report.site.result import Board, Leaderboard, ListedModel, OmittedFolder

ALONE = "there is one model"


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
    ranks = _ranks(comparison)
    models = [_listed(entry, ranks) for entry in group]
    first, result = next(iter(models[0].figures)), group[0].result
    board = Board(
        title=title,
        topic=result.topic,
        language=result.language,
        contexts=result.contexts,
        question={field: value for field, value in asked(group[0]).items() if value is not None},
        level=result.uncertainty.level,
        page=f"compare/{number}-{slug(result.topic)}.html" if comparison else "",
        unranked=why,
        tied=_tied(comparison, first),
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
        config = AnalysisConfig(**method_of(group[0].result, measurements[0].record.asked))
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
        intervals={name: each for name, each in result.uncertainty.intervals.items() if name in figures},
        ranks=ranks.get(digest, {}),
    )


def _figures(result: ResultBase) -> list[str]:
    """The names of the figures that the site lists of a result: R, R^b and R^v, or those that its analysis exports."""
    if all(hasattr(result, name) for name in RISK):
        return list(RISK)
    names = [figure.field for figure in result.exported] or list(result.in_short)
    return [name for name in names if isinstance(getattr(result, name), float)]


def _ranks(comparison: Comparison | None) -> Mapping[str, dict[str, tuple[int, int]]]:
    models = comparison.topics[0].models if comparison else ()
    return {model.measurement: model.ranks for model in models}


def _tied(comparison: Comparison | None, figure: str) -> int:
    differences = comparison.topics[0].differences if comparison else ()
    return sum(each.decision == "tied" for each in differences if each.figure == figure)
