"""A language whose openings, frames and lists of words are files in the package of its rules."""

import sys
from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable

from bvf.domain.openings import Openings
from bvf.domain.variants.formats import Format
from bvf.domain.variants.frames import Frame
from bvf.files.contexts.frames import read_formats, read_frames
from bvf.files.contexts.openings import openings_in
from bvf.files.parsing import read_lists
from bvf.interfaces.language import Language


class LanguageInFiles(Language):
    """A language that reads what it can from files in the package of its class, or of a class that this one extends.

    The folder ``openings`` has tables of sentences, a pool each. ``frames.toml`` and ``formats.toml`` are as ``bvf
    contexts frame`` takes them. ``concepts.toml``, ``readers.toml`` (the `passages`) and ``texts.toml`` (``refusals``
    and ``longer_words``) have lists of texts. Where a file or a list is not there, `bvf.Language` answers.
    """

    def openings(self) -> Mapping[str, Openings]:
        folder = self._found("openings")
        return openings_in(folder) if folder else super().openings()

    def frames(self) -> Mapping[str, Frame]:
        file = self._found("frames.toml")
        return read_frames(file) if file else super().frames()

    def formats(self) -> Mapping[str, Format]:
        file = self._found("formats.toml")
        return read_formats(file) if file else super().formats()

    def concepts(self) -> Mapping[str, Sequence[str]]:
        return self._lists("concepts.toml") or super().concepts()

    def passages(self) -> Mapping[str, Sequence[str]]:
        return self._lists("readers.toml") or super().passages()

    def refusals(self) -> Sequence[str]:
        lists = self._lists("texts.toml")
        return self.expressions(lists, "refusals") if "refusals" in lists else super().refusals()

    def longer_words(self) -> Sequence[str]:
        return self._lists("texts.toml").get("longer_words") or super().longer_words()

    def _lists(self, name: str) -> dict[str, tuple[str, ...]]:
        file = self._found(name)
        return read_lists(file) if file else {}

    def _found(self, name: str) -> Traversable | None:
        """The file or folder of this name in the package of the nearest class that has it; None: no package has it."""
        classes = [each for each in type(self).__mro__ if issubclass(each, LanguageInFiles)][:-1]
        packages = filter(None, (sys.modules[each.__module__].__package__ for each in classes))
        found = (files(package) / name for package in packages)
        return next((each for each in found if each.is_file() or each.is_dir()), None)
