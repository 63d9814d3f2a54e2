"""Contexts in a chat: as the user's message (a word answers it), or as the start of the assistant's answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from typing import Any

from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.kinds.slot import Parts
from bvf_transformers.tokens.cutting import Cut, Cutter
from bvf_transformers.tokens.word_tree import Ids
from transformers import PreTrainedTokenizerBase

from bvf.domain.chat import Chat
from bvf.domain.prompt import Prompt
from bvf.errors import BvfError
from bvf.interfaces.backend import ModelRequest
from bvf_llama_backend.templates import Messages, Template, TemplateError

ANSWER = "\ufffcanswer\ufffc"
"""Placeholder for the candidate words while a chat is rendered; occurs in no text."""
TODAY = date(2024, 7, 26)
"""The day that templates take for today, so that prompts are the same every day. It is the default of Llama 3."""
ANOTHER_DAY = date(2001, 3, 4)
SAMPLE = "a b c"
Asked = tuple[str, Chat, int]
"""The text of a context, its chat, and the number of its images."""
INSTEAD = "measure it without --chat-template and --chat-turn, or name another version of the model"


class ChatTurns:
    """Renders chats with the model's own template.

    ``reads_clock`` is true if the template asks the clock what day it is. ``date`` is the date that it writes, from the
    clock or from its variable ``date_string``. Empty: it writes none, or one that the user set.
    """

    def __init__(
        self,
        tokenizer: PreTrainedTokenizerBase,
        model: str,
        variables: Mapping[str, Any] | None = None,
        of_run: Chat | None = None,
        *,
        in_parts: bool = False,
    ) -> None:
        """Check the template on one chat: ``of_run``, if the run puts all contexts into it. ``variables`` are set.

        With ``in_parts`` a message is a list of parts, as models that see images take it: images, and a text.
        """
        self._model = model
        self._in_parts = in_parts
        self._variables = variables or {}
        self._of_run = of_run
        special: dict[str, Any] = dict(tokenizer.special_tokens_map)
        self._names = {**special, **self._variables}
        self._template = Template(chat_template_of(tokenizer, model))
        if variables:
            self._refuse_unused(special)
        self._chat = of_run or Chat("user")
        self.before_words([(SAMPLE, self._chat, 0)])
        self.reads_clock = self._changes_with(ANOTHER_DAY, TODAY)
        self.date = date_string(TODAY) if self._changes_with(ANOTHER_DAY, ANOTHER_DAY) else ""

    def around(self, prompts: Sequence[Prompt]) -> list[Prompt]:
        """Return prompts with their rendered chat, up to the candidate word, as their left text.

        The chat is that of the prompt, else that of the run.
        """
        asked = [(prompt.left, prompt.chat or self._chat, len(prompt.media)) for prompt in prompts]
        written = dict(zip(dict.fromkeys(asked), self.before_words(list(dict.fromkeys(asked))), strict=True))
        return [_in_chat(prompt, key[1], written[key]) for prompt, key in zip(prompts, asked, strict=True)]

    def before_words(self, asked: Sequence[Asked]) -> list[str]:
        """Return the rendered chat up to the candidate word, for each text of a context, its chat, and its images."""
        try:
            written = self._rendered(asked)
        except TemplateError as error:
            what, hint = "a chat of one turn each", INSTEAD
            chosen = {"--system": self._of_run and self._of_run.system, "--chat-variable": self._variables}
            if options := " or ".join(option for option, value in chosen.items() if value):
                what, hint = f"{options}, or anything else", f"leave {options} out"
            raise BvfError(f"{self._model}: the chat template refuses {what}: {error}", hint) from error
        return [self._before(whole, text, chat) for whole, (text, chat, _) in zip(written, asked, strict=True)]

    def _rendered(self, asked: Sequence[Asked], clock: date = TODAY, variable: date = TODAY) -> list[str]:
        """The texts of chats on the day of the clock. ``variable`` is the day that ``date_string`` names."""
        chats: list[Messages] = [_messages(text, chat) for text, chat, _ in asked]
        if self._in_parts:
            chats = [_in_parts(_messages(text, chat), images) for text, chat, images in asked]
        return self._template.texts(chats, {"date_string": date_string(variable), **self._names}, clock)

    def _changes_with(self, clock: date, variable: date) -> bool:
        """Whether these days make another text of a chat than `TODAY`."""
        asked = [(SAMPLE, self._chat, 0)]
        try:
            return self._rendered(asked, clock, variable) != self._rendered(asked)
        except TemplateError:
            return True

    def _refuse_unused(self, special: Mapping[str, Any]) -> None:
        """Raise `BvfError` if the user set a variable that the template does not use."""
        try:
            used = [name for name in self._template.variables() if name not in special]
        except TemplateError as error:
            raise BvfError(f"{self._model}: the chat template cannot be read: {error}", INSTEAD) from error
        for name in self._variables:
            if name not in used:
                raise BvfError(
                    f"--chat-variable {name}: the chat template of {self._model} has no such variable",
                    f"it has {', '.join(used)}" if used else "it has none",
                )

    def _before(self, whole: str, text: str, chat: Chat) -> str:
        """The text of a rendered chat before the candidate word. Refuses a template that drops or repeats a message."""
        before, *behind = whole.split(ANSWER)
        *others, answer = (turn["content"].strip() for turn in _messages(text, chat))
        if len(behind) != 1 or not (before + ANSWER).endswith(answer) or not all(turn in before for turn in others):
            who = ("the system, " if chat.system else "") + "the user or the assistant"
            raise BvfError(f"{self._model}: the chat template loses what {who} says, or writes it twice", INSTEAD)
        return before


def _in_chat(prompt: Prompt, chat: Chat, before: str) -> Prompt:
    """The prompt with the text of its chat before the word."""
    if chat.turn == "assistant":
        return replace(prompt, left=before)
    # a template may write answers with a space before their first word
    return replace(prompt, left=before.removesuffix(" "), spaced=before.endswith(" "))


def _messages(text: str, chat: Chat) -> list[dict[str, str]]:
    """The messages of a chat with the text of a context. The answer ends with the placeholder of the words."""
    user, answer = (text, "") if chat.turn == "user" else (chat.user, text)
    system = [{"role": "system", "content": chat.system}] if chat.system else []
    return [*system, {"role": "user", "content": user}, {"role": "assistant", "content": answer + ANSWER}]


def _in_parts(messages: list[dict[str, str]], images: int) -> Messages:
    """The messages as lists of parts. The user's message begins with the images."""
    shown = [{"type": "image"}] * images
    return [
        {**turn, "content": [*(shown if turn["role"] == "user" else []), {"type": "text", "text": turn["content"]}]}
        for turn in messages
    ]


def date_string(day: date) -> str:
    """A day as Llama 3 writes it: ``26 Jul 2024``."""
    return day.strftime("%d %b %Y")


def chat_template_of(tokenizer: PreTrainedTokenizerBase, model: str) -> object:
    """Return the chat template of a tokenizer. Refuses a tokenizer without one."""
    if not tokenizer.chat_template:
        raise BvfError(
            f"{model}: the tokenizer has no chat template",
            "ask without a chat, or name the chat version of the model",
        )
    return tokenizer.get_chat_template()


class LlamaModel(CausalModel):
    """A causal model that reads the bare text of a prompt, or the text in the chat that the prompt brings."""

    capabilities = replace(CausalModel.capabilities, reads_chats=True)

    def __init__(self, parts: Parts, request: ModelRequest) -> None:
        super().__init__(parts, request)
        # the text of a chat has its special tokens already
        self._cutter_of_chats = Cutter(
            self.tokenizer, self.model_name, reads_right=self.capabilities.reads_right, adds_special_tokens=False
        )

    @cached_property
    def turns(self) -> ChatTurns:
        """The chat template of the model, for prompts that bring a chat."""
        return ChatTurns(self.tokenizer, self.model_name)

    def cut(self, prompts: Sequence[Prompt], words: Sequence[str]) -> list[Cut]:
        cuts: dict[int, Cut] = {}
        bare = [index for index, prompt in enumerate(prompts) if prompt.chat is None]
        in_chats = [index for index, prompt in enumerate(prompts) if prompt.chat]
        if bare:
            cuts.update(zip(bare, super().cut([prompts[index] for index in bare], words), strict=True))
        if in_chats:
            around = self.turns.around([prompts[index] for index in in_chats])
            cuts.update(zip(in_chats, self._cutter_of_chats.cut(around, words), strict=True))
        return [cuts[index] for index in range(len(prompts))]

    def ids_before(self, prompts: Sequence[Prompt]) -> list[Ids]:
        ids: dict[int, Ids] = {}
        bare = [index for index, prompt in enumerate(prompts) if prompt.chat is None]
        in_chats = [index for index, prompt in enumerate(prompts) if prompt.chat]
        if bare:
            ids.update(zip(bare, super().ids_before([prompts[index] for index in bare]), strict=True))
        if in_chats:
            around = [prompt.left for prompt in self.turns.around([prompts[index] for index in in_chats])]
            ids.update(zip(in_chats, self._cutter_of_chats.ids_before(around), strict=True))
        return [ids[index] for index in range(len(prompts))]


class ChatModel(LlamaModel):
    """A causal model that reads every context as the user's message in a chat."""

    capabilities = replace(CausalModel.capabilities, wording="chat")

    def __init__(self, parts: Parts, request: ModelRequest, turns: ChatTurns, chat: Chat) -> None:
        self.turns = turns
        self._chat = chat
        super().__init__(parts, request)

    def cut(self, prompts: Sequence[Prompt], words: Sequence[str]) -> list[Cut]:
        return super().cut(self._in_chat(prompts), words)

    def ids_before(self, prompts: Sequence[Prompt]) -> list[Ids]:
        return super().ids_before(self._in_chat(prompts))

    def _in_chat(self, prompts: Sequence[Prompt]) -> list[Prompt]:
        return [replace(prompt, chat=self._chat) for prompt in prompts]


class ContinuedChatModel(ChatModel):
    """A causal model that reads every context as the start of the assistant's answer, and continues it."""

    capabilities = replace(CausalModel.capabilities, wording="chat-assistant")
