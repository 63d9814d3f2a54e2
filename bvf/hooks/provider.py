"""The one thing that every hook returns."""

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bvf.errors import PluginError

T = TypeVar("T")
NAME = re.compile(r"[^\s:@\x00-\x1f\x7f-\x9f]+")
IMPORTABLE = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")


@dataclass(frozen=True)
class Provider(Generic[T]):
    """A named thing that a plugin offers, made when somebody asks for it.

    Args:
        name: What users type; lower case, no space, no colon and no ``@``.
        make: A callable, or ``"package.module:Name"`` that is imported at first use. Parameters that
            users write after a colon (``lk:2``) are passed to it.
        summary: One line for listings.
        needs: Modules that must be importable, each with the command that installs it.
        default: This one is meant when the plugin is named by ``--plugin`` and offers several.
        language: The language a topic or context set is written in; empty where that means nothing.

    Raises:
        PluginError: One of them is something else; says which.
    """

    name: str
    make: Callable[..., T] | str
    summary: str = ""
    needs: tuple[tuple[str, str], ...] = ()
    default: bool = False
    language: str = ""

    def __post_init__(self) -> None:
        name: object = self.name
        if not isinstance(name, str) or not NAME.fullmatch(name) or name != name.lower():
            raise PluginError(
                f"{name!r} cannot be the name of what a plugin offers",
                "names are lower case, without spaces, colons and @",
            )
        if isinstance(self.make, str) and not IMPORTABLE.fullmatch(self.make):
            raise PluginError(f'{name}: make is "{self.make}"', 'write "package.module:Name", or give a callable')
        if not isinstance(self.make, str) and not callable(self.make):
            raise PluginError(f"{name}: make is {self.make!r}, which cannot be called")
        for field in ("summary", "language"):
            if not isinstance(getattr(self, field), str):
                raise PluginError(f"{name}: {field} is {getattr(self, field)!r}, which is no text")
        if not _are_modules_with_commands(self.needs):
            raise PluginError(
                f"{name}: needs is {self.needs!r}", 'write needs=(("module", "command that installs it"),)'
            )

    def load(self) -> Callable[..., T]:
        """Return the callable, importing it if it is named by a string.

        Raises:
            PluginError: The module or the name in it does not exist, or cannot be called.
        """
        if not isinstance(self.make, str):
            return self.make
        module_name, _, path = self.make.partition(":")
        try:
            found: Any = importlib.import_module(module_name)
            for attribute in path.split("."):
                found = getattr(found, attribute)
        except (ImportError, AttributeError) as error:
            raise PluginError(f"{self.name}: cannot import {self.make}: {error}") from error
        if not callable(found):
            raise PluginError(f"{self.name}: {self.make} is a {type(found).__name__}, which cannot be called")
        made: Callable[..., T] = found
        return made


def _are_modules_with_commands(needs: object) -> bool:
    return isinstance(needs, tuple | list) and all(
        isinstance(pair, tuple | list) and len(pair) == 2 and all(isinstance(text, str) and text for text in pair)
        for pair in needs
    )
