"""Tables of how r^b and r^v are distributed over groups."""

from math import exp

from bvf.analysing.comparison_rows import p_value
from bvf.analysing.formatting import counted, decimals
from bvf.analysing.shape import FittedLaw, Shape, Shapes
from bvf.analysing.sides import told_sides
from bvf.interfaces.section import Section

PARAMETERS = {
    "normal": "mean {mean:.2g}, deviation {deviation:.2g}",
    "log-normal": "median {median:.2g}, factor {factor:.2g}",
    "Pareto": "from {smallest:.2g}, exponent {exponent:.2g}",
}
FAR_FROM_0 = "a group far from 0 cannot change sides"
"""Why r^v falls where r^b rises, for criteria of positive parts."""


def shape_sections(shapes: Shapes) -> list[Section]:
    """Return the tables of how figures of groups are distributed."""
    return [_shapes(shapes), *([] if shapes.too_few else [_laws(shapes)])]


def told_spearman(rank: float | None, sides_decide: bool) -> str:
    """Return how r^v and r^b of groups are correlated, as a sentence; nothing where that is undefined.

    Args:
        rank: Spearman's correlation.
        sides_decide: Whether groups are volatile only in so far as they change sides.

    >>> told_spearman(-0.5, sides_decide=True)
    'Rank correlation of r^v with r^b (Spearman) -0.50: a group far from 0 cannot change sides.'
    """
    if rank is None:
        return ""
    why = f": {FAR_FROM_0}" if rank < 0.0 and sides_decide else ""
    return f"Rank correlation of r^v with r^b (Spearman) {rank:+.2f}{why}."


def _shapes(shapes: Shapes) -> Section:
    said = [told_sides([(side.name, side) for side in shapes.sides], shapes.groups).removesuffix(".")]
    if shapes.measured.zero:
        said.append(
            f"{shapes.measured.zero} of {counted(shapes.groups, 'group')} have r^v = 0: {shapes.zero_share:.1%}, "
            f"{shapes.zero_low:.1%} to {shapes.zero_high:.1%} for other groups of the kind"
        )
    else:
        said.append("every group has r^v above 0")
    said.append(told_spearman(shapes.measured.spearman, shapes.sides_decide).removesuffix("."))
    notes = [
        "moved alike: every group keeps its mean prediction, and contexts move it by the deviations of all groups "
        "together. Where both rows agree, groups differ in r^v by their distance from 0 alone.",
    ]
    if shapes.spearman_of_alike is not None:
        notes.append(f"rank correlation of r^v in both rows: {shapes.spearman_of_alike:+.2f}")
    if shapes.measured.zero:
        notes.append(
            "an interval by Clopper and Pearson, as if groups were drawn at random. More contexts can only lower the "
            "share: a group that contradicted itself once has r^v above 0."
        )
    if shapes.too_few:
        notes.append(shapes.too_few)
    return Section(
        "How r^b and r^v of groups are distributed",
        ("r^v of groups", "R^v", "r^v = 0", "Spearman with r^b"),
        [_row("as measured", shapes.measured), _row("if contexts moved all groups alike", shapes.alike)],
        said=[each for each in said if each],
        notes=notes,
    )


def _row(name: str, shape: Shape) -> tuple[str, ...]:
    rank = "" if shape.spearman is None else f"{shape.spearman:+.2f}"
    return name, *decimals(shape.R_volatility), str(shape.zero), rank


def _laws(shapes: Shapes) -> Section:
    title = f"Laws of r^v in the {counted(shapes.positive, 'group')} in which it is above 0"
    best = shapes.laws[0]
    p_of = {pair.other: p_value(pair.adjusted_p) for pair in shapes.pairs if pair.law == best.law}
    rows = [
        (
            each.law,
            _parameters(each),
            f"{each.log_likelihood:.1f}",
            f"{each.log_likelihood - best.log_likelihood:+.1f}" if each is not best else "",
            p_of.get(each.law, ""),
        )
        for each in shapes.laws
    ]
    return Section(
        title,
        ("law", "parameters", "log L", "to the best", "p"),
        rows,
        said=[_best(shapes)],
        notes=[
            "log L: log-likelihood, in nats. p: Vuong's likelihood-ratio test, adjusted by Holm for three pairs. A "
            "description: the test takes groups for independent, and they share their contexts. No law is fitted to "
            "r^b, which is folded at 0."
        ],
    )


def _parameters(law: FittedLaw) -> str:
    named = law.parameters
    if law.law == "log-normal":
        named = {"median": exp(named["mean"]), "factor": exp(named["deviation"])}
    return PARAMETERS[law.law].format(**named)


def _best(shapes: Shapes) -> str:
    best = shapes.laws[0].law
    of_best = [pair for pair in shapes.pairs if pair.law == best]
    worse, tied = ([pair.other for pair in of_best if pair.decision == told] for told in ("better", "tied"))
    told = [f"better than {' and '.join(worse)}"] if worse else []
    told += [f"not told apart from {' and '.join(tied)}"] if tied else []
    return f"{best} fits best: {', '.join(told)}"
