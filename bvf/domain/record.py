"""The base class of all pydantic models that are stored or printed as JSON."""

from typing import Self

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A pydantic model with immutable values. An unknown field is an error, and so is an infinite number or NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, allow_inf_nan=False)

    def __copy__(self) -> Self:
        """Return a copy for `model_copy` without cached properties, as its fields may then be changed."""
        copied = super().__copy__()
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied
