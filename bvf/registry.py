"""Look things up by the name that a user typed."""

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bvf.errors import PluginError, nearest
from bvf.provider import Provider

T = TypeVar("T")


@dataclass(frozen=True)
class Owner:
    """The plugin that offers something: entry-point name, distribution and version."""

    plugin: str
    distribution: str
    version: str


@dataclass(frozen=True)
class Entry(Generic[T]):
    """A provider and the plugin it comes from."""

    provider: Provider[T]
    owner: Owner

    def make(self, *arguments: Any) -> T:
        """Make the thing.

        Raises:
            PluginError: A module it needs is not installed; says the command that installs it.
        """
        missing = missing_modules(self.provider)
        if missing:
            module, command = missing[0]
            raise PluginError(f"{self.provider.name} needs {module}, which is not installed", command)
        return self.provider.load()(*arguments)


class Registry(Generic[T]):
    """The things of one kind that all plugins offer together."""

    def __init__(self, kind: str, entries: list[Entry[T]]) -> None:
        self.kind = kind
        self._entries = sorted(entries, key=lambda e: (e.provider.name, e.provider.language, e.owner.plugin))

    def __iter__(self) -> Iterator[Entry[T]]:
        return iter(self._entries)

    def of_plugin(self, plugin: str) -> "Registry[T]":
        """Return what one plugin offers."""
        return Registry(self.kind, [entry for entry in self._entries if entry.owner.plugin == plugin])

    def in_language(self, language: str) -> "Registry[T]":
        """Return what is written in a language, or in none."""
        return Registry(self.kind, [e for e in self._entries if e.provider.language in {"", language}])

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
            raise PluginError(f'there is no {self.kind} "{name}"', nearest(wanted, self.names()))
        owners = ", ".join(f"{wanted}@{entry.owner.plugin}" for entry in found)
        raise PluginError(f'two plugins offer the {self.kind} "{wanted}"', f"choose one: {owners}")

    def make(self, spec: str) -> T:
        """Make ``name`` or ``name:parameter``.

        Raises:
            PluginError: As `find`; or the thing takes no parameter, or needs one.
        """
        name, colon, parameter = spec.partition(":")
        entry = self.find(name)
        try:
            return entry.make(parameter) if colon else entry.make()
        except TypeError as error:
            wanted = "takes no parameter" if colon else "needs a parameter behind a colon"
            raise PluginError(f'the {self.kind} "{name}" {wanted}', entry.provider.summary) from error

    def names(self) -> list[str]:
        """Return the names, sorted, each once."""
        return sorted({entry.provider.name for entry in self._entries})


def missing_modules(provider: Provider[Any]) -> list[tuple[str, str]]:
    """Return the modules that a provider needs and that are not installed, with the commands that install them."""
    return [(module, command) for module, command in provider.needs if importlib.util.find_spec(module) is None]
