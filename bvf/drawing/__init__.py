"""Code shared by all pictures: fonts, colours, rows, axes, names, plotly figures, and files."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
