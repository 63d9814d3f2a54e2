"""Finds and imports plugins, and gathers what they offer. It records why some are broken."""

import difflib
import hashlib
import importlib
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from importlib.metadata import Distribution, EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import pluggy

from bvf.errors import BvfError, PluginError, error_text, in_one_line, nearest
from bvf.hooks import specs
from bvf.hooks.installed import OURS, because_broken, loading
from bvf.hooks.moved import where_it_is_now
from bvf.hooks.provider import Provider
from bvf.hooks.registry import Entry, Owner, Registry

GROUP = "bvf"
FUNCTIONS = "bvf_functions"
UNNAMED = "a distribution without metadata"
KINDS: dict[str, tuple[str, ...]] = {
    "bvf_languages": ("language", "bvf.interfaces.language:Language"),
    "bvf_topics": ("topic", "bvf.domain.topic:Topic"),
    "bvf_contexts": ("context set", "bvf.domain.context:ContextSet"),
    "bvf_miners": ("miner", "bvf.interfaces.miner:Miner"),
    "bvf_backends": ("backend", "bvf.interfaces.backend:Backend"),
    "bvf_models": ("bundled model", "bvf.interfaces.backend:ModelFolder"),
    "bvf_criteria": ("criterion", "bvf.interfaces.criterion:Criterion", "bvf.interfaces.criterion:KnowledgeCriterion"),
    "bvf_analyses": ("analysis", "bvf.study.analysis:Analysis"),
    "bvf_benchmarks": ("benchmark", "bvf.interfaces.benchmark:Benchmark"),
    "bvf_engines": ("engine", "bvf.interfaces.engine:Engine"),
    "bvf_commands": ("command",),
    "bvf_functions": ("function",),
    "bvf_pictures": ("picture", "bvf.running.plotting:PictureKind"),
    "bvf_comparisons": ("comparison", "bvf.tables.markup:Finding"),
    "bvf_findings": ("finding", "bvf.tables.markup:Finding"),
    "bvf_page_parts": ("part of a page", "bvf.results.page:PageParts"),
    "bvf_files": ("kind of file", "bvf.interfaces.reported_file:ReportedFile"),
    "bvf_readers": ("reader",),
    "bvf_answers": ("kind of answers", "bvf.measuring.kind:AnswerKind"),
}
"""By hook, what its providers make: the word for it, and its classes, imported when the first instance is made."""


@dataclass(frozen=True)
class Plugins:
    """All plugins that were found, and registries of everything that they offer.

    Args:
        owners: The plugins that were loaded, by name.
        broken: For plugins that could not be loaded, the reason, by name.
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
    analyses: Registry[Any]
    benchmarks: Registry[Any]
    engines: Registry[Any]
    commands: Registry[Any]
    functions: Registry[Any]
    pictures: Registry[Any]
    comparisons: Registry[Any]
    findings: Registry[Any]
    page_parts: Registry[Any]
    files: Registry[Any]
    readers: Registry[Any]
    answers: Registry[Any]

    @property
    def extra(self) -> tuple[str, ...]:
        """The plugins of no distribution: those that ``--plugin`` named, by which another process loads them too."""
        return tuple(owner.plugin for owner in self.owners.values() if not owner.distribution)

    def of(self, name: str) -> Owner:
        """Return the plugin called ``name``.

        Raises:
            PluginError: The plugin is not installed, or is broken; the message says why.
        """
        if name in self.broken:
            raise PluginError(f"plugin {name} could not be loaded: {self.broken[name]}")
        if name not in self.owners:
            raise PluginError(f'there is no plugin "{name}"', nearest(name, sorted(self.owners)))
        return self.owners[name]


def load(
    points: Iterable[EntryPoint] | None = None,
    *,
    extra: str | Path | Sequence[str | Path] = (),
    without: str | Sequence[str] = (),
) -> Plugins:
    """Load every plugin of the entry-point group ``bvf``. What plugins print goes to stderr.

    Args:
        points: The entry points; those of the installed distributions if None.
        extra: Further plugins to load, as names of modules or ``./file.py``.
        without: Names of plugins to leave out.

    Raises:
        PluginError: A plugin of ``extra`` cannot be loaded, or one of ``without`` is not installed.
    """
    if isinstance(points, str | Path):
        raise PluginError(f"load: {points}: plugins are loaded", "bvf.read_result reads what a run found")
    extra, without = _each_as_text(extra), _each_as_text(without)
    by_name = _named(entry_points(group=GROUP) if points is None else points)
    unknown = sorted(set(without) - {*by_name})
    if unknown:
        raise PluginError(f'there is no plugin "{unknown[0]}" to leave out', nearest(unknown[0], [*by_name]))
    loader = _Loader()
    for name, point in by_name.items():
        if name not in without:
            loader.add(name, point)
    for spec in extra:
        if spec not in loader.owners and spec not in loader.broken:
            loader.add_module(spec)
    plugins = loader.gathered()
    for spec in extra:
        plugins.of(spec)
    return plugins


def _each_as_text(names: str | Path | Sequence[str | Path]) -> list[str]:
    return [str(name) for name in ([names] if isinstance(names, str | Path) else names)]


def _named(points: Iterable[EntryPoint]) -> dict[str, EntryPoint]:
    """Entry points by the name of the plugin. One that another has, first of all bvf, is NAME@DISTRIBUTION.

    Those of bvf come first, as what a module changes when it is imported is said of its first importer.
    """
    owners = [(_owner(point), point) for point in points]
    owners.sort(key=lambda each: (each[0].distribution != OURS, each[0].plugin, each[0].distribution))
    named = dict[str, EntryPoint]()
    for owner, point in owners:
        alone = sum(other.plugin == owner.plugin for other, _ in owners) == 1
        name = owner.plugin if alone or owner.distribution == OURS else f"{owner.plugin}@{owner.distribution}"
        named.setdefault(name, point)
    return named


class _Loader:
    def __init__(self) -> None:
        self.manager = pluggy.PluginManager("bvf")
        self.manager.add_hookspecs(specs)
        self.owners: dict[str, Owner] = {}
        self.broken: dict[str, str] = {}
        self.modules: dict[str, str] = {}

    def add(self, name: str, point: EntryPoint) -> None:
        owner = replace(_owner(point), plugin=name)
        self.modules[name] = point.value
        with self._kept_apart(owner):
            self._register(point.load(), owner)

    def add_module(self, spec: str) -> None:
        owner = Owner(spec, "", "")
        with self._kept_apart(owner):
            module = module_of(spec)
            self._register(module, replace(owner, version=str(getattr(module, "__version__", ""))))
        if spec in self.broken:
            hint = "" if _is_file(spec) else nearest(spec, sorted(self.owners))
            hint = "it is a folder: bvf verify checks that of a run" if Path(spec).is_dir() else hint
            raise PluginError(f"--plugin {spec}: {self.broken[spec]}", hint)

    def _register(self, module: ModuleType, owner: Owner) -> None:
        problem = _problem(module)
        if problem:
            self.broken[owner.plugin] = problem
            return
        if other := self.manager.get_name(module):
            self.broken[owner.plugin] = f"its module {module.__name__} is that of the plugin {other}"
            return
        self.manager.register(module, owner.plugin)
        self.owners[owner.plugin] = owner

    def gathered(self) -> Plugins:
        entries = {hook: self._entries(hook) for hook in KINDS}
        # An implementation may fail only now; such a plugin offers nothing at all.
        registries = {
            hook.removeprefix("bvf_"): Registry(
                KINDS[hook][0],
                [entry for entry in offered if entry.owner.plugin not in self.broken],
                broken=partial(self._because_broken, hook),
            )
            for hook, offered in entries.items()
        }
        owners = {name: owner for name, owner in self.owners.items() if name not in self.broken}
        return Plugins(owners, self.broken, **registries)

    def _because_broken(self, hook: str, name: str) -> str:
        broken = {plugin: (self.modules[plugin], why) for plugin, why in self.broken.items() if plugin in self.modules}
        return because_broken(hook, name, broken)

    def _entries(self, hook: str) -> list[Entry[Any]]:
        entries: list[Entry[Any]] = []
        for implementation in getattr(self.manager.hook, hook).get_hookimpls():
            owner = self.owners[implementation.plugin_name]
            with self._kept_apart(owner, f"{hook}: "):
                entries += [
                    Entry(each, owner, KINDS[hook][1:], KINDS[hook][0])
                    for each in _offered(implementation.function, in_lower_case=hook != FUNCTIONS)
                ]
        return entries

    @contextmanager
    def _kept_apart(self, owner: Owner, where: str = "") -> Iterator[None]:
        """Record any error in the block as the reason why a plugin is broken, and contain what it does."""
        plugin = owner.plugin
        try:
            with loading(plugin, owner.distribution):
                yield
        except KeyboardInterrupt:
            raise
        except BvfError as error:
            self.broken[plugin] = f"{where}{in_one_line(error.message)}"
        except BaseException as error:  # noqa: BLE001 - a plugin may fail in any way
            self.broken[plugin] = f"{where}{error_text(error)}{where_it_is_now(error)}"


def _offered(hook: Callable[[], Iterable[Any]], *, in_lower_case: bool) -> list[Provider[Any]]:
    """The providers that a hook of a plugin returns.

    Raises:
        PluginError: The hook returns other objects than providers, two providers with the same name, or a name that
            users type and that is not in lower case.
    """
    returned: Any = hook()
    if not isinstance(returned, Iterable):
        raise PluginError(f"it returned {type(returned).__name__}, not a list of bvf.Provider objects")
    offered = list(returned)
    languages: dict[str, list[str]] = {}
    for thing in offered:
        if not isinstance(thing, Provider):
            raise PluginError(f"it returned a {type(thing).__name__}, not bvf.Provider objects")
        if in_lower_case and thing.name != thing.name.lower():
            raise PluginError(
                f"{thing.name!r} cannot be the name of what a plugin offers",
                "names are lower case, without spaces, colons and @",
            )
        languages.setdefault(thing.name, []).append(thing.language)
    for name, codes in languages.items():
        if len(set(codes)) < len(codes) or ("" in codes and len(codes) > 1):
            raise PluginError(f'it offers "{name}" twice')
    return offered


def _problem(module: ModuleType) -> str:
    """Return why a module cannot be a plugin of this version; empty if it can."""
    wanted = getattr(module, "BVF_API", 1)
    if not isinstance(wanted, int) or isinstance(wanted, bool):
        return f"BVF_API is {wanted!r}; it must be a whole number, such as {specs.API}"
    if wanted > specs.API:
        return f"asks for hook version {wanted}; this bvf has version {specs.API}: upgrade bvf"
    if wanted < specs.LOWEST_API:
        return f"asks for hook version {wanted}; this bvf takes {specs.LOWEST_API} or later: upgrade the plugin"
    named = {name: getattr(module, name) for name in dir(module) if name.startswith("bvf_")}
    hooks = {name: value for name, value in named.items() if hasattr(value, "bvf_impl")}
    for name, hook in hooks.items():
        if name not in KINDS:
            close = difflib.get_close_matches(name, KINDS, n=1)
            return f"implements {name}, which is not a hook" + (f"; did you mean {close[0]}?" if close else "")
        taken = list(inspect.signature(hook).parameters)
        if taken:
            return f"{name} takes the argument {taken[0]}; hooks take none"
    if hooks:
        return ""
    unmarked = next((name for name in named if name in KINDS), "")
    return f"{unmarked} is not marked with @bvf.hookimpl" if unmarked else "implements no hook"


def _owner(point: EntryPoint) -> Owner:
    return Owner(point.name, *(_name_and_version(point.dist) if point.dist else ("", "")))


@lru_cache
def _name_and_version(distribution: Distribution) -> tuple[str, str]:
    """The name and version of a distribution. They are cached, as each access parses the metadata.

    While a distribution is written, it may have neither.
    """
    known = distribution.metadata
    (name, *_), (version, *_) = known.get_all("Name", [UNNAMED]), known.get_all("Version", [""])
    return name, version


def _is_file(spec: str) -> bool:
    """Whether a plugin is named by its file, not as a module."""
    return Path(spec).suffix == ".py"


def module_of(spec: str) -> ModuleType:
    """Import a plugin that is named on the command line: a module, or ``./file.py``.

    A file becomes a module of its own, which no import statement can name. Its ``__plugin__`` is the name that the user
    gave, for messages.

    Raises:
        BvfError: There is no such file.
        ImportError: There is no such module, or it cannot be imported. The plugin itself may raise any other error.
    """
    path = Path(spec)
    if not _is_file(spec):
        return importlib.import_module(spec)
    if not path.exists():
        raise BvfError("there is no such file")
    if not path.is_file():
        raise ImportError(f"{path} is not a file: a folder, a pipe or a device cannot be imported")
    where = str(path.resolve())
    name = f"{re.sub(r'[^A-Za-z0-9_]', '_', path.stem)}_{hashlib.sha256(os.fsencode(where)).hexdigest()[:12]}"
    source = importlib.util.spec_from_file_location(name, where)
    if source is None or source.loader is None:
        raise ImportError(f"cannot import {path}")
    module = importlib.util.module_from_spec(source)
    vars(module)["__plugin__"] = spec
    sys.modules[name] = module
    try:
        source.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
