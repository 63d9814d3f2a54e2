"""Tables of knowledge: the models, and the subjects that they know least and best."""

from collections.abc import Sequence

from bvf.analyses.knowledge.result import KnowledgeResult
from bvf.interfaces.analysis import Section
from bvf.results.names import glossed_names, name_columns, row_name
from bvf.tables.words import adding_up, ends

LEGEND = (
    "mastery: what is known on average over wordings. expected: what one wording brings. gap: what is lost to "
    "inconsistency. Above the rule: limits of infinitely many wordings; the guesser draws an answer for each, so its "
    "mean is 1 / answers."
)


def models_section(results: Sequence[KnowledgeResult]) -> Section:
    """Return one table: the reference models, then a row per result; and what its columns are."""
    first = results[0]
    title = f"Knowledge: {first.topic} ({first.language}), criterion {first.criterion}"
    names = name_columns(results)
    scale = [
        (row.name, *("",) * (len(names) - 1), *_figures(row.mastery, row.gap), *_shares(row.accuracy, row.consistency))
        for row in first.references
    ]
    rows = [
        (
            *row_name(each, names),
            *_figures(each.mastery, each.confidence_gap),
            *_shares(each.accuracy, each.consistency),
        )
        for each in results
    ]
    columns = (*names, "mastery", "expected", "gap", "accuracy", "consistency")
    return Section(title, columns, rows, above=scale, names=len(names), notes=[LEGEND])


def subject_section(result: KnowledgeResult, show: int) -> Section:
    """Return what the model says most, and the subjects at both ends of what it knows; all of them for 0."""
    first, last = ends(sorted(result.groups, key=lambda group: group.expected_score), show)
    shown = [*first, *last]
    names, cells = glossed_names(shown, "subject")
    rows = [
        (*name, group.truth, group.says or "-", *_figures(group.mastery, group.confidence_gap))
        for name, group in zip(cells, shown, strict=True)
    ]
    title = f"{result.model}: subjects, least known first"
    if last:
        rows.insert(len(first), ("...", *("",) * (len(rows[0]) - 1)))
        title = f"{title} ({len(shown)} of {len(result.groups)})"
    columns = (*names, "truth", "says", "mastery", "expected", "gap")
    return Section(title, columns, rows, names=len(names) + 2, said=[sentence(result)])


def sentence(result: KnowledgeResult) -> str:
    """Return what accuracy there is by chance, and what the model says most."""
    said = "no answer is on top of any subject"
    if result.most_frequent_answer is not None:
        of_all = f"{result.subjects_with_it} of {len(result.groups)} subjects"
        said = f"most frequent answer: {result.most_frequent_answer} ({of_all})"
    return f"{result.chance:.1%} would be right by chance; {said}"


def _figures(mastery: float, gap: float) -> tuple[str, str, str]:
    return adding_up(mastery, gap)


def _shares(accuracy: float, consistency: float | None) -> tuple[str, str]:
    return f"{accuracy:.1%}", "-" if consistency is None else f"{consistency:.1%}"
