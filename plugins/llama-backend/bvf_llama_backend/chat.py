"""Contexts in a chat: as the user's message (a word answers it), or as the start of the assistant's answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, ClassVar

from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.kinds.slot import Parts
from bvf_transformers.tokens.cutting import Cut
from transformers import PreTrainedTokenizerBase

from bvf.domain.prompt import Prompt
from bvf.errors import BvfError
from bvf.interfaces.backend import ModelRequest
from bvf_llama_backend.templates import Chat, Template, TemplateError

ANSWER = "\ufffcanswer\ufffc"
"""Placeholder for the candidate words while a chat is rendered; occurs in no text."""
TODAY = date(2024, 7, 26)
"""The day that templates take for today, so that prompts are the same every day. It is the default of Llama 3."""
ANOTHER_DAY = date(2001, 3, 4)
SAMPLE = "a b c"
INSTEAD = "measure it without --chat-template and --chat-turn, or name another version of the model"


@dataclass(frozen=True)
class Said:
    """What the user chose for a chat: what ``system`` and ``user`` say, and ``variables`` of the template.

    An empty ``system`` leaves out the system message. If ``user`` is empty, the user's message is the context; else it
    is ``user``, and the context begins the assistant's answer.
    """

    system: str = ""
    user: str = ""
    variables: Mapping[str, Any] = field(default_factory=dict)


class ChatTurns:
    """Renders chats with the model's own template.

    ``reads_clock`` is true if the template asks the clock what day it is. ``date`` is the date that it writes, from the
    clock or from its variable ``date_string``. Empty: it writes none, or one that the user set.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, model: str, said: Said) -> None:
        self._model = model
        self._said = said
        special: dict[str, Any] = dict(tokenizer.special_tokens_map)
        self._names = {**special, **said.variables}
        self._template = Template(chat_template_of(tokenizer, model))
        if said.variables:
            self._refuse_unused(special)
        self.before_words([SAMPLE])
        self.reads_clock = self._changes_with(ANOTHER_DAY, TODAY)
        self.date = date_string(TODAY) if self._changes_with(ANOTHER_DAY, ANOTHER_DAY) else ""

    def around(self, prompts: Sequence[Prompt]) -> list[Prompt]:
        """Return the prompts with the rendered chat, up to the candidate word, as their left text."""
        texts = list(dict.fromkeys(prompt.left for prompt in prompts))
        written = dict(zip(texts, self.before_words(texts), strict=True))
        if self._said.user:
            return [replace(prompt, left=written[prompt.left]) for prompt in prompts]
        # a template may write answers with a space before their first word
        spaced = {text: before.endswith(" ") for text, before in written.items()}
        return [
            replace(prompt, left=written[prompt.left].removesuffix(" "), spaced=spaced[prompt.left])
            for prompt in prompts
        ]

    def before_words(self, texts: Sequence[str]) -> list[str]:
        """Return the rendered chat up to the candidate word, for each context."""
        chats = list(map(self._chat, texts))
        try:
            written = self._rendered(chats)
        except TemplateError as error:
            what, hint = "a chat of one turn each", INSTEAD
            chosen = {"--system": self._said.system, "--chat-variable": self._said.variables}
            if options := " or ".join(option for option, value in chosen.items() if value):
                what, hint = f"{options}, or anything else", f"leave {options} out"
            raise BvfError(f"{self._model}: the chat template refuses {what}: {error}", hint) from error
        return [self._before(text, chat) for text, chat in zip(written, chats, strict=True)]

    def _rendered(self, chats: Sequence[Chat], clock: date = TODAY, variable: date = TODAY) -> list[str]:
        """The texts of chats on the day of the clock. ``variable`` is the day that ``date_string`` names."""
        return self._template.texts(chats, {"date_string": date_string(variable), **self._names}, clock)

    def _changes_with(self, clock: date, variable: date) -> bool:
        """Whether these days make another text of a chat than `TODAY`."""
        chats = [self._chat(SAMPLE)]
        try:
            return self._rendered(chats, clock, variable) != self._rendered(chats)
        except TemplateError:
            return True

    def _refuse_unused(self, special: Mapping[str, Any]) -> None:
        """Raise `BvfError` if the user set a variable that the template does not use."""
        try:
            used = [name for name in self._template.variables() if name not in special]
        except TemplateError as error:
            raise BvfError(f"{self._model}: the chat template cannot be read: {error}", INSTEAD) from error
        for name in self._said.variables:
            if name not in used:
                raise BvfError(
                    f"--chat-variable {name}: the chat template of {self._model} has no such variable",
                    f"it has {', '.join(used)}" if used else "it has none",
                )

    def _chat(self, text: str) -> Chat:
        said = self._said
        user, answer = (said.user, text) if said.user else (text, "")
        system = [{"role": "system", "content": said.system}] if said.system else []
        return [*system, {"role": "user", "content": user}, {"role": "assistant", "content": answer + ANSWER}]

    def _before(self, text: str, chat: Chat) -> str:
        """The text of a rendered chat before the candidate word. Refuses a template that drops or repeats a message."""
        before, *behind = text.split(ANSWER)
        *others, answer = (turn["content"].strip() for turn in chat)
        if len(behind) != 1 or not (before + ANSWER).endswith(answer) or not all(turn in before for turn in others):
            who = ("the system, " if self._said.system else "") + "the user or the assistant"
            raise BvfError(f"{self._model}: the chat template loses what {who} says, or writes it twice", INSTEAD)
        return before


def date_string(day: date) -> str:
    """A day as Llama 3 writes it: ``26 Jul 2024``."""
    return day.strftime("%d %b %Y")


def chat_template_of(tokenizer: PreTrainedTokenizerBase, model: str) -> object:
    """Return the chat template of a tokenizer. Refuses a tokenizer without one."""
    if not tokenizer.chat_template:
        raise BvfError(
            f"{model}: the tokenizer has no chat template",
            "leave --chat-template and --chat-turn out, or name the chat version",
        )
    return tokenizer.get_chat_template()


class ChatModel(CausalModel):
    """A causal model that reads every context as the user's message in a chat."""

    capabilities = replace(CausalModel.capabilities, wording="chat")
    adds_special_tokens: ClassVar[bool] = False

    def __init__(self, parts: Parts, request: ModelRequest, turns: ChatTurns) -> None:
        self.turns = turns
        super().__init__(parts, request)

    def distinct_cuts(self, prompts: Sequence[Prompt], words: Sequence[str]) -> tuple[list[Cut], list[int]]:
        return super().distinct_cuts(self.turns.around(prompts), words)

    def token_ids(self, prompt: Prompt, word: str) -> list[int]:
        return super().token_ids(self.turns.around([prompt])[0], word)


class ContinuedChatModel(ChatModel):
    """A causal model that reads every context as the start of the assistant's answer, and continues it."""

    capabilities = replace(CausalModel.capabilities, wording="chat-assistant")
