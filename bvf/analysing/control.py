"""How a study stands to a control: a topic in which nobody expects a stereotype, asked of the same groups."""

from pydantic import BaseModel, ConfigDict, Field


class ControlResult(BaseModel):
    """A control topic of a study, analysed as the study is.

    Its R is not 0 on real models: some words are likelier than others, whatever the group is.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    topic: str
    measurement: str = Field(description="Digest of the identity of its measurement")
    contexts: str = Field(description="The context set that it was asked in")
    number_of_contexts: int
    same_contexts: bool = Field(
        description="Whether these are the contexts of the study, by the same draw: then differences are paired"
    )
    R: float
    R_bias: float
    R_volatility: float
    difference: float = Field(description="R of the study less R of the control")
    ratio: float | None = Field(description="R of the study over R of the control; null: the latter is 0")
    intervals: dict[str, tuple[float, float]] = Field(
        {}, description="Ends by the name of the field, at the level of the study"
    )
    undefined: str = Field(
        "", description="Why its own figures have no interval: the ratio and the difference then take its R as it is"
    )
    warnings: tuple[str, ...] = Field((), description="What makes its figures doubtful, one sentence each")
    as_templates: dict[str, tuple[float, float]] = Field(
        {}, description="Ends of ratio and difference if the templates of both themselves were samples"
    )
