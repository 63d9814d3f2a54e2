"""The options of the miners that read with Stanza."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bvf.interfaces.miner import MiningRequest


class StanzaOptions(BaseModel):
    """Which models Stanza reads with, and what decides whom a pronoun means."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stanza: str = Field(
        default="",
        description="Folder of Stanza's models, or default for Stanza's own; the pack's small ones if not said.",
    )
    coref: Literal["", "stanza"] = Field(
        default="", description="stanza: its coref processor says who is meant; rules of the pack if not said."
    )


def options_of(request: MiningRequest) -> StanzaOptions:
    """Return the options of a request; the defaults where it has none."""
    chosen = request.options
    return chosen if isinstance(chosen, StanzaOptions) else StanzaOptions()
