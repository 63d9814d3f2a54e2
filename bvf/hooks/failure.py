"""Explains an unexpected error by naming the plugin that failed, or bvf."""

import sys
import traceback
from errno import ENAMETOOLONG
from typing import TypeGuard

from bvf.errors import BvfError, PluginError, error_text

SHOWN = 40
"""The characters of a name that is too long which a message shows."""


def explained(error: BaseException) -> BvfError:
    """Return a `BvfError` for an unexpected error. It names the innermost plugin in the traceback, else bvf.

    A name that is too long for the file system is the user's, wherever it was first looked up.
    """
    if is_long_name(error):
        return BvfError(f"{str(error.filename)[:SHOWN]}...: no file can have a name this long", "give a shorter name")
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        plugin = _plugin_of(str(frame.f_globals.get("__name__", "")))
        if plugin:
            where = f"{frame.f_code.co_filename}, line {line}"
            return PluginError(
                f"plugin {plugin}: {error_text(error)}", f"it failed at {where}; --debug shows the traceback"
            )
    return BvfError(f"bvf failed: {error_text(error)}", "this is a bug of bvf; --debug shows where")


def is_long_name(error: BaseException) -> TypeGuard[OSError]:
    """Whether an error says that the name of a file is longer than the file system allows."""
    return isinstance(error, OSError) and error.errno == ENAMETOOLONG and error.filename is not None


def _plugin_of(module: str) -> str:
    """The name of the module or enclosing package that implements a hook; empty if there is none."""
    while module:
        loaded = sys.modules.get(module)
        if loaded is not None and any(
            name.startswith("bvf_") and hasattr(value, "bvf_impl") for name, value in vars(loaded).items()
        ):
            return module
        module = module.rpartition(".")[0]
    return ""
