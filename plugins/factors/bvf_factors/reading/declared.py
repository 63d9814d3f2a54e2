"""Reads declared factors and outcomes from the rows of a table of answers. Errors name the file and line of the row."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from bvf import BvfError
from bvf.domain import Declaration, Outcome, first_wrong, is_found, value_text
from bvf.errors import nearest, shortened
from bvf.files import Row

YES, NO = ("yes", "true", "1"), ("no", "false", "0")
NOT_THERE = "-"
"""The level of a nested factor in a row where the factor does not apply."""


def checked_declaration(values: dict[str, Any], where: str) -> Declaration:
    """Return the declaration (factors and outcome) that a table of fields describes.

    Raises:
        BvfError: The table of fields is not a declaration; the message names ``where`` and the field.
    """
    try:
        return Declaration.model_validate(values)
    except ValidationError as error:
        raise BvfError(
            f"{where}: {first_wrong(error)}", "python -m pydoc bvf.domain.factors says which fields there are"
        ) from error


class DeclaredReader:
    """Reads factors and outcome from rows of answers, as a `Declaration` (``factors.toml``) describes them.

    Args:
        declaration: The declaration of the factors and the outcome.
    """

    def __init__(self, declaration: Declaration) -> None:
        self.factors = {name: FactorReader(name, declaration) for name in declaration.factors}
        self.outcome = OutcomeReader(declaration.outcome) if declaration.outcome else None
        self._plain = [reader for reader in self.factors.values() if not reader.factor.within]
        self._nested = [reader for reader in self.factors.values() if reader.factor.within]
        columns = [reader.column for reader in self._plain]
        columns += [*(self.outcome.columns if self.outcome else ()), *filter(None, [declaration.cluster])]
        self._needed = tuple(dict.fromkeys(columns))

    def levels(self, row: Row) -> dict[str, str | None]:
        """Return the value of each factor in a row; None where a cell is empty.

        Raises:
            BvfError: A column is missing; or what `FactorReader.value` raises.
        """
        for column in self._needed:
            if column not in row.values:
                raise BvfError(f'{row.where}: there is no column "{column}"', nearest(column, list(row.values)))
        levels = {reader.name: reader.value(row) for reader in self._plain}
        for reader in self._nested:
            levels[reader.name] = reader.value(row) if reader.applies(levels) else NOT_THERE
        return levels


class FactorReader:
    """Reads one factor from the rows of a table.

    Args:
        name: Name of the factor.
        declaration: The declaration of all factors.
    """

    def __init__(self, name: str, declaration: Declaration) -> None:
        self.name, self.column, self.factor = name, declaration.column_of(name), declaration.factors[name]
        self._known: dict[object, str | None] = {}

    def applies(self, levels: Mapping[str, str | None]) -> bool:
        """Whether the factor applies to a row. ``levels`` are the levels of the factors in which it is nested."""
        return all(levels[outer] in values for outer, values in self.factor.within.items())

    def value(self, row: Row) -> str | None:
        """Return the factor's value in a row; None where the cell is empty.

        Raises:
            BvfError: The cell is not a single value, has a value that is not declared, or a text that no rule matches.
        """
        raw = row.values.get(self.column)
        raw = value_text(raw) if isinstance(raw, bool) else raw  # True would be found as 1
        try:
            return self._known[raw]
        except KeyError:
            level = self._known[raw] = self._named(raw, row.where)
            return level
        except TypeError:
            raise BvfError(
                f'{row.where}: column "{self.column}" of {self.name} holds a {type(raw).__name__}, not a value'
            ) from None

    def _named(self, raw: object, where: str) -> str | None:
        text, factor = value_text(raw), self.factor
        if text is None:
            return None
        if factor.rules:
            searched = _as_written(raw)
            found = (rule.value for rule in factor.rules if is_found(rule.match, searched, where))
            value = next(found, factor.otherwise)
            if not value:
                raise BvfError(
                    f'{where}: no rule of {self.name} is found in "{shortened(searched)}"',
                    'add a rule, or say what it is then: otherwise = "none"',
                )
            text = value
        text = factor.map.get(text, text)
        if factor.values and text not in factor.values:
            raise BvfError(
                f'{where}: {self.name} is "{shortened(text)}", which is not declared',
                nearest(text, list(factor.values)),
            )
        return text


class OutcomeReader:
    """Reads the outcome from the rows of a table.

    Args:
        outcome: The declared outcome.
    """

    def __init__(self, outcome: Outcome) -> None:
        self.outcome, self.column = outcome, outcome.column
        self._judge = self._way()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns from which the outcome is read."""
        return tuple(filter(None, (self.column, self.outcome.differs_from)))

    def value(self, row: Row) -> float | None:
        """Return how far an answer deviates from what is desired: 1, 0, or a number; None if a cell is empty.

        Raises:
            BvfError: The cell is not yes or no, or not a number.
        """
        text = value_text(row.values[self.column])
        return None if text is None else self._judge(text, row)

    def _way(self) -> "Callable[[str, Row], float | None]":
        outcome = self.outcome
        if outcome.yes:
            return lambda text, row: float(text in outcome.yes)
        if outcome.differs_from:
            return self._differs
        if outcome.match:
            return lambda text, row: float(
                is_found(outcome.match, _as_written(row.values[self.column]), f'{row.where}, column "{self.column}"')
            )
        if outcome.number or outcome.above is not None:
            return self._number
        return self._yes_or_no

    def _differs(self, text: str, row: Row) -> float | None:
        desired = value_text(row.values[self.outcome.differs_from])
        return None if desired is None else float(text != desired)

    def _number(self, text: str, row: Row) -> float:
        number = row.number(self.column)
        if not math.isfinite(number):
            raise BvfError(f'{row.where}: "{text}" in column "{self.column}" is not a number')
        return number if self.outcome.above is None else float(number > self.outcome.above)

    def _yes_or_no(self, text: str, row: Row) -> float:
        word = text.lower()
        if word not in (*YES, *NO):
            raise BvfError(
                f'{row.where}: the outcome is "{shortened(text)}", neither yes nor no',
                f'name the values that deviate: outcome = {{ column = "{self.column}", yes = [...] }}',
            )
        return float(word in YES)


def _as_written(value: object) -> str:
    """The text of a cell in which a regular expression is searched: ``1.0`` stays as it is written."""
    return value.strip() if isinstance(value, str) else value_text(value) or ""
