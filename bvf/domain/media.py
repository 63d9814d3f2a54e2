"""Media files that a model gets with the text of a context, such as a picture."""

from dataclasses import dataclass


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
