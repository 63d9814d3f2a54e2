"""The tables of hard designs: draws from a set, models compared in them, certain groups."""

import numpy as np
from tables import QUANTITIES, RISKS, Record, markdown, percent, section


def design_page(records: dict[str, list[Record]]) -> str:
    """Return the tables of these scenes that were measured."""
    tables = {
        "draws": draws,
        "nulls of draws": nulls_of_draws,
        "certain": certain,
        "one side": one_side,
        "heavy tails": heavy_tails,
    }
    return "\n\n".join(table(records[scene]) for scene, table in tables.items() if records.get(scene))


def draws(cells: list[Record]) -> str:
    """Coverage where contexts are drawn from a set."""
    head = ["drawn", "R^b", *QUANTITIES.values(), "mean error of the cross-fit of R^b"]
    lines = [head]
    for cell in cells:
        shares = [percent(cell[name]["coverage"]) for name in QUANTITIES]
        error = f"{cell['R_bias']['cross_fit_error']:+.4f} ± {cell['R_bias']['cross_fit_error_se']:.4f}"
        lines.append([cell["drawn"], f"{cell['bias']:g}", *shares, error])
    return section(
        "Draws from a set, and few documents",
        "20 groups; contexts are drawn from a set that is a sample itself: of occurrences, or of documents in which an "
        "occurrence is the document's favourite template with the probability .6. Halves are of the occurrences of the "
        f"set, not of the draws. {_measured(cells)}",
        markdown(lines),
    )


def nulls_of_draws(cells: list[Record]) -> str:
    """Sizes of the test of R^b where contexts are drawn from a set."""
    lines = [["drawn", "R^b found different"], *([cell["drawn"], percent(cell["R_bias"])] for cell in cells)]
    return section(
        "Two fair models in draws from a set",
        "60 groups that share nothing; the second model is twice as volatile. Percentage of samples in which R^b is "
        f"found different at 5 %. {_measured(cells)}",
        markdown(lines),
    )


def certain(cells: list[Record]) -> str:
    """Coverage of figures of groups that are nearly certain."""
    of_groups = {"r": "r", "r_bias": "r^b", "particular": "particular"}
    lines = [["logits", "n", *of_groups.values(), *(QUANTITIES[name] for name in RISKS), "width of r"]]
    for cell in cells:
        shares = [percent(cell[name]["coverage"]) for name in (*of_groups, *RISKS)]
        logits = f"{cell['lean']:g} ± {cell['spread']:g}"
        lines.append([logits, f"{cell['n']:,}", *shares, f"{cell['r']['width']:.3f}"])
    return section(
        "Groups that are nearly certain",
        "Logits of 20 groups are normal, half of the groups with the opposite sign; most contexts give a probability "
        "near 0 or 1, and rare ones do not. r, r^b and what sets a group apart are averages over the groups. "
        f"{_measured(cells)}",
        markdown(lines),
    )


def one_side(cells: list[Record]) -> str:
    """Coverage where all groups lean to the same side by little more than a standard error."""
    lines = [["groups, R^b", "n", "in common", *QUANTITIES.values(), "width of R^b", "width of R^v"]]
    for cell in cells:
        shares = [percent(cell[name]["coverage"]) for name in QUANTITIES]
        widths = [f"{cell[name]['width']:.4f}" for name in ("R_bias", "R_volatility")]
        facts = [f"{cell['groups']}, {cell['bias']:g}", f"{cell['n']:,}", f"{cell['shared']:g}"]
        lines.append([*facts, *shares, *widths])
    return section(
        "All groups lean a little to the same side",
        "The lean of each group is .8 (R^b .035), 1.2 (.05) or 1.4 (.06) of its standard errors. If contexts move all "
        f"groups together, the sample may have all of them near 0. {_measured(cells)}",
        markdown(lines),
    )


def heavy_tails(cells: list[Record]) -> str:
    """Coverage where few contexts have a large part in R, and the upper end of R^v where nothing changes sides."""
    lines = [["logits", "classes", "n", *(QUANTITIES[name] for name in RISKS), "R missed above", "width of R^v"]]
    for cell in cells:
        shares = [percent(cell[name]["coverage"]) for name in RISKS]
        ends = [percent(cell["R"]["too_low"]), f"{cell['R_volatility']['width']:.3f}"]
        lines.append([cell["tails"], str(cell["classes"]), f"{cell['n']:,}", *shares, *ends])
    return section(
        "Heavy tails, and groups that never change sides",
        "20 groups. Logits have the tails of Student's t with 2 degrees of freedom, R^b is .1; or groups lean to one "
        f"class by .3 to .9 in every context, so that R^v is 0. *Missed above*: the truth is above. {_measured(cells)}",
        markdown(lines),
    )


def _measured(cells: list[Record]) -> str:
    repetitions = min(cell["repetitions"] for cell in cells)
    error = 100 * np.sqrt(0.95 * 0.05 / repetitions)
    return f"{repetitions} samples a cell, standard error {error:.1f} at 95 %; {max(cell['on'] for cell in cells)}."
