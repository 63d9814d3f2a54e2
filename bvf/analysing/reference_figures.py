"""Figures of the reference models, to compare a result with."""

from pydantic import BaseModel, ConfigDict


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class ReferenceRow(_Frozen):
    """R, R^b and R^v of a reference model, in the limit of infinitely many contexts."""

    name: str
    R: float
    R_bias: float
    R_volatility: float


class KnowledgeRow(_Frozen):
    """Mastery, confidence gap, accuracy and consistency of a reference model, in the same limit."""

    name: str
    mastery: float
    gap: float
    accuracy: float
    consistency: float
