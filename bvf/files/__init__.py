"""Reads, checks and writes files. There is one module per file format."""

from bvf.door import door

__getattr__, __dir__, __all__ = door(__name__, __file__)
