"""Tables of cells, and their renderers: terminal, Markdown, CSV, LaTeX, and HTML for notebooks."""

from bvf.door import door

__getattr__, __dir__, __all__ = door(__name__, __file__)
