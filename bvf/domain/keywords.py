"""Types of keyword arguments whose values a configuration stores as text."""

from collections.abc import Sequence
from pathlib import Path

File = str | Path
Names = str | Sequence[str | Path]
