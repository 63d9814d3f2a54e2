"""The small models inside the pack: for trying things out and for tests, not for conclusions."""

from pathlib import Path

from bvf.interfaces.backend import ModelFolder

MODELS = Path(__file__).resolve().parent / "models"


def causal() -> ModelFolder:
    """Return the folder of the model that continues a text."""
    return ModelFolder(MODELS / "zh-causal", "small Chinese model that continues a text", "zh")


def masked() -> ModelFolder:
    """Return the folder of the model that fills a mask."""
    return ModelFolder(MODELS / "zh-masked", "small Chinese model that fills a mask", "zh")
