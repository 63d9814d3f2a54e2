"""Options for how a causal model reads a context: as plain text, or in a turn of a chat."""

from typing import Annotated, Literal

from bvf_transformers.options import TransformersOptions
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from bvf import BvfError, ModelRequest
from bvf.domain import Chat, Turn
from bvf.interfaces import RUNTIME

USER = {"en": "Continue the text.", "zh": "请续写这段文字。"}
"""The default user message before the assistant's answer, by language of the contexts; else the English one."""
USER_BEFORE_THOUGHT = {"en": f"Continue the text: {Chat.CONTEXT}", "zh": f"请续写下面的文字。\n{Chat.CONTEXT}"}
"""The same where the model thinks before it answers: the thought has to know of the context."""


class ChatOptions(BaseModel):
    """How a causal model reads a context: as plain text, or in a chat as the user's or the assistant's message.

    They are in the identity of a model by its description (`bvf_llama_backend.loading.in_chat`), not as options.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    chat_template: Annotated[bool | str, RUNTIME] = Field(
        default=False,
        description="Put every context into the user's turn of a chat; the words begin the answer. A text: by the "
        "tokenizer's chat template of this name, or by the template in this file.",
    )
    chat_turn: Annotated[Turn | None, RUNTIME] = Field(
        default=None,
        description="Whose turn of a chat a context is; user: the words begin the answer to it; assistant: it begins "
        "the answer, and the words go on. It implies chat_template.",
    )
    user: Annotated[str | None, RUNTIME] = Field(
        default=None,
        description="What the user's turn says before the assistant's, with the context in place of [C]; by default a "
        "request to continue a text.",
    )
    system: Annotated[str, RUNTIME] = Field(default="", description="What the system's turn of the chat says.")
    chat_variable: Annotated[dict[str, JsonValue], RUNTIME] = Field(
        default={}, description="Variables of the chat template, such as {enable_thinking = false}."
    )

    @property
    def turn(self) -> Turn | None:
        """The role in whose turn of a chat a context is, user or assistant; None without a chat."""
        return self.chat_turn or ("user" if self.chat_template else None)

    @property
    def named_template(self) -> str:
        """The name of the chosen chat template, or its file; empty: the tokenizer's default."""
        return self.chat_template if isinstance(self.chat_template, str) else ""


class LlamaOptions(ChatOptions, TransformersOptions):
    """How a causal model is loaded, and how it reads a context."""

    library: Literal["transformers", "llama.cpp"] = Field(
        default="transformers",
        description="GGUF files: what computes. transformers unpacks the weights to floats; llama.cpp leaves them "
        "packed, for files that do not fit otherwise.",
    )


def options_of(request: ModelRequest) -> LlamaOptions:
    """Return the options of a request, or the defaults. Refuses those that `chat_options_of` refuses."""
    chat_options_of(request)
    return request.options if isinstance(request.options, LlamaOptions) else LlamaOptions()


def chat_options_of(request: ModelRequest) -> ChatOptions:
    """Return the options of a request on chats. Refuses an option that needs another one which is missing."""
    chosen = request.options if isinstance(request.options, ChatOptions) else ChatOptions()
    for option, chosen_for_it, why in (
        ("--system", chosen.system, "a bare text has no system's turn"),
        ("--chat-variable", chosen.chat_variable, "a bare text has no template"),
    ):
        if chosen_for_it and not chosen.turn:
            raise BvfError(f"{option} goes with --chat-template: {why}", "add --chat-template")
    if chosen.user is not None and chosen.turn != "assistant":
        raise BvfError(
            "--user goes with --chat-turn assistant: elsewhere the user's turn is the context, or there is none",
            "add --chat-turn assistant",
        )
    if chosen.user is not None and not chosen.user.strip():
        raise BvfError("--user is empty: the user's turn says nothing", "leave it out, and it asks to continue a text")
    return chosen


def chat_of(request: ModelRequest) -> Chat:
    """Return the chat into which a run puts all contexts."""
    chosen = chat_options_of(request)
    return Chat(chosen.turn or "user", user_of(request), chosen.system)


def user_of(request: ModelRequest) -> str:
    """Return the user's message before the assistant's answer. It is empty unless contexts begin this answer."""
    chosen = chat_options_of(request)
    if chosen.turn != "assistant":
        return ""
    if chosen.user and request.thinking is not None and Chat.CONTEXT not in chosen.user:
        raise BvfError(
            "--user does not contain the context, so the model would think without it",
            f"write {Chat.CONTEXT} in its place: --user 'Continue the text: {Chat.CONTEXT}'",
        )
    of_language = USER if request.thinking is None else USER_BEFORE_THOUGHT
    return chosen.user or of_language.get(request.topic.language, of_language["en"])
