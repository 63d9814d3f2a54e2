"""A door: a package whose stub lists the names that others may import. Each is imported when it is first used."""

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

LISTED = re.compile(r"^from (\S+) import (\w+) as \2$", re.MULTILINE)
"""A line of a stub: where a name is defined, and the name."""


def door(package: str, file: str | Path) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package with the names in the stub of ``file``."""
    homes = {name: module for module, name in LISTED.findall(Path(file).with_suffix(".pyi").read_text("utf-8"))}

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    return get, lambda: sorted(homes), sorted(homes)
