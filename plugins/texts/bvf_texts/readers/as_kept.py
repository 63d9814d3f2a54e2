"""The reader of a result that a reader of a file made: what that one read is kept beside the texts."""

from collections.abc import Sequence
from pathlib import Path

from bvf import BvfError, Language
from bvf.domain import Attribute, ReadingError
from bvf.errors import shortened
from bvf_texts.kept import kept_in
from bvf_texts.reader import Read, Reader, ReadText, Unread

KEPT = "kept"


class AsKept(Reader):
    """``kept:DIGEST NAME``: what the reader NAME read, by what has this digest. NAME is shown, and never opened.

    Raises:
        BvfError: There is no digest: an older bvf kept nothing.
    """

    def __init__(self, parameter: str) -> None:
        self.digest, _, self.named = parameter.partition(" ")
        self._kept = dict[str, Read]()
        self._error: ReadingError | None = None
        if not self.digest:
            raise self._not_kept("the texts")

    def prepare(
        self, texts: Sequence[str], classes: Sequence[Attribute], language: Language, folder: Path | None
    ) -> None:
        found = [] if folder is None else list(kept_in(folder, self.digest))
        if not found:
            raise self._not_kept(str(folder))
        for each in found:
            self._kept |= {**each.read, **{text: Unread(why) for text, why in each.unread.items()}}
            self._error, self.names_first = self._error or each.error, each.names_first

    def error(self, classes: Sequence[Attribute], language: Language) -> ReadingError | None:
        return self._error

    def reading(self, classes: Sequence[Attribute], language: Language) -> ReadText:
        names = {each.name for each in classes}

        def read(text: str) -> Read:
            found = self._kept.get(text)
            if found is None or (isinstance(found, str) and found not in names):
                raise self._not_kept(f'"{shortened(text)}"')
            return found

        return read

    def _not_kept(self, what: str) -> BvfError:
        return BvfError(
            f"{what}: what {self.named} read is not kept in the folder, and a file that a result names is not opened",
            f"name it: bvf analyse DIR --reader {self.named}",
        )
