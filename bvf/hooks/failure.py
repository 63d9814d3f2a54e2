"""Explains an unexpected error by naming the plugin that failed, or bvf."""

import inspect
import re
import sys
import traceback
from errno import ENAMETOOLONG
from types import FrameType
from typing import TypeGuard

from bvf.errors import BvfError, PluginError, error_text

CALLED = re.compile(r"(?P<kind>[\w.]+)\.(?P<method>\w+)\(\) ")
"""How Python begins the message about a method that is called with other parameters than it has."""
SHOWN = 40
"""The characters of a name that is too long which a message shows."""


def explained(error: BaseException) -> BvfError:
    """Return a `BvfError` for an unexpected error. It names the innermost plugin in the traceback, else bvf.

    A name that is too long for the file system is the user's, wherever it was first looked up.
    """
    if is_long_name(error):
        return BvfError(f"{str(error.filename)[:SHOWN]}...: no file can have a name this long", "give a shorter name")
    plugin, where = place_in_plugin(error)
    if plugin:
        return PluginError(
            f"plugin {plugin}: {error_text(error)}", f"it failed at {where}; --debug shows the traceback"
        )
    return BvfError(f"bvf failed: {error_text(error)}", "this is a bug of bvf; --debug shows where")


def place_in_plugin(error: BaseException) -> tuple[str, str]:
    """Return the innermost plugin in the traceback of an error, and the file and line there; both empty if none is.

    An attribute that a plugin's class lacks, and a method that does not take what others give it, are found by the
    class, unless code of that plugin itself failed.
    """
    frames = list(traceback.walk_tb(error.__traceback__))
    found = _plugin_of_class(error, frames[-1][0]) if frames else ("", "")
    for frame, line in reversed(frames):
        plugin = _plugin_of(str(frame.f_globals.get("__name__", "")))
        if plugin:
            here = plugin, f"{frame.f_code.co_filename}, line {line}"
            return here if found[0] in {"", plugin} else found
    return found


def _plugin_of_class(error: BaseException, caller: FrameType) -> tuple[str, str]:
    """The plugin and the place of a class that lacks an attribute, or of a method that does not take what it gets.

    ``caller`` is where the error was raised. Both are empty if the error is another, or the class is of no plugin.
    """
    if isinstance(error, AttributeError):
        kind = error.obj if isinstance(error.obj, type) else type(error.obj)
        plugin = _plugin_of(kind.__module__)
        return (plugin, f"{inspect.getfile(kind)}, class {kind.__qualname__}") if plugin else ("", "")
    called = CALLED.match(str(error)) if isinstance(error, TypeError) else None
    for kind in map(type, caller.f_locals.values()) if called else ():
        if called and kind.__qualname__ == called["kind"] and _plugin_of(kind.__module__):
            code = inspect.unwrap(getattr(kind, called["method"])).__code__
            return _plugin_of(kind.__module__), f"{code.co_filename}, line {code.co_firstlineno}"
    return "", ""


def is_long_name(error: BaseException) -> TypeGuard[OSError]:
    """Whether an error says that the name of a file is longer than the file system allows."""
    return isinstance(error, OSError) and error.errno == ENAMETOOLONG and error.filename is not None


def _plugin_of(module: str) -> str:
    """The module or enclosing package that implements a hook, as the user named it; empty if there is none."""
    while module:
        loaded = sys.modules.get(module)
        if loaded is not None and any(
            name.startswith("bvf_") and hasattr(value, "bvf_impl") for name, value in vars(loaded).items()
        ):
            return str(getattr(loaded, "__plugin__", module))
        module = module.rpartition(".")[0]
    return ""
