"""The names that plugins may import from `bvf.hooks`. Each is imported when it is first used."""

from bvf.hooks.contained import warn as warn
from bvf.hooks.failure import place_in_plugin as place_in_plugin
from bvf.hooks.installed import offered_by as offered_by
from bvf.hooks.loader import Plugins as Plugins
from bvf.hooks.provider import imported as imported
from bvf.hooks.registry import Entry as Entry
