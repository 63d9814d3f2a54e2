"""What a context shows beside its text: a picture, say."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Media:
    """A file that a model is shown with the text of a context.

    Args:
        kind: A word for what it is, such as ``image``.
        file: Where it lies; of a stored measurement its name alone.
        digest: Of its bytes, by which it is told apart from others.
    """

    kind: str
    file: str
    digest: str
