"""What all results of analyses share: intervals, figures by name, storage in files, tables."""

from bvf.door import door

__getattr__, __dir__, __all__ = door(__name__, __file__)
