"""Formats: wordings of a request around a context, such as the bare text or a turn of a chat."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Generic, Self, TypeVar

from pydantic import Field, ValidationInfo, field_validator

from bvf.domain.chat import Chat, Turn
from bvf.domain.config import Config
from bvf.domain.context import Template
from bvf.errors import BvfError, nearest

T = TypeVar("T")
FORMAT = "format"
"""The frame whose levels are formats."""
TEMPLATE = "[template]"


class Format(Config):
    """A wording around a context. Without a turn, the model reads the text alone."""

    text: str = Field(default=TEMPLATE, description="Where the template stands, as in 'Continue: [template]'")
    turn: Turn | None = Field(default=None, description="Whose turn of a chat the text is; none: there is no chat")
    user: str = Field(default="", description="What the user says before the assistant's turn")
    system: str = Field(default="", validate_default=True, description="What the system's turn of the chat says")

    @field_validator("text")
    @classmethod
    def _has_the_template_once(cls, text: str) -> str:
        if text.count(TEMPLATE) != 1:
            raise ValueError(f"it needs {TEMPLATE} once")
        return text

    @field_validator("system")
    @classmethod
    def _fits_a_chat(cls, system: str, info: ValidationInfo) -> str:
        turn, user = info.data.get("turn"), info.data.get("user", "")
        if turn is None and (user or system):
            raise ValueError("the user and the system speak in a chat: give it a turn, user or assistant")
        try:
            _ = turn and Chat(turn, user, system)
        except BvfError as error:
            raise ValueError(error.message) from error
        return system

    @property
    def chat(self) -> Chat | None:
        """The chat in which a context is asked; None: the model reads the bare text."""
        return Chat(self.turn, self.user, self.system) if self.turn else None


@dataclass(frozen=True)
class NamedLevels(Generic[T]):
    """A frame whose levels are the names of things of the kind ``what``."""

    what: ClassVar[str]
    named: Mapping[str, T]

    @property
    def levels(self) -> tuple[str, ...]:
        """The names."""
        return tuple(self.named)

    def with_levels(self, levels: Sequence[str], where: str) -> Self:
        """Return the frame with these names alone.

        Raises:
            BvfError: There is no such name, or there are fewer than two different ones. ``where`` begins the message.
        """
        for name in levels:
            if name not in self.named:
                raise BvfError(f'{where}: there is no {self.what} "{name}"', nearest(name, list(self.named)))
        if len(set(levels)) < max(2, len(levels)):
            known = f"known: {', '.join(self.named)}"
            raise BvfError(f"{where}: two or more different {self.what}s are compared", known)
        return type(self)({name: self.named[name] for name in levels})


class Formats(NamedLevels[Format]):
    """Some formats by name."""

    what = FORMAT

    def around(self, template: Template, level: str, inside: Callable[[str], str]) -> Template:
        """Return a template in the format of this name.

        Raises:
            BvfError: The template is in a chat already.
        """
        if template.chat:
            raise BvfError(f'"{template.key}" is in a chat already', "frame the set that it was made from")
        chosen = self.named[level]
        return replace(template, text=chosen.text.replace(TEMPLATE, template.text), chat=chosen.chat)
