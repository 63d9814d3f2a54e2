"""A prompt for a model: the text left and right of the slot ``[Y]``."""

from dataclasses import dataclass

from bvf.domain.media import Media


@dataclass(frozen=True)
class Prompt:
    """The text left and right of ``[Y]``. ``[X]`` is filled in, and the backend adds the space before a word.

    Args:
        left: Text before the slot, without trailing space: ``"The nurse said that"``.
        right: Text right of the slot, as it is written there: ``""``, ``"."``, ``" to leave."``.
        group: The group x that stands in ``[X]``.
        context: The template c, as text.
        spaced: The language puts a space between ``left`` and the word.
        media: Media files that the model gets with the text.
    """

    left: str
    right: str
    group: str
    context: str
    spaced: bool = True
    media: tuple[Media, ...] = ()

    def __str__(self) -> str:
        return f"{self.left}{' ' if self.spaced and self.left else ''}[Y]{self.right}"
