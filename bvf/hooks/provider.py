"""Providers: named objects that every hook returns, made when they are used."""

import importlib
import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any, Generic, TypeVar

from bvf.errors import PluginError
from bvf.hooks.moved import where_it_is_now


def imported(where: str) -> Any:
    """Import and return the object that ``module:name`` names, which may be a module too."""
    try:
        return resolve_name(where)
    except AttributeError:
        module = where.replace(":", ".")
        if importlib.util.find_spec(module) is None:
            raise
        return importlib.import_module(module)


T = TypeVar("T")
NAME = re.compile(r"[^\s:@\x00-\x1f\x7f-\x9f]+")
IMPORTABLE = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")


@dataclass(frozen=True)
class Provider(Generic[T]):
    """A named object that a plugin offers, such as a criterion. It is made when it is used.

    Args:
        name: What users type; lower case, no space, no colon and no ``@``. For a function: its name in Python.
        make: A callable, or ``"package.module:Name"`` that is imported at first use. Parameters that
            users write after a colon (``lk:2``) are passed to it.
        summary: One line for listings.
        needs: Modules that must be importable, each with the command that installs it.
        default: ``--plugin`` chooses this thing if the plugin offers several of the kind.
        language: For a topic or context set: the language it is written in; else empty.
        describe: For a backend: a callable, or ``"package.module:name"``, that takes what ``make`` takes and returns a
            `bvf.ModelDescription` without loading the model. None: ``make`` is a class with ``capabilities``, and its
            probabilities depend on no file. For a context set: one that returns it without replicates, to list it.
        options: A pydantic model, or ``"package.module:Name"``: the options of this thing alone, which users set by
            ``-B key=value`` for a backend, ``-E`` for an engine, ``-M`` for a miner, ``-T`` for a topic, or in the
            table of that name in a configuration. Backends and miners find the choice in their request; topics and
            engines get it as the last argument of ``make``.
        example: For a command: a command line that stands at the end of its help.
        common: For a command with more than 15 options: those that ``--help`` shows, with blanks between them. Empty:
            it shows all, as ``--help-all`` does. For a group of commands: those of any of them.

    Raises:
        PluginError: A field has a wrong value; the message names the field.
    """

    name: str
    make: Callable[..., T] | str
    summary: str = ""
    needs: tuple[tuple[str, str], ...] = ()
    default: bool = False
    language: str = ""
    describe: Callable[..., Any] | str | None = None
    options: type[Any] | str | None = None
    example: str = ""
    common: str = ""

    def __post_init__(self) -> None:
        name: object = self.name
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise PluginError(
                f"{name!r} cannot be the name of what a plugin offers", "names have no spaces, no colons and no @"
            )
        for field, called in (("make", self.make), ("describe", self.describe), ("options", self.options)):
            if isinstance(called, str) and not IMPORTABLE.fullmatch(called):
                raise PluginError(f'{name}: {field} is "{called}"', 'write "package.module:Name", or give a callable')
            if not (isinstance(called, str) or callable(called) or (called is None and field != "make")):
                raise PluginError(f"{name}: {field} is {called!r}, which cannot be called")
        for field in ("summary", "language", "example", "common"):
            if not isinstance(getattr(self, field), str):
                raise PluginError(f"{name}: {field} is {getattr(self, field)!r}, not a text")
        if not _are_modules_with_commands(self.needs):
            raise PluginError(
                f"{name}: needs is {self.needs!r}", 'write needs=(("module", "command that installs it"),)'
            )

    def load(self) -> Callable[..., T]:
        """Return the callable that makes the offered object; a string ``module:name`` is imported first.

        Raises:
            PluginError: The module or the name in it does not exist, or cannot be called.
        """
        return self._imported(self.make)

    def load_describe(self) -> Callable[..., Any] | None:
        """Return the callable that describes the object before it is made; None if there is none.

        Raises:
            PluginError: As `load`.
        """
        return None if self.describe is None else self._imported(self.describe)

    def load_options(self) -> type[Any] | None:
        """Return the pydantic class of the options; None if there are none. If it is given as a string, it is imported.

        Raises:
            PluginError: As `load`.
        """
        made: Any = None if self.options is None else self._imported(self.options)
        return made  # type: ignore[no-any-return]

    def _imported(self, called: Callable[..., Any] | str) -> Callable[..., Any]:
        if not isinstance(called, str):
            return called
        try:
            found: Callable[..., Any] = resolve_name(called)
        except (ImportError, AttributeError, ValueError) as error:
            raise PluginError(f"{self.name}: cannot import {called}: {error}{where_it_is_now(error)}") from error
        if not callable(found):
            raise PluginError(f"{self.name}: {called} is a {type(found).__name__}, which cannot be called")
        return found


def _are_modules_with_commands(needs: object) -> bool:
    return isinstance(needs, tuple | list) and all(
        isinstance(pair, tuple | list) and len(pair) == 2 and all(isinstance(text, str) and text for text in pair)
        for pair in needs
    )
