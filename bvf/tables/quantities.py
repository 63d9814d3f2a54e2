"""All quantities such as R^b: symbols, meaning, and whether lower is better."""

from collections.abc import Sequence

from bvf.interfaces.section import Quantity
from bvf.tables.words import in_a_list

# fmt: off
OF_THINKING = (
    Quantity("context_volatility", "R^v of contexts", "$R^{v}$ of contexts",
             "Volatility risk between contexts, after thoughts are averaged", True,
             words="contexts, thoughts averaged", of_some=True),
    Quantity("thought_volatility", "R^v of thoughts", "$R^{v}$ of thoughts",
             "Volatility risk of the thoughts within a context", True,
             words="thoughts of one context", of_some=True),
)
OF_RISK = (
    Quantity("R", "R", "$R$", "Discrimination risk: how far predictions are from the unbiased ones", True,
             words="distance from p*", legend="how far predictions are from p*"),
    Quantity("R_bias", "R^b", "$R^{b}$", "Bias risk: the risk of the predictions averaged over contexts", True,
             words="what is left on average", legend="how far they still are when averaged over contexts"),
    Quantity("R_volatility", "R^v", "$R^{v}$", "Volatility risk: how much contexts contradict each other", True,
             words="contexts that disagree", legend="the rest, by which contexts contradict each other"),
    Quantity("shared_bias", "shared R^b", "shared $R^{b}$", "Bias risk of the lean that all groups have in common",
             words="groups together", legend="the lean of all groups together, on average"),
    Quantity("particular_bias", "particular R^b", "particular $R^{b}$",
             "Bias risk of what sets groups apart from each other",
             words="what sets groups apart", legend="what sets groups apart from each other, on average"),
    *OF_THINKING,
)
OF_GROUPS_OF_RISK = (
    Quantity("r", "r", "$r$", "Discrimination risk of the group", True, legend="risk of the group"),
    Quantity("r_bias", "r^b", "$r^{b}$", "Its bias risk", True, legend="of its mean over contexts"),
    Quantity("r_volatility", "r^v", "$r^{v}$", "Its volatility risk", True,
             legend="the rest, by which contexts contradict each other"),
    Quantity("particular_bias", "particular R^b", "particular $R^{b}$",
             "Bias risk of what sets the group apart from the others", legend="what sets the group apart, on average"),
    *OF_THINKING,
)
MASTERY = Quantity("mastery", "mastery", "", "Score of the true answer under the mean prediction over wordings", False,
                   words="known on average", legend="what is known on average over wordings")
EXPECTED = Quantity("expected_score", "expected", "", "Score of the true answer, averaged over wordings", False,
                    words="from one wording", legend="what one wording brings")
GAP = Quantity("confidence_gap", "gap", "", "Mastery that is lost as wordings contradict each other", True,
               words="lost to wording", legend="what is lost to inconsistency")
ACCURACY = Quantity("accuracy", "accuracy", "", "Share of subjects whose true answer is the likeliest on average",
                    False, words="right on average")
AGREEMENT = Quantity("consistency", "consistency", "", "Share of pairs of wordings with the same answer on top", False,
                     words="pairs that agree", legend="pairs of wordings that agree")
CORRECTED = Quantity("corrected_mastery", "corrected", "", "Mastery without a preference for some answers", False,
                     words="no favourites", legend="mastery without a preference for some answers")
OF_KNOWLEDGE = (MASTERY, EXPECTED, GAP, ACCURACY, AGREEMENT, CORRECTED)
APART = Quantity("apart", "apart",
                   meaning="Mean total variation of mean predictions of groups from the mean of all, cross-fit")
PARTS_OF_RISK = (
    Quantity("shared", "shared", meaning="Risk of what all groups have in common"),
    Quantity("shared_volatility", "shared R^v", meaning="Volatility risk of what all groups have in common"),
    Quantity("particular", "particular", meaning="Risk of what sets groups apart from each other"),
    Quantity("particular_volatility", "particular R^v", meaning="Volatility risk of what sets groups apart"),
    APART,
)
# fmt: on
BY_FIELD = {each.field: each for each in (*OF_GROUPS_OF_RISK, *OF_RISK, *PARTS_OF_RISK, *OF_KNOWLEDGE)}


def symbol(field: str) -> str:
    """Return the plain-text symbol of a figure's field.

    >>> symbol("R_bias"), symbol("flips_per_group")
    ('R^b', 'flips per group')
    """
    return BY_FIELD[field].symbol if field in BY_FIELD else field.replace("_", " ")


def symbols(*fields: str) -> tuple[str, ...]:
    """Return the plain-text symbols of figures' fields."""
    return tuple(map(symbol, fields))


def listed(*fields: str) -> str:
    """Return the plain-text symbols of figures, joined for a sentence.

    >>> listed("R", "R_bias", "R_volatility")
    'R, R^b and R^v'
    """
    return in_a_list(symbols(*fields))


def named(fields: Sequence[str]) -> dict[str, str]:
    """Return a dict from fields to the plain-text symbols of figures."""
    return {field: symbol(field) for field in fields}
