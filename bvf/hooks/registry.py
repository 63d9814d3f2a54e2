"""Looks up the objects that plugins offer, such as criteria, by the names that users type."""

import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from bvf.domain.config import setting_refused
from bvf.errors import BvfError, PluginError, error_text, nearest
from bvf.hooks.installed import OURS
from bvf.hooks.provider import Provider, imported

T = TypeVar("T")


@dataclass(frozen=True)
class Owner:
    """The plugin that offers an object: entry-point name, distribution and version."""

    plugin: str
    distribution: str
    version: str

    @property
    def short(self) -> str:
        """What stands after ``@`` in the name of a part: the plugin, or its distribution where two share its name."""
        shares_its_name = self.distribution and self.plugin.endswith(f"@{self.distribution}")
        return self.distribution if shares_its_name else self.plugin


@dataclass(frozen=True)
class Entry(Generic[T]):
    """A provider and the plugin it comes from.

    Args:
        interfaces: What it makes must be an instance of one of these, each ``"package.module:Name"``; empty: no check.
        kind: The word for such a thing in messages: ``backend``, ``topic``, ...
    """

    provider: Provider[T]
    owner: Owner
    interfaces: tuple[str, ...] = ()
    kind: str = "part"

    @property
    def is_ours(self) -> bool:
        """Whether the object is offered by bvf itself, not by a plugin."""
        return self.owner.distribution == OURS

    @property
    def full_name(self) -> str:
        """Its name with its plugin, by which `Registry.find` finds it even if another plugin offers the name."""
        return f"{self.provider.name}@{self.owner.short}"

    @property
    def missing_modules(self) -> list[tuple[str, str]]:
        """The modules that it needs and that are not installed, and the command that installs each."""
        return [(module, command) for module, command in self.provider.needs if not _is_there(module)]

    def make(self, *arguments: Any) -> T:
        """Make the object that the plugin offers.

        Raises:
            PluginError: A module that it needs is not installed (the message has the command), or the plugin failed.
        """
        make = self.callable()
        with blamed_on(self):
            made = make(*arguments)
        wanted = tuple(imported(name) for name in self.interfaces)
        if wanted and not isinstance(made, wanted):
            names = " or ".join(each.__name__ for each in wanted)
            raise PluginError(f"{_called(self)}: it made a {type(made).__name__}, not a bvf {names}")
        return made

    def described(self, *arguments: Any) -> Any:
        """Return the description of the object before it is made; None if its provider has no ``describe``.

        Raises:
            PluginError: As `make`.
        """
        self._refuse_missing()
        with blamed_on(self):
            describe = self.provider.load_describe()
            return None if describe is None else describe(*arguments)

    def options(self) -> type[Any] | None:
        """Return the pydantic class of the object's options; None if it has none.

        Raises:
            PluginError: The plugin failed.
        """
        with blamed_on(self):
            return self.provider.load_options()

    def chosen(self, values: Mapping[str, Any]) -> Any:
        """Return the object's options, set to the user's values; None if it has none.

        Raises:
            BvfError: There is no such option, or a value is wrong; the message says what would be right.
            PluginError: As `make`.
        """
        options = self.options()
        if options is None:
            if values:
                raise BvfError(f"{self.kind} {self.provider.name} has no options, and {next(iter(values))} is set")
            return None
        try:
            return options.model_validate(dict(values))
        except ValidationError as error:
            raise self._wrong_option(error, options) from error

    def _wrong_option(self, error: ValidationError, options: Any) -> BvfError:
        called = f"{self.kind} {self.provider.name}"
        if unknown := [str(each["loc"][0]) for each in error.errors() if each["type"] == "extra_forbidden"]:
            return BvfError(f"{called} has no option {unknown[0]}", nearest(unknown[0], list(options.model_fields)))
        return setting_refused(error, called, options)

    def takes(self, *arguments: Any) -> bool:
        """Whether the signature of the provider's ``make`` accepts these arguments.

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
        """Return the callable that makes the object.

        Raises:
            PluginError: A module that it needs is not installed, the callable cannot be imported, or it is the object.
        """
        self._refuse_missing()
        with blamed_on(self):
            make = self.provider.load()
            if isinstance(make, tuple(imported(name) for name in self.interfaces)):
                raise PluginError(f"{_called(self)}: make is an object, not its class", "leave out the parentheses")
            return make

    def _refuse_missing(self) -> None:
        """Raise `PluginError` if a module that the provider needs is not installed."""
        if self.missing_modules:
            module, command = self.missing_modules[0]
            raise PluginError(f"{self.provider.name} needs {module}, which is not installed", command)


class Registry(Generic[T]):
    """The objects of one kind, such as criteria, that all plugins together offer."""

    def __init__(
        self,
        kind: str,
        entries: list[Entry[T]],
        elsewhere: Sequence[Entry[T]] = (),
        broken: Callable[[str], str] = lambda name: "",
    ) -> None:
        """``broken`` returns what is said of a name that a plugin offers which could not be loaded."""
        self.kind = kind
        self._elsewhere = elsewhere
        self.broken = broken
        self._entries = sorted(
            entries, key=lambda e: (e.provider.name, not e.is_ours, e.provider.language, e.owner.plugin)
        )

    def __iter__(self) -> Iterator[Entry[T]]:
        return iter(self._entries)

    def of_plugin(self, plugin: str) -> "Registry[T]":
        """Return a registry of only those objects that one plugin offers."""
        return self._with([entry for entry in self._entries if entry.owner.plugin == plugin])

    def in_language(self, language: str) -> "Registry[T]":
        """Return a registry of only those objects that belong to a language or to none."""
        kept = [entry for entry in self._entries if entry.provider.language in {"", language}]
        others = [entry for entry in self._entries if entry.provider.language not in {"", language}]
        return self._with(kept, others)

    def _with(self, entries: list[Entry[T]], elsewhere: Sequence[Entry[T]] = ()) -> "Registry[T]":
        return Registry(self.kind, entries, elsewhere, self.broken)

    def made(self, *, first: Sequence[str] = ()) -> Iterator[tuple[Entry[T], T]]:
        """Yield each entry and what it makes, without a parameter: of plugins in ``first``, then bvf's, then others.

        What others offer and fails is left out, as the user did not name it.
        """
        for entry in sorted(self._entries, key=lambda entry: (entry.owner.plugin not in first, not entry.is_ours)):
            with nullcontext() if entry.is_ours or entry.owner.plugin in first else suppress(BvfError):
                chosen = entry.chosen({})
                yield entry, entry.make(*([] if chosen is None else [chosen]))

    def sole_or_default(self) -> Entry[T] | None:
        """Return the entry that is marked as default, or else the only entry; None if neither exists."""
        marked = [entry for entry in self._entries if entry.provider.default]
        candidates = marked or self._entries
        return candidates[0] if len(candidates) == 1 else None

    def of_plugins(self, plugins: Sequence[str]) -> Entry[T] | None:
        """Return the default entry, or the only one, of the first plugin in a list that has one; None if none has."""
        return next(filter(None, (self.of_plugin(plugin).sole_or_default() for plugin in plugins)), None)

    def choose(self, name: str, preferred: Sequence[str]) -> Entry[T]:
        """Return the entry that the user named. Without a name: a preferred plugin's default or only entry, else bvf's.

        Raises:
            PluginError: The name is unknown, two plugins offer it, or there is no default.
        """
        if name:
            return self.find(name)
        ours = self._with([entry for entry in self._entries if entry.is_ours])
        choice = self.of_plugins(preferred) or ours.sole_or_default() or self.sole_or_default()
        if choice is None:
            raise PluginError(f"which {self.kind}?", f"there are {', '.join(self.names())}")
        return choice

    def find(self, name: str) -> Entry[T]:
        """Return the entry called ``name``; that of bvf, with a warning, if a plugin offers the same name.

        ``name@plugin``, or ``name@distribution``, chooses between plugins.

        Raises:
            PluginError: There is no such name (the hint has similar ones), or two plugins offer it.
        """
        wanted, _, plugin = name.partition("@")
        matching = [
            entry
            for entry in self._entries
            if entry.provider.name == wanted and plugin in {"", entry.owner.plugin, entry.owner.distribution}
        ]
        if not matching:
            raise PluginError(f'there is no {self.kind} "{name}"', self.instead_of(wanted))
        first, *others = matching
        named = ", ".join(entry.full_name for entry in (others if first.is_ours else matching))
        if others and (not first.is_ours or others[0].is_ours):
            raise PluginError(f'two plugins offer the {self.kind} "{wanted}"', f"choose one: {named}")
        if others:
            from bvf.hooks.contained import warn

            warn(f'the {self.kind} "{wanted}" is that of bvf; another plugin offers one as well: {named}')
        return first

    def name_of(self, entry: Entry[T]) -> str:
        """Return a name by which `find` finds an entry: its own, or ``name@plugin`` where that finds another."""
        same = [each for each in self._entries if each.provider.name == entry.provider.name]
        return entry.provider.name if entry.is_ours or len(same) == 1 else entry.full_name

    def short(self, spec: str) -> str:
        """Return ``name`` or ``name:parameter`` as results have it: with ``@plugin`` only where `find` needs it."""
        name, colon, parameter = spec.partition(":")
        return f"{self.name_of(self.find(name))}{colon}{parameter}" if "@" in name else spec

    def make(self, spec: str, options: Mapping[str, Any] | None = None) -> T:
        """Make the object named ``spec``. It is written ``name`` or ``name:parameter``.

        Raises:
            BvfError: There is no such option, or a value is wrong.
            PluginError: No such object, or several; it takes no parameter, or needs one; or its plugin failed.
        """
        name, colon, parameter = spec.partition(":")
        entry = self.find(name)
        chosen = entry.chosen(options or {})
        arguments = (*([parameter] if colon else []), *([] if chosen is None else [chosen]))
        if not entry.takes(*arguments):
            wanted = "takes no parameter" if colon else "needs a parameter after a colon"
            raise PluginError(f'the {self.kind} "{name}" {wanted}', entry.provider.summary)
        return entry.make(*arguments)

    def with_options(self, values: Mapping[str, Any]) -> list[tuple[Entry[T], Any]]:
        """Return each entry with its options, set to those of ``values`` that are its own; None if it has no options.

        Args:
            values: What the user set, by field of the options of any entry.

        Raises:
            BvfError: No entry has such an option, or a value is wrong.
        """
        fields = list[tuple[Entry[T], list[str]]]()
        for entry in self._entries:
            try:
                fields.append((entry, list(kind.model_fields) if (kind := entry.options()) else []))
            except BvfError as error:
                if entry.is_ours:
                    raise
                from bvf.hooks.contained import warn

                warn(f"{error.message}: left out")
        known = {name for _, names in fields for name in names}
        if unknown := next((name for name in values if name not in known), ""):
            raise BvfError(f'no {self.kind} has an option "{unknown}"', nearest(unknown, sorted(known)))
        return [
            (entry, entry.chosen({name: values[name] for name in names if name in values})) for entry, names in fields
        ]

    def names(self) -> list[str]:
        """Return the distinct names of all entries, sorted."""
        return sorted({entry.provider.name for entry in self._entries})

    def instead_of(self, name: str, *others: str) -> str:
        """Return a hint for an unknown name: a language in which it exists, a broken plugin, or similar names.

        ``others`` may be written as well.
        """
        languages = sorted({entry.provider.language for entry in self._elsewhere if entry.provider.name == name})
        if languages:
            return f"{name} is there in {' and '.join(languages)}: add --lang {languages[0]}"
        return self.broken(name) or nearest(name, [*others, *self.names()])


@contextmanager
def blamed_on(entry: Entry[Any]) -> Iterator[None]:
    """Turn any error in the block, except a `BvfError`, into a `PluginError` that names the plugin of the entry.

    Output that the plugin's code prints goes to standard error.

    Raises:
        PluginError: The plugin failed with another error than a `BvfError`.
    """
    try:
        with redirect_stdout(sys.stderr):
            yield
    except (BvfError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        raise PluginError(f"{_called(entry)}: {error_text(error)}", "--debug shows where in the plugin") from error


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - the package that should hold it is not there, or fails in any way
        return False


def _called(entry: Entry[Any]) -> str:
    return f'plugin {entry.owner.plugin}, "{entry.provider.name}"'
