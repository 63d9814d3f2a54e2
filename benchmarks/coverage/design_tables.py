"""The tables of hard designs: draws from a set, models compared in them, certain groups."""

from tables import QUANTITIES, RISKS, Record, by_size, held, markdown, percent, samples, section, values


def draws(cells: list[Record]) -> str:
    """Coverage where contexts are drawn from a set."""
    lines = [["drawn", *QUANTITIES.values()], *by_size(cells, lambda cell: (cell["drawn"],), held(*QUANTITIES))]
    return section(
        "Draws from a set, and few documents",
        "20 groups; contexts are drawn from a set that is a sample itself: of occurrences, or of documents in which an "
        "occurrence is the favourite template with probability .6. R^b: "
        f"{values(cells, 'bias')}. {samples(cells)}",
        markdown(lines),
    )


def nulls_of_draws(cells: list[Record]) -> str:
    """Sizes of the test of R^b where contexts are drawn from a set."""
    lines = [["drawn", "R^b found different"], *([cell["drawn"], percent(cell["R_bias"])] for cell in cells)]
    return section(
        "Two fair models in draws from a set",
        f"60 groups that share nothing; the second model is twice as volatile. {samples(cells)}",
        markdown(lines),
    )


def certain(cells: list[Record]) -> str:
    """Coverage of figures of groups that are nearly certain."""
    of_groups = {"r": "r", "r_bias": "r^b", "particular": "particular"}
    names = {**of_groups, **{name: QUANTITIES[name] for name in RISKS}}
    by_logits = by_size(cells, lambda cell: (f"{cell['lean']:g} ± {cell['spread']:g}",), held(*names))
    lines = zip(["logits", *names.values()], *by_logits, strict=True)
    return section(
        "Groups that are nearly certain",
        "Logits of 20 groups are normal, half of the groups with the opposite sign: most contexts give a probability "
        "near 0 or 1. Coverage of r, r^b and the particular risk is averaged over groups. "
        f"n: {values(cells, 'n')}. {samples(cells)}",
        markdown(list(map(list, lines))),
    )


def one_side(cells: list[Record]) -> str:
    """Coverage where all groups lean to the same side by little more than a standard error."""
    lines = [["groups, R^b", "in common", *QUANTITIES.values()]]
    for cell in cells:
        shares = [percent(cell[name]["coverage"]) for name in QUANTITIES]
        lines.append([f"{cell['groups']}, {cell['bias']:g}", f"{cell['shared']:g}", *shares])
    return section(
        "All groups lean a little to the same side",
        "Each group leans by .8 (R^b .035), 1.2 (.05) or 1.4 (.06) of its standard errors. If contexts move all "
        f"groups together, a sample may have all near 0. n: {values(cells, 'n')}. {samples(cells)}",
        markdown(lines),
    )


def heavy_tails(cells: list[Record]) -> str:
    """Coverage where few contexts have a large part in R, and where nothing changes sides."""
    lines = [
        ["logits, classes", *(QUANTITIES[name] for name in RISKS)],
        *by_size(cells, lambda cell: (f"{cell['tails']}, {cell['classes']}",), held(*RISKS)),
    ]
    return section(
        "Heavy tails, and groups that never change sides",
        "Logits of 20 groups have the tails of Student's t with 2 degrees of freedom, R^b is .1; or groups lean to "
        "one class by .3 to .9 in every context, so that R^v is 0. "
        f"n: {values(cells, 'n')}. {samples(cells)}",
        markdown(lines),
    )


COVERAGE = {"draws": draws, "certain": certain, "one side": one_side, "heavy tails": heavy_tails}
COMPARISONS = {"nulls of draws": nulls_of_draws}
