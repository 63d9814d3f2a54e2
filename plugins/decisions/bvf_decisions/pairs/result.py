"""The result of the analysis of pairs: who is meant of two people, and tables of it."""

from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from bvf import ResultBase, Section
from bvf.domain import Finite, Record, Share
from bvf.results import model_in_title, result_columns
from bvf.tables import Column, between, both_ends, correlation, counted, p_value, table

if TYPE_CHECKING:
    import pandas as pd


class Scored(Record):
    """Log odds of two people in one text and, on the same scale, of each alone."""

    score: Finite
    low: Finite | None = Field(None, description="Lower end of the interval of the score; null: not known")
    high: Finite | None = None
    alone: Finite | None = Field(None, description="The same from texts about one person; null: not asked")
    alone_low: Finite | None = None
    alone_high: Finite | None = None
    difference: Finite | None = Field(None, description="score - alone")
    difference_low: Finite | None = None
    difference_high: Finite | None = None


class Person(Scored):
    """One group among its partners."""

    group: str
    first: Finite = Field(description="Log odds, or effect on them, where the group stands first")
    second: Finite = Field(description="The same where it stands second")
    p_value: Share | None = Field(None, description="Of the difference; adjusted by Holm for all groups")


class Pair(Scored):
    """Two groups, in both orders: the score of the group over the other one."""

    group: str
    other: str


class PairsResult(ResultBase):
    """Two people in one text, in both orders: who is meant, or which class the text then takes."""

    schema_: Literal["bvf.pairs/1"] = Field("bvf.pairs/1", alias="schema")
    question: Literal["who", "class"] = Field(description="who: one of the two is named; class: a word of a class is")
    of: str = Field(description="Of which class the log odds are: female rather than male; empty: of being meant")
    place_effect: Finite = Field(
        description="who: log odds of the first place over the second; class: by how much groups differ more (standard "
        "deviation) in the first place"
    )
    alone: str = Field(description="What was asked about one person: contexts of a topic; empty: nothing")
    correlation: Finite | None = Field(None, description="Over groups, of scores with those of each alone")
    people: tuple[Person, ...]
    pairs: tuple[Pair, ...]
    in_short: ClassVar[tuple[str, ...]] = ("place_effect",)
    metric_kind: ClassVar[str] = "pairs"

    @property
    def asked(self) -> str:
        """How many were asked: ``12 groups in 132 ordered pairs and 24 contexts``."""
        pairs, contexts = counted(len(self.groups), "ordered pair"), counted(self.number_of_contexts, "context")
        return f"{counted(len(self.people), 'group')} in {pairs} and {contexts}"

    @property
    def scored(self) -> str:
        """What a score is, in words."""
        if self.question == "class":
            return f"what a group adds to the log odds of {self.of}, in both places together"
        rather = f", where the text means {self.of}" if self.of else ""
        return f"log odds that a group is meant and not its partner{rather}; mean over partners and both orders"

    def people_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per group."""
        import pandas as pd

        return pd.DataFrame([each.model_dump() for each in self.people])


def _log_odds(value: float | None) -> str:
    return "" if value is None else f"{round(value, 2) + 0.0:+.2f}"


SCORES: tuple[Column[Scored], ...] = (
    Column("score", lambda each: _log_odds(each.score)),
    Column("interval", lambda each: between(each.low, each.high, 2), optional=True),
    Column("alone", lambda each: _log_odds(each.alone), optional=True),
    Column("difference", lambda each: _log_odds(each.difference), optional=True),
    Column("its interval", lambda each: between(each.difference_low, each.difference_high, 2), optional=True),
)


def models_section(results: Sequence[PairsResult]) -> Section:
    """Return the table with a row per result: what the place does, and how groups agree with each alone."""
    names = result_columns(results)
    columns: list[Column[PairsResult]] = [
        *names,
        Column("place", lambda each: _log_odds(each.place_effect)),
        Column("interval", lambda each: _interval(each, "place_effect"), optional=True),
        Column("correlation with alone", lambda each: correlation(each.correlation), optional=True),
        Column("its interval", lambda each: _interval(each, "correlation"), optional=True),
    ]
    return table(f"{_title(results[0])}: place in the text", columns, results, names=len(names))


def people_section(result: PairsResult, show: int = 0) -> Section:
    """Return the table with a row per group, highest score first, ``show`` of them (0: all)."""
    ordered = sorted(result.people, key=lambda each: -each.score)
    columns: list[Column[Person]] = [
        Column("group", lambda each: each.group),
        Column("first", lambda each: _log_odds(each.first)),
        Column("second", lambda each: _log_odds(each.second)),
        *SCORES,
        Column("p (Holm)", lambda each: p_value(each.p_value), optional=True),
    ]
    of_place = {"who": "log odds of first over second", "class": "how much further groups are apart when first"}
    place = f"{_log_odds(result.place_effect)}{_interval(result, 'place_effect', ' ({})')}"
    r = f"; correlation {correlation(result.correlation)}{_interval(result, 'correlation', ' ({})')}"
    notes = [
        f"Score: {result.scored}. Place: {place}, {of_place[result.question]}.",
        f"Alone: the same log odds from {result.alone}{r if result.correlation is not None else ''}.",
        f"Intervals: {result.uncertainty.population}.",
    ]
    known = (True, bool(result.alone), bool(result.uncertainty.intervals))
    title, said = f"{_title(result)}, {model_in_title(result)}", " ".join(compress(notes, known))
    return table(title, columns, both_ends(ordered, show), subtitle=[result.asked], notes=[said])


def pairs_section(result: PairsResult, show: int) -> Section:
    """Return the table of the pairs that are furthest apart, ``show`` of them (0: all)."""
    ordered = sorted(result.pairs, key=lambda each: -abs(each.score))
    columns: list[Column[Pair]] = [
        Column("group", lambda each: each.group),
        Column("over", lambda each: each.other),
        *SCORES[:-1],
    ]
    return table(f"{model_in_title(result)}: pairs", columns, ordered[: show or None], names=2)


def _interval(result: PairsResult, field: str, form: str = "{}") -> str:
    known = result.uncertainty.intervals.get(field)
    return "" if known is None else form.format(between(known.low, known.high, 2))


def _title(result: PairsResult) -> str:
    meant = f"who is meant{result.of and f', {result.of}'}" if result.question == "who" else result.of
    return f"{result.topic} ({result.language}), {meant}"
