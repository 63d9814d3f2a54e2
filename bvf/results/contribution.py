"""What the parts of an analysis add to its result. They are joined, and the result is built once from all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bvf.results.result import ResultBase
from bvf.study.uncertainty import Uncertainty

R = TypeVar("R", bound=ResultBase)
Values = Mapping[str, Any]


@dataclass(frozen=True)
class Contribution:
    """What a part of an analysis adds to a result. Join contributions by ``|``; `built` makes the result.

    Args:
        fields: Values of the result, by field.
        of_groups: Values of each group, by field, in the order of the result; empty: nothing is added to groups.
        uncertainty: Values of its `Uncertainty`, by field.
        notes: What was left out or chosen, one sentence each.
        warnings: What makes figures doubtful, one sentence each.
    """

    fields: Values = field(default_factory=dict)
    of_groups: Sequence[Values] = ()
    uncertainty: Values = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __or__(self, other: "Contribution") -> "Contribution":
        """Return both as one. Sentences of the first come first; of two values of a field the second is kept."""
        pairs = zip(self.of_groups, other.of_groups, strict=True) if self.of_groups and other.of_groups else ()
        return Contribution(
            fields={**self.fields, **other.fields},
            of_groups=[{**one, **more} for one, more in pairs] or self.of_groups or other.of_groups,
            uncertainty={**self.uncertainty, **other.uncertainty},
            notes=(*self.notes, *other.notes),
            warnings=(*self.warnings, *other.warnings),
        )

    def built(self, kind: type[R]) -> R:
        """Return a result of the class ``kind`` with these values.

        Raises:
            ValidationError: A field is missing or unknown, or a figure is infinite or NaN.
        """
        return kind(
            **{
                **self.fields,
                "groups": self.of_groups,
                "uncertainty": Uncertainty(**self.uncertainty),
                "notes": self.notes,
                "warnings": self.warnings,
            }
        )

    def added_to(self, result: R) -> R:
        """Return a built result with the fields, notes and warnings of what is computed from outside its analysis."""
        notes, warnings = (*result.notes, *self.notes), (*result.warnings, *self.warnings)
        return result.model_copy(update={**self.fields, "notes": notes, "warnings": warnings})


NOTHING = Contribution()
