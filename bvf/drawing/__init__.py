"""Code shared by all pictures: fonts, colours, rows, axes, names, plotly figures, and files."""

from pathlib import Path

from bvf.door import door

__getattr__, __dir__, __all__ = door(__name__, Path(__file__).with_suffix(".pyi"))
