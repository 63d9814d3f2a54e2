"""The base class of all pydantic models that are stored or printed as JSON."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A pydantic model with immutable values; an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
