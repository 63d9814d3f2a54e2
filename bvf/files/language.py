"""A language whose openings, frames and lists of words are files in the package of its rules."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypeVar

from bvf.domain.openings import Openings
from bvf.domain.variants.formats import Format
from bvf.domain.variants.frames import Frame
from bvf.files.contexts.frames import read_formats, read_frames
from bvf.files.contexts.openings import openings_in
from bvf.files.parsing import read_lists
from bvf.interfaces.language import Language

T = TypeVar("T")


class LanguageInFiles(Language):
    """A language that reads what it can from files in the package of its class, or of a class that this one extends.

    The folder ``openings`` has tables of sentences, a pool each. ``frames.toml`` and ``formats.toml`` are as ``bvf
    contexts frame`` takes them. ``concepts.toml``, ``readers.toml`` (the `passages`) and ``texts.toml`` (``refusals``
    and ``longer_words``) have lists of texts. Where a file or a list is not there, `bvf.Language` answers.
    """

    def openings(self) -> Mapping[str, Openings]:
        return self._read("openings", openings_in) or super().openings()

    def frames(self) -> Mapping[str, Frame]:
        return self._read("frames.toml", read_frames) or super().frames()

    def formats(self) -> Mapping[str, Format]:
        return self._read("formats.toml", read_formats) or super().formats()

    def concepts(self) -> Mapping[str, Sequence[str]]:
        return self._read("concepts.toml", read_lists) or super().concepts()

    def passages(self) -> Mapping[str, Sequence[str]]:
        return self._read("readers.toml", read_lists) or super().passages()

    def refusals(self) -> Sequence[str]:
        lists = self._read("texts.toml", read_lists) or {}
        return self.expressions(lists, "refusals") if "refusals" in lists else super().refusals()

    def longer_words(self) -> Sequence[str]:
        return (self._read("texts.toml", read_lists) or {}).get("longer_words") or super().longer_words()

    def _read(self, name: str, read: Callable[[Traversable], T]) -> T | None:
        """Read the file or folder of this name in the package of the nearest class that has it; None: there is none."""
        classes = [each for each in type(self).__mro__ if issubclass(each, LanguageInFiles)][:-1]
        packages = filter(None, (sys.modules[each.__module__].__package__ for each in classes))
        found = (files(package) / name for package in packages)
        return next((read(each) for each in found if each.is_file() or each.is_dir()), None)
