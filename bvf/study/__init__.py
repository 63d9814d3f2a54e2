"""The input of analyses: stored probabilities, and choices of their analysis, as arrays. Nothing here reads results."""

from bvf.door import door

__getattr__, __dir__, __all__ = door(__name__, __file__)
