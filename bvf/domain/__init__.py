"""The concepts of the paper as frozen classes: groups, attributes, contexts, prompts. No file is read here."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
