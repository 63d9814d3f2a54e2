"""The declaration of a table of benchmark answers: its factors, and which answers deviate from what is desired."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from bvf.domain.numbers import Finite
from bvf.domain.spelling import plain_letters
from bvf.errors import BvfError

SECONDS = 1.0
"""The longest search in one text. Most take microseconds; some expressions would take years."""


def check_expression(text: str) -> None:
    """Raise `ValueError` if a text is not a regular expression."""
    import regex  # which --help does without

    try:
        regex.compile(text)
    except (regex.error, RecursionError, OverflowError) as error:
        raise ValueError(f'"{text}" is not a regular expression: {error}') from error


def is_found(expression: str, text: str, where: str) -> bool:
    """Whether a regular expression is found in a text. ``where`` is the place of the text, for the message.

    Raises:
        BvfError: The search takes too long.
    """
    import regex

    try:
        return regex.search(expression, text, timeout=SECONDS) is not None
    except TimeoutError as error:
        raise BvfError(
            f'{where}: "{expression}" is not decided after {SECONDS:g} s in a text of {len(text):,} characters',
            "a repetition in a repetition, such as (a+)+, takes this long: write a+",
        ) from error


FactorType = Literal["domain", "prompt", "model"]
WHOLE = re.compile(r"(0|-?[1-9][0-9]*)\.0+")
"""A whole number as programs write it that have no whole numbers, or that have empty cells in its column."""


def value_text(value: object) -> str | None:
    r"""Return a cell's value as text; None if it is empty.

    Booleans become ``yes`` or ``no``, and whole numbers lose ``.0``.
    Letters that look alike become one (`plain_letters`). So levels that look equal are equal.

    >>> value_text(True), value_text(3.0), value_text("3.0"), value_text(" a\u200b"), value_text("")
    ('yes', '3', '3', 'a', None)
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return None if value != value else str(int(value)) if value.is_integer() else str(value)
    text = "" if value is None else plain_letters(str(value)).strip()
    whole = WHOLE.fullmatch(text)
    return whole[1] if whole else text or None


def _texts(value: object) -> object:
    """A TOML value, or each value of a list, as text. So users may write ``yes = [true, 1]``."""
    if isinstance(value, list | tuple):
        return tuple(_text(each) for each in value)
    return _text(value) if isinstance(value, bool | int | float | str) else value


def _text(value: object) -> str:
    if value != value:
        raise ValueError("nan is not a value")
    return value_text(value) or ""


def _names(value: object) -> object:
    """A TOML table whose keys are values, with its keys as text."""
    return {value_text(name) or "": each for name, each in value.items()} if isinstance(value, dict) else value


Value = Annotated[str, BeforeValidator(_texts)]
Values = Annotated[tuple[str, ...], BeforeValidator(_texts)]
Named = Annotated[dict[str, Value], BeforeValidator(_names)]


Text = Annotated[str, AfterValidator(plain_letters)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Rule(_Strict):
    """A rule for reading a factor from text: the value that it has where a regular expression matches."""

    match: Text = Field(description="A regular expression, searched in the column's text")
    value: Value = Field(min_length=1, description="What the factor is where it is found")

    @model_validator(mode="after")
    def _compiles(self) -> "Rule":
        check_expression(self.match)
        return self


class Factor(_Strict):
    """What varies between prompts: something of the domain, of the prompt's wording, or of the model."""

    type: FactorType = Field("domain", description="domain, prompt or model")
    column: Text = Field("", description="Where its values stand; empty: the column of its own name")
    values: Values = Field((), description="All that there may be; empty: those that occur")
    reference: Value = Field("", description="The value that others are compared with; empty: the most frequent")
    map: Named = Field({}, description="What a value of the column is called; others keep their name")
    rules: tuple[Rule, ...] = Field((), description="Regular expressions; the first that is found decides")
    otherwise: Value = Field("", description="The value where no rule is found; empty: that is an error")
    within: dict[Text, Values] = Field(
        {}, description="The factor is there only where another one has one of these values"
    )

    @model_validator(mode="after")
    def _one_way(self) -> "Factor":
        if self.map and self.rules:
            raise ValueError("map and rules: give one of them")
        if self.otherwise and not self.rules:
            raise ValueError("otherwise is for rules, and there are none")
        if self.values and self.reference and self.reference not in self.values:
            raise ValueError(f'the reference "{self.reference}" is not among its values')
        twice = next((value for value in self.values if self.values.count(value) > 1), None)
        if twice is not None:
            raise ValueError(f'the value "{twice}" occurs twice')
        return self


class Outcome(_Strict):
    """When an answer deviates from what is desired: a rule for yes or no, or a number that says how far it deviates."""

    column: Text = Field(min_length=1, description="Where the answer stands")
    yes: Values = Field((), description="Values that deviate; all others do not")
    differs_from: Text = Field("", description="The column of what is desired; an answer deviates where it differs")
    match: Text = Field("", description="A regular expression; an answer deviates where it is found")
    above: Finite | None = Field(None, description="A number deviates where it is above this one")
    number: bool = Field(False, description="true: the outcome is a number, and the model of it is linear")

    @model_validator(mode="after")
    def _one_way(self) -> "Outcome":
        ways = {
            "yes": bool(self.yes),
            "differs_from": bool(self.differs_from),
            "match": bool(self.match),
            "above": self.above is not None,
            "number": self.number,
        }
        said = [name for name, there in ways.items() if there]
        if len(said) > 1:
            raise ValueError(f"{said[0]} and {said[1]}: give one of them")
        if self.match:
            Rule(match=self.match, value="yes")
        return self


class Declaration(_Strict):
    """The factors of a table, its outcome, and the clusters of its prompts."""

    title: str = Field("", description="What the table is called in results")
    outcome: Outcome | None = Field(None, description="None: there are prompts and no answers yet")
    cluster: Text = Field("", description="The column that says which prompts hang together, such as their template")
    factors: dict[Text, Factor] = Field(min_length=1, description="By name, in the order of results")

    @model_validator(mode="before")
    @classmethod
    def _column_of_outcome(cls, values: Any) -> Any:
        """Expand the short form ``outcome = "column"``, which names a yes/no column."""
        if isinstance(values, dict) and isinstance(values.get("outcome"), str):
            return {**values, "outcome": {"column": values["outcome"]}}
        return values

    @model_validator(mode="after")
    def _nested_in_others(self) -> "Declaration":
        for name, factor in self.factors.items():
            for outer, values in factor.within.items():
                if outer == name or outer not in self.factors:
                    raise ValueError(f'{name} is within "{outer}", which is not another factor')
                known = self.factors[outer].values
                stray = next((value for value in values if known and value not in known), None)
                if stray is not None:
                    raise ValueError(f'{name} is within {outer} = "{stray}", which is not a value of {outer}')
                if self.factors[outer].within:
                    raise ValueError(f"{name} is within {outer}, which is nested itself: name the outermost factor")
        return self

    def column_of(self, name: str) -> str:
        """Return the name of the column that a factor is read from."""
        return self.factors[name].column or name
