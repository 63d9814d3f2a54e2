"""Imports an object by its module and its name there."""

import importlib
from typing import Any


def imported(where: str) -> Any:
    """Return the object that ``module:name`` names."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)
