"""What depends on the choice of words, in lines."""

from collections.abc import Sequence

from bvf.analysing.formatting import between, decimals
from bvf.analysing.result import Result, WordFigures
from bvf.analysing.risk_intervals import RISK

CALLED = dict(zip(RISK, ("R", "R^b", "R^v"), strict=True))
MOST_OF_A_CLASS = 0.9
WORDS_SHOWN = 3


def word_lines(result: Result) -> list[str]:
    """Return which words bring the probability of each class, and the ranges of R, R^b and R^v with other words."""
    if result.word_lists is None:
        return []
    words, halved = result.word_lists.of_words, result.word_lists.halved
    lines = [f"words that carry {'; '.join(_carried(words, attribute) for attribute in result.words)}"]
    without = [f"{called} {_ends(words, name)}" for name, called in CALLED.items() if _with(words, name)]
    if without:
        lines.append(f"without any one word: {', '.join(without)}")
    if halved:
        ranges = [f"{called} {between(*halved[name])}" for name, called in CALLED.items()]
        lines.append(f"with a random half of each class's words, 90 of 100 times: {', '.join(ranges)}")
    return lines


def _carried(words: Sequence[WordFigures], attribute: str) -> str:
    """The words that bring most of the probability of a class."""
    of_class = sorted((word for word in words if word.attribute == attribute), key=lambda word: -(word.share or 0.0))
    shown, together = list[str](), 0.0
    for word in of_class[:WORDS_SHOWN]:
        if together < MOST_OF_A_CLASS and word.share:
            shown.append(f"{word.word} {word.share:.0%}")
            together += word.share
    others = f", {len(of_class) - len(shown)} others the rest" if len(shown) < len(of_class) else ""
    return f"{attribute}: {', '.join(shown)}{others}"


def _with(words: Sequence[WordFigures], name: str) -> list[WordFigures]:
    """The words without which the figure is known, from the one with the smallest figure."""
    return sorted((word for word in words if getattr(word, name) is not None), key=lambda word: getattr(word, name))


def _ends(words: Sequence[WordFigures], name: str) -> str:
    """The smallest and the largest figure, each with the word that is left out there."""
    in_order = _with(words, name)
    return " to ".join(f"{decimals(getattr(word, name))[0]} ({word.word})" for word in (in_order[0], in_order[-1]))
