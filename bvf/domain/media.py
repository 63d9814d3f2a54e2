"""Media files that a model gets with the text of a context, such as a picture."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Media:
    """A media file that a model gets with the text of a context.

    Args:
        kind: The kind of media, such as ``image``.
        file: Path of the file; in a stored measurement, only its name.
        digest: Digest of its bytes, which distinguishes it from other files.
    """

    kind: str
    file: str
    digest: str
    COLUMNS: ClassVar[tuple[str, ...]] = ("image",)
    """The kinds of which a table of contexts may have a column, with the names of files."""

    @property
    def thumbnail(self) -> str:
        """The name of the file, within the folder of a run, that has its small version."""
        return f"{self.digest}.jpg"
