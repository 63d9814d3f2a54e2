"""The interfaces that plugins implement. There is one abstract class per file."""

from bvf.door import door

__getattr__, __dir__, __all__ = door(__name__, __file__)
