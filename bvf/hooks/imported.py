"""Imports an object by the name of its module and its name in the module."""

import importlib
from typing import Any


def imported(where: str) -> Any:
    """Import and return the object that ``module:name`` names."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)
