"""The mathematics and statistics of the framework, as functions of numpy arrays."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
