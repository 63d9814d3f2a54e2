"""The overview tables of risk results: figures, and the first and last groups in the chosen order."""

from collections.abc import Sequence

from bvf.analyses.risk.controls.tables import beside_controls, distance_of
from bvf.analyses.risk.leans import groups_in_order
from bvf.analyses.risk.result import Result
from bvf.analyses.risk.sentences import changes_of_side, common_lean, if_alike, leans, off_without_a_unit
from bvf.analyses.risk.tables import lean_columns, title_of
from bvf.domain.scale import ends_at_1
from bvf.hooks.loader import load
from bvf.interfaces.analysis import View
from bvf.interfaces.section import Section
from bvf.results.columns import PLACES, ends_of_groups, group_columns, interval_of, model_of
from bvf.results.overview import FirstFigure, figures_section, models_section
from bvf.study.averages import CONTEXT_VOLATILITY, RISK, THOUGHT_VOLATILITY
from bvf.study.found import control_topics_of
from bvf.tables.columns import figure, table
from bvf.tables.quantities import BY_FIELD, symbols
from bvf.tables.words import decimals, if_rounded

PARTS = ("shared_bias", "particular_bias")


def overview(results: Sequence[Result], view: View) -> list[Section]:
    """Return tables of the figures and the groups of one result; for several results, a table with a row per result."""
    if len(results) > 1:
        columns = [figure(name, PLACES) for name in (*RISK, *PARTS)]
        return [models_section(title_of(results), results, RISK[0], columns)]
    (result,) = results
    return [_figures(result), _groups(result, view)]


def _figures(result: Result) -> Section:
    uniform = result.reference == "uniform"
    texts = {name: figure(name, PLACES).text(result) for name in RISK}
    rounded = if_rounded(*texts.values())
    words = {"R": "away from no preference"} if uniform else {}
    most = "certain of one class in every context" if uniform else "the stereotyped model"
    whole, *parts = symbols(*RISK)
    if result.context_volatility is not None and result.thought_volatility is not None:
        both = {name: figure(name, PLACES).text(result) for name in (CONTEXT_VOLATILITY, THOUGHT_VOLATILITY)}
        rounded = rounded or if_rounded(texts["R_volatility"], *both.values())
        texts |= both
    thinks = f", and {parts[1]} that of contexts and of thoughts" if result.thoughts else ""
    notes = [f"{whole} = {' + '.join(parts)}{thinks}{rounded}{f'; 1: {most}' if ends_at_1(result.scale) else ''}."]
    if result.shared_bias is not None and result.particular_bias is not None:
        texts |= zip(PARTS, decimals(result.shared_bias, result.particular_bias, places=PLACES), strict=True)
        lean = common_lean(result)
        words |= {"shared_bias": f"{BY_FIELD['shared_bias'].words}{f': {lean}' if lean else ''}"}
        volatile = decimals(result.shared_volatility, result.particular_volatility, places=PLACES)
        notes.append(f"Shared and particular ({parts[1]} {' and '.join(volatile)}) do not sum to {whole}.")
    figures = [FirstFigure(field, text, words.get(field, "")) for field, text in texts.items()]
    if off := off_without_a_unit(result):
        notes.append(f"{off[0].upper()}{off[1:]}.")
    notes += _missing_standard(result)
    return figures_section(result, title_of([result], model_of(result)), figures, _one_unit_fewer(result), notes)


def _one_unit_fewer(result: Result) -> dict[str, tuple[float, float]]:
    """The smallest and largest value of each figure, by field, over removals of one unit of words."""
    words = [word for word in result.word_lists.of_words if word.unit] if result.word_lists else []
    known = {field: [value for word in words if (value := getattr(word, field)) is not None] for field in RISK}
    return {field: (min(values), max(values)) for field, values in known.items() if values}


def _groups(result: Result, view: View) -> Section:
    by, groups = groups_in_order(result, view)
    heading = "group"
    if 0 < view.show < len(groups):
        heading = "by r, highest first" if by == "r" else "set apart most"
    names = group_columns(heading)
    return table(
        "; ".join(filter(None, (leans(result), changes_of_side(result)))),
        [*names, *lean_columns(result, by), figure(by, PLACES), interval_of(by, result, view.show)],
        ends_of_groups(groups, view.show),
        names=len(names),
        subtitle=[*result.among_words, *if_alike(result), *_controls(result)],
    )


def _controls(result: Result) -> list[str]:
    """Sentences on how different groups are from each other, in the topic and in its control topics."""
    distance = distance_of(result)
    known = [control for control in result.controls if control.apart is not None]
    if distance is None or not known:
        return beside_controls(result)
    others = ", ".join(f"{control.topic} {control.apart:.3f}" for control in known)
    return [f"Groups apart (0 to 1): {result.topic} {distance:.3f}; controls: {others}"]


def _missing_standard(result: Result) -> list[str]:
    """A sentence that names the options of a standard: other words, and control topics of the language.

    The list is empty if one was measured, and for a control.
    """
    if result.controls or result.other_words:
        return []
    groups = [group.group for group in result.groups]
    names = [each.name for each in control_topics_of(result.topic, result.language, groups, load())]
    if not names or result.topic in names:
        return []
    others = "" if result.is_sampled else "`--other-words`, "
    bare = "" if result.uncertainty.opened else "; sentences before contexts: `--openings`"
    return [f"Standards: {others}`--controls`{bare}."]
