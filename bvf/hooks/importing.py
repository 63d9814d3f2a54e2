"""Imports an object by the name of its module and its name in the module."""

import importlib.util
from typing import Any


def imported(where: str) -> Any:
    """Import and return the object that ``module:name`` names, which may be a module too."""
    name, _, attribute = where.partition(":")
    module = importlib.import_module(name)
    try:
        return getattr(module, attribute)
    except AttributeError:
        if importlib.util.find_spec(f"{name}.{attribute}") is None:
            raise
        return importlib.import_module(f"{name}.{attribute}")
