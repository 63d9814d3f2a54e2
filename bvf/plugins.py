"""Find plugins, keep the broken ones apart, and gather what the others offer."""

import difflib
import importlib
import importlib.util
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import pluggy

from bvf import hookspecs
from bvf.errors import PluginError, nearest
from bvf.provider import Provider
from bvf.registry import Entry, Owner, Registry

GROUP = "bvf"
KINDS = {
    "bvf_languages": "language",
    "bvf_topics": "topic",
    "bvf_contexts": "context set",
    "bvf_miners": "miner",
    "bvf_backends": "backend",
    "bvf_models": "bundled model",
    "bvf_criteria": "criterion",
    "bvf_engines": "engine",
}


@dataclass(frozen=True)
class Plugins:
    """Everything that was found.

    Args:
        owners: The plugins that loaded, by name.
        broken: Why the others did not, by name.
    """

    owners: dict[str, Owner]
    broken: dict[str, str]
    languages: Registry[Any]
    topics: Registry[Any]
    contexts: Registry[Any]
    miners: Registry[Any]
    backends: Registry[Any]
    models: Registry[Any]
    criteria: Registry[Any]
    engines: Registry[Any]

    def of(self, name: str) -> Owner:
        """Return the plugin called ``name``.

        Raises:
            PluginError: It is not installed, or broken; says why.
        """
        if name in self.broken:
            raise PluginError(f"plugin {name} could not be loaded: {self.broken[name]}")
        if name not in self.owners:
            raise PluginError(f'there is no plugin "{name}"', nearest(name, sorted(self.owners)))
        return self.owners[name]


def load(
    points: Iterable[EntryPoint] | None = None, *, extra: Sequence[str] = (), without: Sequence[str] = ()
) -> Plugins:
    """Load every plugin of the entry-point group ``bvf``.

    Args:
        points: The entry points; those of the installed distributions if None.
        extra: Modules or ``./file.py`` to load as plugins besides.
        without: Names of plugins to leave out.

    Raises:
        PluginError: A plugin of ``extra`` cannot be loaded, or one of ``without`` is not there.
    """
    found = sorted(entry_points(group=GROUP) if points is None else points, key=lambda point: point.name)
    unknown = sorted(set(without) - {point.name for point in found})
    if unknown:
        raise PluginError(
            f'there is no plugin "{unknown[0]}" to leave out', nearest(unknown[0], [p.name for p in found])
        )
    loader = _Loader(set(without))
    for point in found:
        loader.add(point, [other for other in found if other.name == point.name])
    for spec in extra:
        if spec not in loader.owners:
            loader.add_module(spec)
    return loader.gathered()


class _Loader:
    def __init__(self, without: set[str]) -> None:
        self.manager = pluggy.PluginManager("bvf")
        self.manager.add_hookspecs(hookspecs)
        self.without = without
        self.owners: dict[str, Owner] = {}
        self.broken: dict[str, str] = {}

    def add(self, point: EntryPoint, namesakes: list[EntryPoint]) -> None:
        if point.name in self.without or point.name in self.broken:
            return
        if len(namesakes) > 1:
            owners = " and ".join(sorted(_owner(other).distribution for other in namesakes))
            self.broken[point.name] = f"two distributions have a plugin of this name: {owners}"
            return
        try:
            module = point.load()
        except Exception as error:  # noqa: BLE001 - a plugin may fail in any way; the others go on
            self.broken[point.name] = f"{type(error).__name__}: {error}"
            return
        self._register(module, _owner(point))

    def add_module(self, spec: str) -> None:
        try:
            module = _module_of(spec)
        except Exception as error:
            raise PluginError(f"--plugin {spec}: {type(error).__name__}: {error}", self._installed(spec)) from error
        owner = Owner(spec, "", str(getattr(module, "__version__", "")))
        self._register(module, owner)
        if spec in self.broken:
            raise PluginError(f"--plugin {spec}: {self.broken[spec]}")

    def _installed(self, spec: str) -> str:
        return nearest(spec, sorted(self.owners))

    def _register(self, module: ModuleType, owner: Owner) -> None:
        problem = _problem(module)
        if problem:
            self.broken[owner.plugin] = problem
            return
        self.manager.register(module, owner.plugin)
        self.owners[owner.plugin] = owner

    def gathered(self) -> Plugins:
        registries = {hook: Registry(kind, self._entries(hook)) for hook, kind in KINDS.items()}
        # An implementation may fail only now; such a plugin offers nothing at all.
        whole = {
            hook: Registry(KINDS[hook], [entry for entry in registry if entry.owner.plugin not in self.broken])
            for hook, registry in registries.items()
        }
        owners = {name: owner for name, owner in self.owners.items() if name not in self.broken}
        return Plugins(owners, self.broken, **{hook.removeprefix("bvf_"): whole[hook] for hook in KINDS})

    def _entries(self, hook: str) -> list[Entry[Any]]:
        entries: list[Entry[Any]] = []
        for implementation in getattr(self.manager.hook, hook).get_hookimpls():
            owner = self.owners[implementation.plugin_name]
            try:
                offered = list(implementation.function())
                wrong = [thing for thing in offered if not isinstance(thing, Provider)]
                if wrong:
                    raise PluginError(f"{hook} returned a {type(wrong[0]).__name__}, not bvf.Provider objects")
            except Exception as error:  # noqa: BLE001 - as above
                self.broken[owner.plugin] = f"{hook}: {type(error).__name__}: {error}"
                continue
            entries.extend(Entry(provider, owner) for provider in offered)
        return entries


def _problem(module: ModuleType) -> str:
    """Return why a module is no plugin for this version, or nothing."""
    wanted = getattr(module, "BVF_API", 1)
    if wanted > hookspecs.API:
        return f"asks for hook version {wanted}; this bvf has version {hookspecs.API}: upgrade bvf"
    implemented = [
        name for name in dir(module) if name.startswith("bvf_") and hasattr(getattr(module, name), "bvf_impl")
    ]
    for name in implemented:
        if name not in KINDS:
            close = difflib.get_close_matches(name, KINDS, n=1)
            return f"implements {name}, which is no hook" + (f"; did you mean {close[0]}?" if close else "")
    return "" if implemented else "implements no hook"


def _owner(point: EntryPoint) -> Owner:
    if point.dist is None:
        return Owner(point.name, "", "")
    return Owner(point.name, point.dist.name, point.dist.version)


def _module_of(spec: str) -> ModuleType:
    path = Path(spec)
    if path.suffix != ".py":
        return importlib.import_module(spec)
    source = importlib.util.spec_from_file_location(path.stem, path)
    if source is None or source.loader is None:
        raise ImportError(f"cannot import {path}")
    module = importlib.util.module_from_spec(source)
    source.loader.exec_module(module)
    return module
