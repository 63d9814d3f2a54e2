"""Look things up by the name that a user typed."""

import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bvf.errors import BvfError, PluginError, nearest, said
from bvf.hooks.provider import Provider

T = TypeVar("T")


@dataclass(frozen=True)
class Owner:
    """The plugin that offers something: entry-point name, distribution and version."""

    plugin: str
    distribution: str
    version: str


@dataclass(frozen=True)
class Entry(Generic[T]):
    """A provider and the plugin it comes from.

    Args:
        interfaces: What it makes is an instance of one of these, each ``"package.module:Name"``; of anything if none.
    """

    provider: Provider[T]
    owner: Owner
    interfaces: tuple[str, ...] = ()

    def make(self, *arguments: Any) -> T:
        """Make the thing.

        Raises:
            PluginError: A module it needs is not installed (says the command that installs it), or the plugin failed.
        """
        make = self.callable()
        with blamed_on(self):
            made = make(*arguments)
        wanted = tuple(_imported(name) for name in self.interfaces)
        if wanted and not isinstance(made, wanted):
            names = " or ".join(each.__name__ for each in wanted)
            raise PluginError(f"{_called(self)}: it made a {type(made).__name__}, not a bvf {names}")
        return made

    def takes(self, *arguments: Any) -> bool:
        """Whether it can be made with such arguments, as its signature says.

        Raises:
            PluginError: As `callable`.
        """
        make = self.callable()
        try:
            inspect.signature(make).bind(*arguments)
        except ValueError:  # it has none that Python can see; trying will tell
            return True
        except TypeError:
            return False
        return True

    def callable(self) -> Callable[..., T]:
        """Return what makes the thing.

        Raises:
            PluginError: A module it needs is not installed, or what makes it cannot be imported.
        """
        missing = missing_modules(self.provider)
        if missing:
            module, command = missing[0]
            raise PluginError(f"{self.provider.name} needs {module}, which is not installed", command)
        with blamed_on(self):
            return self.provider.load()


class Registry(Generic[T]):
    """The things of one kind that all plugins offer together."""

    def __init__(self, kind: str, entries: list[Entry[T]], elsewhere: Sequence[Entry[T]] = ()) -> None:
        self.kind = kind
        self._elsewhere = elsewhere
        self._entries = sorted(entries, key=lambda e: (e.provider.name, e.provider.language, e.owner.plugin))

    def __iter__(self) -> Iterator[Entry[T]]:
        return iter(self._entries)

    def of_plugin(self, plugin: str) -> "Registry[T]":
        """Return what one plugin offers."""
        return Registry(self.kind, [entry for entry in self._entries if entry.owner.plugin == plugin])

    def in_language(self, language: str) -> "Registry[T]":
        """Return what is written in a language, or in none."""
        kept = [entry for entry in self._entries if entry.provider.language in {"", language}]
        others = [entry for entry in self._entries if entry.provider.language not in {"", language}]
        return Registry(self.kind, kept, others)

    def sole_or_default(self) -> Entry[T] | None:
        """Return the only entry, or the one marked as default; None if there is no such one."""
        marked = [entry for entry in self._entries if entry.provider.default]
        candidates = marked or self._entries
        return candidates[0] if len(candidates) == 1 else None

    def find(self, name: str) -> Entry[T]:
        """Return the entry called ``name``; ``name@plugin`` chooses between two owners.

        Raises:
            PluginError: No such name (with the nearest ones), or two plugins offer it.
        """
        wanted, _, plugin = name.partition("@")
        found = [e for e in self._entries if e.provider.name == wanted and plugin in {"", e.owner.plugin}]
        if len(found) == 1:
            return found[0]
        if not found:
            raise PluginError(f'there is no {self.kind} "{name}"', self._instead_of(wanted))
        owners = ", ".join(f"{wanted}@{entry.owner.plugin}" for entry in found)
        raise PluginError(f'two plugins offer the {self.kind} "{wanted}"', f"choose one: {owners}")

    def make(self, spec: str) -> T:
        """Make ``name`` or ``name:parameter``.

        Raises:
            PluginError: As `find`; or the thing takes no parameter, or needs one; or the plugin failed.
        """
        name, colon, parameter = spec.partition(":")
        entry = self.find(name)
        arguments = (parameter,) if colon else ()
        if not entry.takes(*arguments):
            wanted = "takes no parameter" if colon else "needs a parameter after a colon"
            raise PluginError(f'the {self.kind} "{name}" {wanted}', entry.provider.summary)
        return entry.make(*arguments)

    def names(self) -> list[str]:
        """Return the names, sorted, each once."""
        return sorted({entry.provider.name for entry in self._entries})

    def _instead_of(self, name: str) -> str:
        """What to type instead of a name that is not there."""
        languages = sorted({entry.provider.language for entry in self._elsewhere if entry.provider.name == name})
        if languages:
            return f"{name} is there in {' and '.join(languages)}: add --lang {languages[0]}"
        return nearest(name, self.names())


@contextmanager
def blamed_on(entry: Entry[Any]) -> Iterator[None]:
    """Turn whatever a plugin's code raises into a `PluginError` that names the plugin; what it explains itself passes.

    What the code prints goes to standard error.

    Raises:
        PluginError: The plugin failed, in any way but a `BvfError`.
    """
    try:
        with redirect_stdout(sys.stderr):
            yield
    except (BvfError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        raise PluginError(f"{_called(entry)}: {said(error)}", "--debug shows where in the plugin") from error


def missing_modules(provider: Provider[Any]) -> list[tuple[str, str]]:
    """Return the modules that a provider needs and that are not installed, with the commands that install them."""
    return [(module, command) for module, command in provider.needs if not _is_there(module)]


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - the package that should hold it is not there, or fails in any way
        return False


def _called(entry: Entry[Any]) -> str:
    return f'plugin {entry.owner.plugin}, "{entry.provider.name}"'


def _imported(name: str) -> type:
    module, _, attribute = name.partition(":")
    found: type = getattr(importlib.import_module(module), attribute)
    return found
