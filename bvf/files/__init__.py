"""Reads, checks and writes files. There is one module per file format."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
