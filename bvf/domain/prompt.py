"""A prompt for a model: the text left and right of the slot ``[Y]``."""

from dataclasses import dataclass

from bvf.domain.chat import Chat
from bvf.domain.media import Media
from bvf.errors import BvfError


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
        chat: The chat in which the text is a turn; None: the backend decides how the text is read.
        thought: What the model has thought before it answers in the chat; None: it has not thought.
        before: What was said before in the chat of the prompt or of the run: messages as JSON; empty: nothing.
    """

    left: str
    right: str
    group: str
    context: str
    spaced: bool = True
    media: tuple[Media, ...] = ()
    chat: Chat | None = None
    thought: str | None = None
    before: str = ""

    @property
    def right_to_group(self) -> str:
        """The text right of the slot up to the end of the first group there; empty if a group stands left of it.

        >>> Prompt("The", " old nurse said so.", "nurse", "The [Y] old [X] said so.").right_to_group
        ' old nurse'

        Raises:
            BvfError: The group stands there in other letters.
        """
        before, _, after = self.context.partition("[Y]")
        if "[X]" in before or "[X]" not in after:
            return ""
        between = after.partition("[X]")[0]
        *read, last = self.right.split(self.group, between.count(self.group) + 1)
        if len(read) <= between.count(self.group):
            raise BvfError(
                f'"{self.group}" does not stand as it is right of [Y] in "{self}"',
                "write [X] left of [Y] in this template, or take a masked or seq2seq model",
            )
        return self.right.removesuffix(last)

    def __str__(self) -> str:
        return f"{self.left}{' ' if self.spaced and self.left else ''}[Y]{self.right}"
