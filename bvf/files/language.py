"""A language whose openings, frames and lists of words are files in the package of its rules."""

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
    """A language that reads what it can from files in the package of its class.

    The folder ``openings`` has tables of sentences, a pool each. ``frames.toml`` and ``formats.toml`` are as ``bvf
    contexts frame`` takes them. ``concepts.toml``, ``readers.toml`` (the `passages`) and ``texts.toml`` (``refusals``
    and ``longer_words``) have lists of texts. Without a file, a method returns what that of `Language` does.
    """

    def openings(self) -> Mapping[str, Openings]:
        folder = self._in_package("openings")
        return openings_in(folder) if folder.is_dir() else super().openings()

    def frames(self) -> Mapping[str, Frame]:
        file = self._in_package("frames.toml")
        return read_frames(file) if file.is_file() else super().frames()

    def formats(self) -> Mapping[str, Format]:
        file = self._in_package("formats.toml")
        return read_formats(file) if file.is_file() else super().formats()

    def concepts(self) -> Mapping[str, Sequence[str]]:
        return self._lists("concepts.toml")

    def passages(self) -> Mapping[str, Sequence[str]]:
        return self._lists("readers.toml")

    def refusals(self) -> Sequence[str]:
        lists = self._lists("texts.toml")
        return self.expressions(lists, "refusals") if lists else ()

    def longer_words(self) -> Sequence[str]:
        return self._lists("texts.toml").get("longer_words", ())

    def _in_package(self, name: str) -> Traversable:
        return files(type(self).__module__.rpartition(".")[0]) / name

    def _lists(self, name: str) -> dict[str, tuple[str, ...]]:
        file = self._in_package(name)
        return read_lists(file) if file.is_file() else {}
