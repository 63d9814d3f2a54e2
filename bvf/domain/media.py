"""Media that are shown with the text of a context, such as a picture."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Media:
    """A file that a model is shown with the text of a context.

    Args:
        kind: A word for what it is, such as ``image``.
        file: Where it lies; in a stored measurement, only its name.
        digest: Digest of its bytes, which tells it from other files.
    """

    kind: str
    file: str
    digest: str
