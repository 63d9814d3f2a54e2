"""The mathematics and statistics of the framework, as functions of numpy arrays."""

from bvf.door import door

__getattr__, __dir__, __all__ = door(__name__, __file__)
