"""Contexts in the user's turn of a chat; the words begin the assistant's answer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.kinds.parts import Parts
from bvf_transformers.tokens.cutting import Cut
from transformers import PreTrainedTokenizerBase

from bvf.domain.prompt import Prompt
from bvf.errors import BvfError
from bvf.interfaces.backend import ModelRequest
from bvf_llama_backend.templates import Template, TemplateError

ANSWER = "\ufffcanswer\ufffc"
"""Stands for the assistant's words while a chat is written out; it occurs in no text."""
DATE = "26 Jul 2024"
"""What templates of Llama 3 write as today's date, so that tomorrow's run asks the same; their own default."""


class ChatTurns:
    """Writes out a chat by the model's own template.

    Raises:
        BvfError: The tokenizer has no chat template, or the template refuses the system's turn.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, model: str, system: str) -> None:
        template = chat_template_of(tokenizer, model)
        self._model = model
        self._system = [{"role": "system", "content": system}] if system else []
        names = {**tokenizer.special_tokens_map, "date_string": DATE}
        self._template = Template(template, names)
        self.before_answers(["a b c"])

    def around(self, prompts: Sequence[Prompt]) -> list[Prompt]:
        """Return prompts whose left text is the whole chat, up to the first word of the answer."""
        texts = list(dict.fromkeys(prompt.left for prompt in prompts))
        written = dict(zip(texts, self.before_answers(texts), strict=True))
        return [_with_left(prompt, written[prompt.left]) for prompt in prompts]

    def before_answers(self, texts: Sequence[str]) -> list[str]:
        """Return for each text everything that the template writes before the assistant's words."""
        answer = {"role": "assistant", "content": ANSWER}
        try:
            written = self._template.texts(
                [[*self._system, {"role": "user", "content": text}, answer] for text in texts]
            )
        except TemplateError as error:
            what, hint = "a chat of one turn each", "leave --chat-template out, or name another version of the model"
            if self._system:
                what, hint = "--system, or anything else", "leave --system out"
            raise BvfError(f"{self._model}: the chat template refuses {what}: {error}", hint) from error
        return [self._before(chat, text) for chat, text in zip(written, texts, strict=True)]

    def _before(self, chat: str, text: str) -> str:
        before, marker, _ = chat.partition(ANSWER)
        if not marker or text not in before:
            raise BvfError(
                f"{self._model}: the chat template loses what the user or the assistant says",
                "leave --chat-template out, or name another version of the model",
            )
        return before


def chat_template_of(tokenizer: PreTrainedTokenizerBase, model: str) -> object:
    """Return the chat template of a tokenizer, as the model's files have it.

    Raises:
        BvfError: It has none.
    """
    if not tokenizer.chat_template:
        raise BvfError(
            f"{model}: the tokenizer has no chat template", "leave --chat-template out, or name the chat version"
        )
    return tokenizer.get_chat_template()


def _with_left(prompt: Prompt, before: str) -> Prompt:
    spaced = before.endswith(" ")  # the template writes answers with a space before their first word
    return replace(prompt, left=before.removesuffix(" "), spaced=spaced)


class ChatModel(CausalModel):
    """A causal model that reads every context as what a user says."""

    capabilities = replace(CausalModel.capabilities, wording="chat")
    adds_special_tokens: ClassVar[bool] = False

    def __init__(self, parts: Parts, request: ModelRequest, turns: ChatTurns) -> None:
        self.turns = turns
        super().__init__(parts, request)

    def distinct_cuts(self, prompts: Sequence[Prompt], words: Sequence[str]) -> tuple[list[Cut], list[int]]:
        return super().distinct_cuts(self.turns.around(prompts), words)

    def token_ids(self, prompt: Prompt, word: str) -> list[int]:
        return super().token_ids(self.turns.around([prompt])[0], word)
