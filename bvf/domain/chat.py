"""A chat around a context: whose turn the context is, and what was said before it."""

import json
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from bvf.errors import BvfError

Turn = Literal["user", "assistant"]
"""Whose turn of a chat a context is."""
SYSTEM = "system"
AS_JSON = 'write [{"role": "user", "content": "I am a nurse."}, {"role": "assistant", "content": "I see."}]'


@dataclass(frozen=True)
class Chat:
    """The chat in which a context is asked.

    Args:
        turn: ``user``: words begin the answer to the context; ``assistant``: it begins the answer, words continue it.
        user: What the user says before the assistant's turn, with the context in place of ``[C]``; empty where the
            user's message is the context.
        system: What the system's turn says; empty: there is none.
        before: What was said before, for who writes the chat: messages as `messages_in` reads them; empty: nothing.

    Raises:
        BvfError: There is no such turn, the user says nothing before the assistant's turn, or something in addition to
            the context.
    """

    turn: Turn
    user: str = ""
    system: str = ""
    before: str = ""
    CONTEXT: ClassVar[str] = "[C]"
    """In ``user``: the place of the context, which the user then says too."""
    COLUMNS: ClassVar[dict[str, str]] = {"turn": "chat_turn", "user": "chat_user", "system": "chat_system"}
    """The column of a context file that has each field."""

    def __post_init__(self) -> None:
        if self.turn not in get_args(Turn):
            raise BvfError(f'the turn "{self.turn}" is neither user nor assistant', "name one of these")
        if self.turn == "assistant" and not self.user.strip():
            raise BvfError("the user says nothing before the assistant's turn", "write what the user says")
        if self.turn == "user" and self.user:
            raise BvfError("the user's message is the context, and there is another one", "take turn = assistant")

    def said_by_user(self, context: str) -> str:
        """Return what the user says, where a context is the text ``context`` up to its slot."""
        return context if self.turn == "user" else self.user.replace(self.CONTEXT, context)

    @property
    def columns(self) -> dict[str, str]:
        """The fields that say something, by the column of a context file."""
        return {column: value for field, column in self.COLUMNS.items() if (value := getattr(self, field))}

    def __str__(self) -> str:
        said = [f'{who} "{text}"' for who, text in (("system", self.system), ("user", self.user)) if text]
        return ", ".join([f"{self.turn}'s turn", *said])


def messages_in(opening: str) -> list[dict[str, str]]:
    """Return the messages of an opening that is a conversation, a JSON list as in `AS_JSON`; none of sentences.

    Raises:
        BvfError: A list is wrong, a message is empty, the system's is not the first, one role speaks twice in a row, or
            the assistant does not speak last.
    """
    if not (opening.startswith("[") and opening.endswith("]")):
        return []
    try:
        said = json.loads(opening)
    except (ValueError, RecursionError) as error:
        raise BvfError(f"it is not JSON: {error}", AS_JSON) from error
    role = ""
    for number, each in enumerate(said, start=1):
        before, role, text = role, "", ""
        if isinstance(each, dict) and set(each) == {"role", "content"}:
            role, text = each["role"], each["content"]
        if role not in (SYSTEM, *get_args(Turn)) or not isinstance(text, str):
            wrong = f"message {number} is not a role (system, user, assistant) and the content, a text"
        elif not text.strip():
            wrong = f"message {number} is empty"
        elif role == SYSTEM and number > 1:
            wrong = f"message {number} is the system's, which speaks first or not at all"
        elif before == role:
            wrong = f"messages {number - 1} and {number} are both the {role}'s"
        else:
            continue
        raise BvfError(wrong, AS_JSON)
    if role != "assistant":
        raise BvfError(f"it ends with the {role}", "let the assistant speak last: the context or the user follows")
    return list(said)
