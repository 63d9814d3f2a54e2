"""Code shared by all pictures: fonts, colours, rows, axes, names, plotly figures, and files."""

from bvf.door import door

__getattr__, __dir__, __all__ = door(__name__, __file__)
