"""What keywords of functions take where a configuration has text."""

from collections.abc import Sequence
from pathlib import Path

File = str | Path
Names = str | Sequence[str | Path]
