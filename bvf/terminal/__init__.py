"""Building blocks of commands of bvf and plugins: options, progress, and output in four formats."""

from bvf.door import door

__getattr__, __dir__, __all__ = door(__name__, __file__)
