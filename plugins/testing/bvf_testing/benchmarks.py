"""Checks of benchmarks, on the few sample items that come with them."""

from dataclasses import dataclass
from pathlib import Path

from bvf_factors.reading.declared import DeclaredReader

from bvf import Benchmark, BvfError
from bvf.domain import Declaration
from bvf.files import Row
from bvf.interfaces import Answer, Item, Score, Text
from bvf_testing.check import Check, checks_of, require

FEWEST_CHOICES = 2
TEXTS = (Text("", {"liked": 0.0}), Text("she said that he was there.", {"liked": 1.0}))
ELSEWHERE = Path("nowhere", "to", "be", "found")


@dataclass(frozen=True)
class Tried:
    """A benchmark to check, whose methods make the items of its sample and answers to them."""

    benchmark: Benchmark

    def items(self) -> list[Item]:
        """Return the items of the benchmark's sample."""
        return list(self.benchmark.items(Path(str(self.benchmark.sample))))

    def answers(self, choice: int) -> list[Answer]:
        """Return answers to all items that prefer the choice with the index ``choice`` modulo the number of choices.

        Where texts are asked for, each item has two: an empty one and one of a few words.
        """
        if self.benchmark.asks == "texts":
            return [Answer(item, texts=TEXTS) for item in self.items()]
        return [
            Answer(item, tuple(float(index == choice % len(item.choices)) for index in range(len(item.choices))))
            for item in self.items()
        ]

    def ties(self) -> list[Answer]:
        """Return answers to all items that prefer no choice, or have no text."""
        return [Answer(item, (0.0,) * len(item.choices)) for item in self.items()]


def benchmark_checks(benchmark: Benchmark) -> list[Check]:
    """Return the checks of a benchmark.

    The origin has a url, a licence and a citation; the sample has items with distinct ids and choices; every answer,
    also a tie, makes a row with all columns of the declaration; scores are numbers or None, and none occurs twice;
    missing data give a `bvf.BvfError`.

    Args:
        benchmark: The benchmark, as its provider makes it.
    """
    return checks_of(BENCHMARK_CHECKS, Tried(benchmark))


def it_says_where_its_data_come_from(tried: Tried) -> None:
    """``origin`` has a url, a licence and a citation."""
    origin = tried.benchmark.origin
    for name in ("url", "licence", "citation"):
        require(bool(getattr(origin, name).strip()), f"origin has no {name}")
    require(bool(tried.benchmark.title.strip()), "it has no title")
    require(isinstance(tried.benchmark.declaration, Declaration), "declaration is not a Declaration of factors")


def the_sample_has_items(tried: Tried) -> None:
    """Each item has a unique id and at least two choices, all different; reading twice gives the same items.

    Where texts are asked for, each has a text to continue, and no choices.
    """
    items = tried.items()
    require(bool(items), "its sample has no items")
    require(len({item.id for item in items}) == len(items), "two items have one id")
    for item in items:
        if tried.benchmark.asks == "texts":
            require(bool(item.left.strip()) and not item.choices, f"{item.id}: it has choices, or nothing to continue")
            continue
        differ = len(set(item.choices)) == len(item.choices) >= FEWEST_CHOICES
        require(differ, f"{item.id}: its choices are {item.choices}")
    require([item.id for item in items] == [item.id for item in tried.items()], "items differ the second time")


def answers_make_a_table(tried: Tried) -> None:
    """The row of each answer has all declared columns with declared values; some answers have an outcome."""
    most = max(1, *(len(item.choices) for item in tried.items()))
    decided = [_outcomes(tried, tried.answers(choice)) for choice in range(most)]
    require(any(decided), "whatever is chosen, no answer has an outcome")


def ties_are_no_outcome(tried: Tried) -> None:
    """An answer that prefers no choice makes a row too, whose outcome may be missing."""
    _outcomes(tried, tried.ties())


def scores_are_numbers_or_undefined(tried: Tried) -> None:
    """An undefined score is None, never NaN; no score occurs twice."""
    for answers in (tried.answers(0), tried.answers(-1), tried.ties(), tried.answers(0)[:1]):
        scores = tried.benchmark.scores(answers)
        require(bool(scores), "it has no scores")
        for score in scores:
            require(isinstance(score, Score), f"scores has a {type(score).__name__}")
            number = score.value is None or score.value - score.value == 0.0
            require(number, f"{score.name} is {score.value}; what is undefined is None")
            require(score.items >= 0, f"{score.name} rests on {score.items} items")
        keys = [(score.name, *sorted(score.of.items())) for score in scores]
        require(len(set(keys)) == len(keys), "a score occurs twice")


def data_that_are_not_there_are_refused(tried: Tried) -> None:
    """A folder that does not exist gives a `bvf.BvfError`, not another error."""
    try:
        list(tried.benchmark.items(ELSEWHERE))
    except BvfError:
        return
    require(False, f"items of {ELSEWHERE} are not refused")


def _outcomes(tried: Tried, answers: list[Answer]) -> int:
    """Count the answers with an outcome. The row of each is read as declared, and one that cannot be read fails."""
    reader, decided = DeclaredReader(tried.benchmark.declaration), 0
    for each in answers:
        for answer in each.text_by_text:
            row = Row(f"the row of {each.item.id}", dict(tried.benchmark.row(answer)))
            try:
                reader.levels(row)
                decided += reader.outcome is not None and reader.outcome.value(row) is not None
            except BvfError as error:
                require(False, error.message)
    return decided


BENCHMARK_CHECKS = (
    it_says_where_its_data_come_from,
    the_sample_has_items,
    answers_make_a_table,
    ties_are_no_outcome,
    scores_are_numbers_or_undefined,
    data_that_are_not_there_are_refused,
)
