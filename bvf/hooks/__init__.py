"""The hooks that plugins implement, and the code that finds and loads plugins."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
