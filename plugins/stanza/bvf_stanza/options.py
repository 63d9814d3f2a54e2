"""The options of the miners that parse with Stanza."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bvf.interfaces import MiningRequest
from bvf_stanza.attributes import Place


class StanzaOptions(BaseModel):
    """The models that Stanza reads with, what decides whom a pronoun means, and where an attribute stands."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stanza: str = Field(
        default="",
        description="Folder of Stanza's models, or default for Stanza's own; the pack's small ones if empty.",
    )
    coref: Literal["", "stanza"] = Field(
        default="", description="stanza: its coref processor decides who is meant; if empty, rules of the pack do."
    )
    attribute: Place = Field(
        default="both",
        description="Of topics without pronouns: before (only sentences in which a word of Y describes the subject, "
        "as in the young engineer), after ([Y] ends the template), or both.",
    )
    cues: Literal["drop", "keep"] = Field(
        default="drop",
        description="Of topics with pronouns, templates in which a word tells of Y (gown), or that name a second "
        "person whom the word of Y may mean (told someone): drop, or keep, with what it is in a column.",
    )


def options_of(request: MiningRequest) -> StanzaOptions:
    """Return the options of a request, or the defaults."""
    return request.options if isinstance(request.options, StanzaOptions) else StanzaOptions()
