"""The interfaces that plugins implement. There is one abstract class per file."""

from pathlib import Path

from bvf.door import door

__getattr__, __dir__, __all__ = door(__name__, Path(__file__).with_suffix(".pyi"))
