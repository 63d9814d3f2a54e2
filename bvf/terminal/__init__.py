"""Building blocks of commands of bvf and plugins: options, progress, and output in four formats."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
