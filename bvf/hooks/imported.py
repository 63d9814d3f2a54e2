"""Objects by the module and the name that they have there."""

import importlib
from typing import Any


def imported(where: str) -> Any:
    """Return the object that ``module:name`` names."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)
