"""Contexts in a chat: as the user's message (a word answers it), or as the start of the assistant's answer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

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
DATE = "26 Jul 2024"
"""The date that templates of Llama 3 write as today's, fixed so that prompts are the same every day; their default."""
INSTEAD = "measure it without --chat-template and --chat-turn, or name another version of the model"


class ChatTurns:
    """Renders chats with the model's own template.

    An empty ``system`` leaves out the system message. If ``user`` is empty, the user's message is the context; else it
    is ``user``, and the context begins the assistant's answer.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, model: str, system: str, user: str) -> None:
        self._model = model
        self._system = system
        self._user = user
        names = {**tokenizer.special_tokens_map, "date_string": DATE}
        self._template = Template(chat_template_of(tokenizer, model), names)
        self.before_words(["a b c"])

    def around(self, prompts: Sequence[Prompt]) -> list[Prompt]:
        """Return the prompts with the rendered chat, up to the candidate word, as their left text."""
        texts = list(dict.fromkeys(prompt.left for prompt in prompts))
        written = dict(zip(texts, self.before_words(texts), strict=True))
        if self._user:
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
            written = self._template.texts(chats)
        except TemplateError as error:
            what, hint = "a chat of one turn each", INSTEAD
            if self._system:
                what, hint = "--system, or anything else", "leave --system out"
            raise BvfError(f"{self._model}: the chat template refuses {what}: {error}", hint) from error
        return [self._before(text, chat) for text, chat in zip(written, chats, strict=True)]

    def _chat(self, text: str) -> Chat:
        user, answer = (self._user, text) if self._user else (text, "")
        system = [{"role": "system", "content": self._system}] if self._system else []
        return [*system, {"role": "user", "content": user}, {"role": "assistant", "content": answer + ANSWER}]

    def _before(self, text: str, chat: Chat) -> str:
        """The text of a rendered chat before the candidate word. Refuses a template that drops or repeats a message."""
        before, *behind = text.split(ANSWER)
        *others, answer = (turn["content"].strip() for turn in chat)
        if len(behind) != 1 or not (before + ANSWER).endswith(answer) or not all(turn in before for turn in others):
            who = ("the system, " if self._system else "") + "the user or the assistant"
            raise BvfError(f"{self._model}: the chat template loses what {who} says, or writes it twice", INSTEAD)
        return before


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
