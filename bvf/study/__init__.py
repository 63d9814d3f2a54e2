"""The input of analyses: stored probabilities, and choices of their analysis, as arrays. Nothing here reads results."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
