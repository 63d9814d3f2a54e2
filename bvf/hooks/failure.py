"""What is said of an error that nobody explained: which plugin failed, or that bvf did."""

import sys
import traceback

from bvf.errors import BvfError, PluginError, said


def explained(error: BaseException) -> BvfError:
    """Return the line for an error that came from somewhere inside: of the innermost plugin on its way, else of bvf."""
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        plugin = _plugin_of(str(frame.f_globals.get("__name__", "")))
        if plugin:
            where = f"{frame.f_code.co_filename}, line {line}"
            return PluginError(f"plugin {plugin}: {said(error)}", f"it failed at {where}; --debug shows the traceback")
    return BvfError(f"bvf failed: {said(error)}", "this is a bug of bvf; --debug shows where")


def _plugin_of(module: str) -> str:
    """The nearest module above a module, or that itself, that has a hook; empty if there is none."""
    while module:
        loaded = sys.modules.get(module)
        if loaded is not None and any(
            name.startswith("bvf_") and hasattr(value, "bvf_impl") for name, value in vars(loaded).items()
        ):
            return module
        module = module.rpartition(".")[0]
    return ""
