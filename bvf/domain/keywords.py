"""Types of keywords of functions whose fields in a configuration are texts."""

from collections.abc import Sequence
from pathlib import Path

File = str | Path
Names = str | Sequence[str | Path]
