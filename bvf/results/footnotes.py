"""Lines below the tables of a result: the population of its intervals, the data of its figures, and notes."""

import shlex
from collections.abc import Iterable, Mapping, Sequence

from bvf.domain.generation import TextsRead
from bvf.domain.groups import Selection
from bvf.results.compatible import in_words, options_of
from bvf.results.result import ResultBase, names_of
from bvf.results.store import NOT_STORED
from bvf.stats.sampling.samples import ContextSample
from bvf.study.sample import ROUNDING
from bvf.study.uncertainty import Uncertainty
from bvf.tables.words import between, counted, percent, these

EACH_BY_ITSELF = "Each interval is for one model alone: `bvf compare` tests which models differ."
UNITS = {"document": "documents", "occurrence": "occurrences", "template": "templates of equal weight"}


def where_the_rest_is(results: Sequence[ResultBase], plugins: Sequence[str] = ()) -> list[str]:
    """Return notes of results that are not stored, and the command that shows all details of stored ones.

    The command names ``plugins`` where results are not those of their runs.
    """
    unstored = [result for result in results if result.folder is None or NOT_STORED in result.notes]
    shared = [set(result.notes) for result in results]
    names = dict(zip(map(id, results), names_of(results), strict=True))
    notes = dict.fromkeys(
        f"note: {sentence}" if all(sentence in notes for notes in shared) else f"note: {names[id(result)]}: {sentence}"
        for result in unstored
        for sentence in result.notes
    )
    folders = [str(result.folder) for result in results if result.folder]
    chosen = [["--analysis", each.kept_as] if each.kept_as else options_of(each.differs) for each in results]
    if any(each != chosen[0] for each in chosen):  # no command shows them together in one table
        folders = []
    named = [part for plugin in plugins for part in ("--plugin", plugin)] if chosen[0] else []
    shown = shlex.join([*folders, *chosen[0], *named])
    return [*notes, *([f"details: bvf show --details {shown}"] if folders else [])]


def not_of_the_run(results: Sequence[ResultBase]) -> list[str]:
    """Return a sentence per analysis that is not its run's own: its stored name and its choices."""
    named = list(zip(names_of(results), map(not_the_own, results), strict=True))
    if len(every := {said for _, said in named}) == 1:
        return list(filter(None, every))
    return [f"{name}: {said[0].lower()}{said[1:]}" for name, said in named if said]


def read_in_texts(results: Sequence[ResultBase]) -> list[str]:
    """Return a sentence per result on the texts that the model wrote, and how many of them could be read."""
    told = {
        names: f"{result.generation.described}; reader {result.reader}: {result.texts.described}{_if_few(result.texts)}"
        for names, result in zip(names_of(results), results, strict=True)
        if result.texts is not None and result.generation is not None
    }
    return [f"{sentence}." if len(results) == 1 else f"{name}: {sentence}." for name, sentence in told.items()]


def _if_few(texts: TextsRead) -> str:
    """What to do where a minority of texts was read, and refusals and filters are not why; else empty."""
    unread, kept = texts.cut + sum(texts.unread.values()), texts.refused + texts.filtered
    few = 2 * texts.read < texts.written and unread > kept
    return ". Fewer than half were read: longer texts may help (--tokens), or another --reader" if few else ""


def thought_before(results: Sequence[ResultBase]) -> list[str]:
    """Return a sentence per result on how the model thought before it answered, and what its thoughts did."""
    told = {
        names: f"{result.thinking.described}: {result.thoughts.described}"
        for names, result in zip(names_of(results), results, strict=True)
        if result.thinking is not None and result.thoughts is not None
    }
    return [f"{sentence}." if len(results) == 1 else f"{name}: {sentence}." for name, sentence in told.items()]


def in_short(warnings: Mapping[str, Sequence[str]]) -> str:
    """Return the warnings of results as a short sentence for a caption; empty if there are none.

    ``warnings`` are by the name of what they are of, which the sentence leaves out where there is one name.

    >>> in_short({"gpt2": ["intervals rest on 8 drawn contexts: they were tested for 50 and more"]})
    'Doubtful: intervals rest on 8 drawn contexts.'
    """
    shortened = [
        (name if len(warnings) > 1 else "", warning.partition(": ")[0])
        for name, of_each in warnings.items()
        for warning in of_each
    ]
    sentences = dict.fromkeys(": ".join(filter(None, each)) for each in shortened)
    return f"Doubtful: {'; '.join(sentences)}." if sentences else ""


def not_the_own(result: ResultBase) -> str:
    """Return a sentence on how an analysis differs from that of its run; empty if it is the run's own."""
    if not result.differs and not result.kept_as:
        return ""
    name = f"The analysis {result.kept_as}, not" if result.kept_as else "Another analysis than"
    return f"{name} that of the run: {in_words(result.differs) or 'the same choices'}."


def basis(result: ResultBase, sensitivity: list[str]) -> list[str]:
    """Return lines on the data of a result: groups, contexts, candidate mass, notes, folder, and ``sensitivity``."""
    mass, read = result.candidate_mass, result.texts is not None
    what = "share of texts that were read" if read else "candidate mass, the probability of all compared words"
    lines = [
        f"{result.groups_in_words()} in {counted(result.number_of_contexts, 'context')} "
        f"(effective number: {result.effective_contexts:.1f})",
        f"{what}: {mass.in_percent(mass.mean)} on average over {counted(mass.prompts, 'prompt')} "
        f"(5th percentile: {mass.in_percent(mass.quantile_05)})",
    ]
    if mass.by_format:
        lines.append(f"in each format: {mass.of_formats}")
    where = [f"results: {result.folder}"] if result.folder else []
    return [*lines, *sensitivity, *(f"note: {sentence}" for sentence in result.notes), *where]


def sensitivity(result: ResultBase, figures: Mapping[str, str]) -> list[str]:
    """Return lines on why a result has no interval, and on how much its figures depend on single templates."""
    uncertainty = result.uncertainty
    lines = [f"no interval for other texts: {uncertainty.why_none}"] if uncertainty.undefined else []
    ranges = [
        f"{called} {between(*uncertainty.leaving_one_out[name])}"
        for name, called in figures.items()
        if name in uncertainty.leaving_one_out
    ]
    if ranges:
        lines.append(f"leaving out any one context: {', '.join(ranges)}")
    others = [
        f"{called} {between(each.low, each.high)}"
        for name, called in figures.items()
        if (each := uncertainty.as_templates.get(name)) is not None
    ]
    enough = result.effective_contexts >= ContextSample.FEWEST_TEMPLATES - ROUNDING
    if others and enough and uncertainty.unit != "template":
        lines.append(f"if the templates were a sample of their kind: {', '.join(others)}")
    return lines


def what_of(results: Sequence[ResultBase]) -> list[str]:
    """Return sentences on the population of the intervals.

    There is one sentence if the population is the same for all results, else one per result.
    """
    named = zip(names_of(results), results, strict=True)
    known = [(name, each) for name, each in named if each.uncertainty.intervals]
    sentences = once_or_named((name, _what_of(each.uncertainty)) for name, each in known)
    sentences += once_or_named(
        (name, sentence)
        for name, each in known
        if each.selection
        for sentence in of_drawn_groups(each.selection, len(each.groups))
    )
    if len(results) > 1 and sentences:
        sentences.append(EACH_BY_ITSELF)
    return sentences


def once_or_named(sentences: Iterable[tuple[str, str]]) -> list[str]:
    """Return a sentence once if it is the same for all results. Otherwise, return each after the name of its result.

    >>> once_or_named([("a", "drawn"), ("b", "drawn")]), once_or_named([("a", "drawn"), ("b", "written")])
    (['drawn'], ['a: drawn', 'b: written'])
    """
    named = list(sentences)
    different = list(dict.fromkeys(sentence for _, sentence in named))
    return different if len(different) < 2 else [f"{name}: {sentence}" for name, sentence in named]


def _what_of(uncertainty: Uncertainty) -> str:
    intervals = f"Intervals of {percent(uncertainty.level)} are for {uncertainty.population}"
    if uncertainty.estimand == "names":
        return intervals
    if uncertainty.as_if:
        return f"{intervals} (effective number: {uncertainty.units:.1f})"
    unseen = ""
    if uncertainty.unseen_mass is not None:
        unseen = f"; an estimated {uncertainty.unseen_mass:.0%} of new texts use a context that is not in the set"
    return f"{intervals}: {uncertainty.drawn_from}{unseen}"


def about_intervals(result: ResultBase, things: str = "group") -> list[str]:
    """Return a sentence for the overview: the population of the intervals, or why there are none."""
    uncertainty = result.uncertainty
    if uncertainty.undefined:
        return [f"No interval for other texts: {uncertainty.why_none}."]
    if not uncertainty.intervals:
        return []
    holds = f"Intervals of {percent(uncertainty.level)} hold for {uncertainty.in_short}."
    return [holds, *of_drawn_groups(result.selection, len(result.groups), things)]


def of_drawn_groups(selection: Selection | None, number: int, things: str = "group") -> list[str]:
    """Return a sentence on intervals of ``number`` groups that were drawn; none if all were asked, or groups named."""
    if selection is None or selection.seed is None or number >= selection.of:
        return []
    all_of_them = counted(selection.of, things)
    return [f"Intervals are for {these(number, things)} alone: figures of all {all_of_them} may lie outside."]
