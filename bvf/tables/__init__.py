"""Tables of cells, and their renderers: terminal, Markdown, CSV, LaTeX, and HTML for notebooks."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
