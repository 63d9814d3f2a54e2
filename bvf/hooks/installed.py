"""Finds commands, functions and options that installed plugins offer, fast: only plugins that offer some are imported.

Help lists every command, and must not wait for plugins that offer none. The files of installed packages say where a
plugin is; a plugin that offers commands has the name of the hook in the text of its module.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, redirect_stdout, suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bvf.errors import error_text
from bvf.hooks.moved import where_it_is_now
from bvf.hooks.provider import Provider, imported

GROUP = "[bvf]"
OURS = "bvf"
"""The distribution of bvf itself, with the plugins and languages in it."""
FAILED = dict[str, tuple[str, str]]()
"""The module of each plugin that failed here, and the reason, by plugin."""


@cache
def functions_of_plugins() -> dict[str, object]:
    """Return where the functions of installed plugins are, by name, from their hooks `bvf_functions`."""
    return {name: each.make for name, each in parts_of("bvf_functions").items()}


def function_of_plugin(name: str) -> object:
    """Import and return a function that an installed plugin offers.

    Raises:
        AttributeError: None offers a function of that name.
    """
    where = functions_of_plugins().get(name)
    if where is None:
        broken = because_broken("bvf_functions", name, FAILED)
        raise AttributeError(f"module 'bvf' has no attribute {name!r}{broken and f'; {broken}'}")
    return imported(where) if isinstance(where, str) else where


def parts_of(hook: str) -> dict[str, Provider[Any]]:
    """Return the providers of a hook by name. Where bvf and another plugin offer one name, it is that of bvf."""
    offered = reversed(offered_by(hook).values())
    return {each.name: each for providers in offered for each in providers}


def because_broken(hook: str, name: str, broken: Mapping[str, tuple[str, str]]) -> str:
    """Return that a plugin offers a name by a hook, and why it could not be loaded; empty if none of ``broken`` does.

    ``broken`` has the module of each such plugin, and the reason. The text of the module shows what it offers.
    """
    quoted = (f'"{name}"', f"'{name}'")
    having = [(plugin, module, why) for plugin, (module, why) in broken.items() if _names(hook, module)]
    for plugin, module, why in sorted(having, key=lambda each: not any(_names(text, each[1]) for text in quoted)):
        offers = "offers" if any(_names(text, module) for text in quoted) else "may offer"
        return f"plugin {plugin} {offers} this, and could not be loaded: {why}"
    return ""


@cache
def offered_by(hook: str, *, ours: bool | None = None) -> dict[str, tuple[Provider[Any], ...]]:
    """Return the providers of a hook by plugin. A plugin that fails offers nothing; `bvf plugins` says why it failed.

    Args:
        hook: The name of the hook.
        ours: True: only of plugins in the distribution of bvf itself; False: only of others; None: of all.
    """
    offered: dict[str, tuple[Provider[Any], ...]] = {}
    for distribution, name, module in _installed():
        plugin = f"{name}@{distribution}" if name in offered else name
        offered[plugin] = ()
        if ours not in (None, distribution == OURS) or not _names(hook, module):
            continue
        try:
            with loading(plugin, distribution):
                providers: Iterable[object] = getattr(import_module(module), hook, tuple)()
                offered[plugin] = tuple(each for each in providers if isinstance(each, Provider))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a plugin may fail in any way
            FAILED[plugin] = module, f"{error_text(error)}{where_it_is_now(error)}"
    return {plugin: providers for plugin, providers in offered.items() if providers}


def loading(plugin: str, distribution: str) -> AbstractContextManager[object]:
    """Return the context in which a plugin is loaded: it prints to stderr; what is not of bvf is contained."""
    if distribution == OURS:
        return redirect_stdout(sys.stderr)
    from bvf.hooks.contained import contained

    return contained(plugin)


@cache
def _installed() -> list[tuple[str, str, str]]:
    """The distribution, the name and the module of each plugin: those of bvf first, then by name.

    They are read from the files ``entry_points.txt``, which is fastest. Of two distributions of one name the first is
    installed.
    """
    files = dict[str, Path]()
    for folder in dict.fromkeys(sys.path):
        if not os.path.isdir(folder or "."):
            continue
        with os.scandir(folder or ".") as entries:
            for entry in entries:
                if entry.name.endswith((".dist-info", ".egg-info")):
                    distribution = re.sub(r"(-.*)?\.(dist|egg)-info$", "", entry.name).replace("_", "-")
                    files.setdefault(distribution, Path(entry.path) / "entry_points.txt")
    found = [(distribution, *each) for distribution, file in files.items() for each in _entry_points(file)]
    return sorted(found, key=lambda each: (each[0] != OURS, each[1], each[0]))


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
    """Whether the source text of a module has the hook's name, or another text. The module is not imported."""
    top, *inner = module.partition(":")[0].split(".")
    found = None
    with suppress(ImportError, ValueError, AttributeError):  # the name of the module may be any text
        found = find_spec(top)
    places = list(found.submodule_search_locations or ()) if found else []
    if found and not inner:
        files = [Path(found.origin)] if found.origin else []
    else:
        files = [Path(place, *inner).with_suffix(".py") for place in places]
        files += [Path(place, *inner, "__init__.py") for place in places]
    return any(hook.encode() in file.read_bytes() for file in files if file.is_file())
