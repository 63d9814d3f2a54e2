"""The concepts of the paper as frozen classes: groups, attributes, contexts, prompts. No file is read here."""

from bvf.door import door

__getattr__, __dir__, __all__ = door(__name__, __file__)
