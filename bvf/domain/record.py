"""The base class of everything that is stored or printed as JSON."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """Values that never change, under names of which none is unknown."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
