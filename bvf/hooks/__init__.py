"""The hooks that plugins implement, and the code that finds and loads plugins."""

from bvf.door import door

__getattr__, __dir__, __all__ = door(__name__, __file__)
