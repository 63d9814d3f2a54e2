"""The result of comparing a study with a control: the same groups on a topic without a known stereotype."""

from pydantic import Field

from bvf.domain.numbers import Count, Finite, Record


class ControlGroup(Record):
    """A group of the study, with its figures on the control topic."""

    group: str
    r: Finite
    r_bias: Finite
    r_volatility: Finite
    apart: Finite | None = Field(
        None,
        description="Total variation of its mean prediction from the mean over groups, as ``apart`` of the control",
    )
    apart_in_topic: Finite | None = Field(None, description="The same for the topic itself")


class ControlResult(Record):
    """A control topic of a study, analysed as the study is.

    Its R is not 0 on real models: some words are likelier than others, whatever the group is.
    """

    topic: str
    measurement: str = Field(description="Digest of the identity of its measurement")
    contexts: str = Field(description="The context set that it was asked in")
    number_of_contexts: Count
    same_contexts: bool = Field(
        description="Whether these are the contexts of the study, by the same draw: then differences are paired"
    )
    R: Finite
    R_bias: Finite
    R_volatility: Finite
    difference: Finite = Field(description="R of the study less R of the control")
    ratio: Finite | None = Field(description="R of the study over R of the control; null: the latter is 0")
    bias_difference: Finite | None = Field(None, description="R^b of the run less that of the control")
    bias_ratio: Finite | None = None
    particular_bias: Finite | None = Field(
        None, description="The bias risk of what sets groups apart, in the control; null for one group"
    )
    particular_bias_difference: Finite | None = Field(None, description="That of the study less that of the control")
    particular_bias_ratio: Finite | None = None
    apart: Finite | None = Field(
        None,
        description="Total variation of the mean predictions of groups from the mean over groups, on average over "
        "groups of the control: 0 to 1 for any number of classes and any criterion; null for one group. Cross-fit over "
        "halves of the contexts, also of sentences that were written, unless the contexts of the study are no sample; "
        "an estimate below 0 counts as 0",
    )
    apart_difference: Finite | None = Field(None, description="That of the study, estimated alike, less this")
    apart_ratio: Finite | None = None
    classes: Count | None = Field(None, description="How many the control has")
    intervals: dict[str, tuple[Finite, Finite]] = Field(
        {}, description="Ends by the name of the field, at the level of the study; apart_in_topic: of the study itself"
    )
    undefined: str = Field(
        "",
        description="Why its own figures have no interval; in ``apart`` and intervals of ratios and differences its "
        "templates then count as a sample of their kind",
    )
    groups: tuple[ControlGroup, ...] = Field((), description="In the order of the study")
    warnings: tuple[str, ...] = Field((), description="What makes its figures doubtful, one sentence each")
    as_templates: dict[str, tuple[Finite, Finite]] = Field(
        {}, description="Ends of ratio and difference if the templates of both themselves were samples"
    )
