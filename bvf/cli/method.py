"""Options that several commands take."""

from typing import Annotated

from bvf.terminal.options import option

NOT_COMPARED = ("distractors", "seed")
"""Fields of an analysis that commands do not take which compare figures or hold them to limits."""
Plugin = Annotated[list[str] | None, option("plugin")]
Without = Annotated[list[str] | None, option("without")]
