"""The small models inside the pack: for trying things out and for tests, not for conclusions."""

from pathlib import Path

from bvf.interfaces.backend import ModelFolder

MODELS = Path(__file__).resolve().parent / "models"


def causal() -> ModelFolder:
    """Return the folder of the model that continues a text."""
    return ModelFolder(MODELS / "en-causal", "small English model that continues a text", "en")


def masked() -> ModelFolder:
    """Return the folder of the model that fills a mask."""
    return ModelFolder(MODELS / "en-masked", "small English model that fills a mask", "en")


def seq2seq() -> ModelFolder:
    """Return the folder of the model with an encoder and a decoder."""
    return ModelFolder(MODELS / "en-seq2seq", "small English model of encoder and decoder", "en")
