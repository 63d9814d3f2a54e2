"""The tables of hard designs: draws from a set, models compared in them, certain groups."""

from tables import QUANTITIES, RISKS, Record, by_size, held, markdown, percent, samples, section, values


def draws(cells: list[Record]) -> str:
    """Coverage where contexts are drawn from a set."""
    lines = [["drawn", *QUANTITIES.values()], *by_size(cells, lambda cell: (cell["drawn"],), held(*QUANTITIES))]
    largest = max(cells, key=lambda cell: abs(cell["R_bias"]["cross_fit_error"]))
    error = f"{largest['R_bias']['cross_fit_error']:+.4f} ± {largest['R_bias']['cross_fit_error_se']:.4f}"
    return section(
        "Draws from a set, and few documents",
        "20 groups; contexts are drawn from a set that is a sample itself: of occurrences, or of documents in which an "
        "occurrence is the document's favourite template with the probability .6. The figures of each cell have R^b of "
        f"{values(cells, 'bias')}. {samples(cells)}",
        markdown(lines),
        f"The mean error of the cross-fit of R^b is largest at R^b {largest['bias']:g} in {largest['drawn']}: {error}.",
    )


def nulls_of_draws(cells: list[Record]) -> str:
    """Sizes of the test of R^b where contexts are drawn from a set."""
    found = ", ".join(f"{percent(cell['R_bias'])} ({cell['drawn']})" for cell in cells)
    return section(
        "Two fair models in draws from a set",
        "60 groups that share nothing; the second model is twice as volatile. Percentage of samples in which R^b is "
        f"found different at 5 %: {found}. {samples(cells)}",
    )


def certain(cells: list[Record]) -> str:
    """Coverage of figures of groups that are nearly certain."""
    of_groups = {"r": "r", "r_bias": "r^b", "particular": "particular"}
    names = {**of_groups, **{name: QUANTITIES[name] for name in RISKS}}
    figures = [*held(*names), lambda cell: f"{cell['r']['width']:.3f}"]
    by_logits = by_size(cells, lambda cell: (f"{cell['lean']:g} ± {cell['spread']:g}",), figures)
    lines = zip(["logits", *names.values(), "width of r"], *by_logits, strict=True)
    return section(
        "Groups that are nearly certain",
        "Logits of 20 groups are normal, half of the groups with the opposite sign; most contexts give a probability "
        "near 0 or 1, and rare ones do not. r, r^b and what sets a group apart are averages over the groups. "
        f"Each cell has n of {values(cells, 'n')}. {samples(cells)}",
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
        "The lean of each group is .8 (R^b .035), 1.2 (.05) or 1.4 (.06) of its standard errors. If contexts move all "
        f"groups together, the sample may have all of them near 0. n is {values(cells, 'n')}. {samples(cells)}",
        markdown(lines),
    )


def heavy_tails(cells: list[Record]) -> str:
    """Coverage where few contexts have a large part in R, and the upper end of R^v where nothing changes sides."""
    figures = [
        *held(*RISKS),
        lambda cell: percent(cell["R"]["too_low"]),
        lambda cell: f"{cell['R_volatility']['width']:.3f}",
    ]
    lines = [
        ["logits, classes", *(QUANTITIES[name] for name in RISKS), "R missed above", "width of R^v"],
        *by_size(cells, lambda cell: (f"{cell['tails']}, {cell['classes']}",), figures),
    ]
    return section(
        "Heavy tails, and groups that never change sides",
        "20 groups. Logits have the tails of Student's t with 2 degrees of freedom, R^b is .1; or groups lean to one "
        f"class by .3 to .9 in every context, so that R^v is 0. *Missed above*: the truth is above. "
        f"Each cell has n of {values(cells, 'n')}. {samples(cells)}",
        markdown(lines),
    )


COVERAGE = {"draws": draws, "certain": certain, "one side": one_side, "heavy tails": heavy_tails}
COMPARISONS = {"nulls of draws": nulls_of_draws}
