"""Finds commands, functions and options that installed plugins offer, fast: only plugins that offer some are imported.

Help lists every command, and must not wait for plugins that offer none. The files of installed packages say where a
plugin is; a plugin that offers commands has the name of the hook in the text of its module.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bvf.hooks.importing import imported
from bvf.hooks.provider import Provider

GROUP = "[bvf]"
OURS = "bvf"
"""The distribution of bvf itself."""


@cache
def functions_of_plugins() -> dict[str, object]:
    """Return where the functions of installed plugins are, by name, from their hooks `bvf_functions`."""
    return {each.name: each.make for offered in offered_by("bvf_functions").values() for each in offered}


def function_of_plugin(name: str) -> object:
    """Import and return a function that an installed plugin offers.

    Raises:
        AttributeError: None offers a function of that name.
    """
    where = functions_of_plugins().get(name)
    if where is None:
        raise AttributeError(f"module 'bvf' has no attribute {name!r}")
    return imported(where) if isinstance(where, str) else where


@cache
def offered_by(hook: str, *, ours: bool | None = None) -> dict[str, tuple[Provider[Any], ...]]:
    """Return the providers of a hook by plugin. A plugin that fails offers nothing; `bvf plugins` says why it failed.

    Args:
        hook: The name of the hook.
        ours: True: only of plugins in the distribution of bvf itself; False: only of others; None: of all.
    """
    offered: dict[str, tuple[Provider[Any], ...]] = {}
    for distribution, plugin, module in _installed():
        if plugin in offered or ours not in (None, distribution == OURS) or not _names(hook, module):
            continue
        try:
            with redirect_stdout(sys.stderr):
                providers: Iterable[object] = getattr(import_module(module), hook, tuple)()
                offered[plugin] = tuple(each for each in providers if isinstance(each, Provider))
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001 - a plugin may fail in any way
            offered[plugin] = ()
    return {plugin: providers for plugin, providers in sorted(offered.items()) if providers}


@cache
def _installed() -> list[tuple[str, str, str]]:
    """The distribution, the name and the module of each plugin.

    They are read from the files ``entry_points.txt``, which is fastest.
    """
    found = list[tuple[str, str, str]]()
    for folder in dict.fromkeys(sys.path):
        if not os.path.isdir(folder or "."):
            continue
        with os.scandir(folder or ".") as entries:
            packages = [entry for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))]
        for package in packages:
            distribution = re.split("[-.]", package.name, maxsplit=1)[0]
            found += [(distribution, *each) for each in _entry_points(Path(package.path) / "entry_points.txt")]
    return found


def _entry_points(file: Path) -> Iterator[tuple[str, str]]:
    try:
        text = file.read_text("utf-8")
    except (OSError, ValueError):
        return
    group = ""
    for line in text.splitlines() if GROUP in text else ():
        name, equals, module = line.partition("=")
        if line.startswith("["):
            group = line.strip()
        elif equals and group == GROUP:
            yield name.strip(), module.strip()


def _names(hook: str, module: str) -> bool:
    """Whether the source text of a module mentions the hook's name. The module is not imported."""
    top, *inner = module.split(".")
    found = find_spec(top)
    places = list(found.submodule_search_locations or ()) if found else []
    if found and not inner:
        files = [Path(found.origin)] if found.origin else []
    else:
        files = [Path(place, *inner).with_suffix(".py") for place in places]
        files += [Path(place, *inner, "__init__.py") for place in places]
    return any(hook.encode() in file.read_bytes() for file in files if file.is_file())
