"""The names that plugins may import from `bvf.hooks`. Each is imported when it is first used."""

from bvf.hooks.importing import imported as imported
from bvf.hooks.loader import Plugins as Plugins
from bvf.hooks.registry import Entry as Entry
