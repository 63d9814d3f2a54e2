"""The choices of a run whose model thinks before it answers: which there are, and which go together with it."""

from bvf.domain.generation import TEMPERATURE
from bvf.domain.thought import Thinking
from bvf.errors import BvfError
from bvf.interfaces.backend import Capabilities
from bvf.measuring.config import MeasureConfig
from bvf.measuring.generated import OF_WORDS

THOUGHTS, TOKENS = 8, 256
NOT_OF_THOUGHTS = ("samples", *OF_WORDS)
"""Options that say how texts are generated, or how words are left out or stored: thoughts have neither."""


def thinking_of(config: MeasureConfig) -> Thinking | None:
    """Return how the model of a run is to think before it answers; None: it is not.

    Raises:
        BvfError: An option is for another reading, there is a single thought, or all thoughts would be the same.
    """
    if config.reading != "thought":
        if config.thoughts is not None:
            message = f"--thoughts {config.thoughts}: the model does not think with --reading {config.reading}"
            raise BvfError(message, "add --reading thought")
        return None
    for name in NOT_OF_THOUGHTS:
        value = getattr(config, name)
        if value != type(config).model_fields[name].default:
            option = f"--{name.replace('_', '-')}{'' if value is True else f' {value}'}"
            hint = "write --thoughts" if name == "samples" else "leave it out: every word is scored after each thought"
            raise BvfError(f"{option} is not for --reading thought", hint)
    return Thinking(
        thoughts=config.thoughts or THOUGHTS,
        tokens=config.tokens or TOKENS,
        temperature=TEMPERATURE if config.temperature is None else config.temperature,
        seed=config.seed,
    )


def refuse_no_thoughts(capabilities: Capabilities, backend: str) -> None:
    """Raise `BvfError` if a backend does not think."""
    if not capabilities.thinks:
        raise BvfError(
            f"--reading thought: the backend {backend} lets no model think as it is asked here",
            "a causal model thinks in a chat: --backend llama --chat-turn user, or assistant",
        )
