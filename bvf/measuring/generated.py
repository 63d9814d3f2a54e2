"""The choices of a run that lets a model write texts: which there are, and which go together with it."""

from bvf.domain.generation import Generation, generation
from bvf.errors import BvfError
from bvf.interfaces.backend import Capabilities
from bvf.measuring.config import MeasureConfig

OF_TEXTS = ("samples", "tokens", "temperature")
"""Options that say how texts are generated."""
OF_WORDS = ("tolerance", "keep_words")
"""Options that say how the probabilities of words are computed or stored."""


def generation_of(config: MeasureConfig) -> Generation | None:
    """Return how the model of a run is to write texts; None: it is asked for probabilities of words.

    Raises:
        BvfError: An option is for the other reading, or several texts are asked for at temperature 0.
    """
    if config.reading == "thought":
        return None
    generated = config.reading == "generated"
    for name in OF_WORDS if generated else OF_TEXTS:
        if getattr(config, name) != type(config).model_fields[name].default:
            option = f"--{name.replace('_', '-')}{'' if name == 'keep_words' else f' {getattr(config, name)}'}"
            if generated:
                raise BvfError(
                    f"{option}: no probability of a word is computed with --reading generated", "leave it out"
                )
            raise BvfError(f"{option}: the model writes no text with --reading probable", "add --reading generated")
    if not generated:
        return None
    return generation(config.samples, config.tokens, config.temperature, config.seed)


def refuse_no_texts(capabilities: Capabilities, backend: str) -> None:
    """Raise `BvfError` if a backend cannot write texts."""
    if not capabilities.writes_texts:
        raise BvfError(
            f"--reading generated: the backend {backend} writes no texts",
            "choose a causal model, or a server: bvf backends",
        )
