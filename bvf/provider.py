"""The one thing that every hook returns."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bvf.errors import PluginError

T = TypeVar("T")


@dataclass(frozen=True)
class Provider(Generic[T]):
    """A named thing that a plugin offers, made when somebody asks for it.

    Args:
        name: What users type; lower case, no colon and no ``@``.
        make: A callable, or ``"package.module:Name"`` that is imported at first use. Parameters that
            users write behind a colon (``lk:2``) are passed to it.
        summary: One line for listings.
        needs: Modules that must be importable, each with the command that installs it.
        default: This one is meant when the plugin is named by ``--plugin`` and offers several.
        language: The language a topic or context set is written in; empty where that means nothing.
    """

    name: str
    make: Callable[..., T] | str
    summary: str = ""
    needs: tuple[tuple[str, str], ...] = ()
    default: bool = False
    language: str = ""

    def load(self) -> Callable[..., T]:
        """Return the callable, importing it if it is named by a string.

        Raises:
            PluginError: The module or the name in it does not exist.
        """
        if not isinstance(self.make, str):
            return self.make
        module_name, _, attribute = self.make.partition(":")
        try:
            found: Any = getattr(importlib.import_module(module_name), attribute)
        except (ImportError, AttributeError) as error:
            raise PluginError(f"{self.name}: cannot import {self.make}: {error}") from error
        made: Callable[..., T] = found
        return made
