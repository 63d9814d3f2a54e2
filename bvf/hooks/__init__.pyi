"""The names that plugins may import from `bvf.hooks`. Each is imported when it is first used."""

# ruff: noqa: TID252 - lazy_loader reads relative imports only

from .importing import imported as imported
from .loader import Plugins as Plugins
from .registry import Entry as Entry
