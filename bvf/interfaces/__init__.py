"""The interfaces that plugins implement. There is one abstract class per file."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
