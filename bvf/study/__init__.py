"""The input of analyses: stored probabilities, and choices of their analysis, as arrays. Nothing here reads results."""

from pathlib import Path

from bvf.door import door

__getattr__, __dir__, __all__ = door(__name__, Path(__file__).with_suffix(".pyi"))
