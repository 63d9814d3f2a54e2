"""Contexts in the user's turn of a chat; the words begin the assistant's answer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from bvf_transformers.causal import CausalModel
from bvf_transformers.cutting import Cut
from bvf_transformers.parts import Parts
from jinja2 import TemplateError
from transformers import PreTrainedTokenizerBase

from bvf.backend import ModelRequest, Wording
from bvf.errors import BvfError
from bvf.prompt import Prompt

ANSWER = "\ufffcanswer\ufffc"
"""Stands for the assistant's words while a chat is written out; no text has it."""
DATE = "26 Jul 2024"
"""What templates of Llama 3 write as today's date, so that tomorrow's run asks the same; their own default."""


class ChatTurns:
    """Writes out a chat as the model's own template has it.

    Raises:
        BvfError: The tokenizer has no chat template, or the template refuses the system's turn.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, model: str, system: str) -> None:
        if not tokenizer.chat_template:
            raise BvfError(
                f"{model}: the tokenizer has no chat template", "leave --chat-template out, or name the chat version"
            )
        self._tokenizer = tokenizer
        self._model = model
        self._system = [{"role": "system", "content": system}] if system else []
        self.before_answer("a b c")

    def around(self, prompt: Prompt) -> Prompt:
        """Return the prompt whose left text is the whole chat, up to the first word of the answer."""
        before = self.before_answer(prompt.left)
        spaced = before.endswith(" ")  # then the template writes answers with a space before their first word
        return replace(prompt, left=before.removesuffix(" "), spaced=spaced)

    def before_answer(self, text: str) -> str:
        """Return everything that the template writes before the assistant's words."""
        turns = [*self._system, {"role": "user", "content": text}, {"role": "assistant", "content": ANSWER}]
        try:
            written = self._tokenizer.apply_chat_template(turns, tokenize=False, date_string=DATE)
        except TemplateError as error:
            what = "--system, or anything else" if self._system else "a chat of one turn each"
            raise BvfError(f"{self._model}: the chat template refuses {what}: {error}", "leave --system out") from error
        before, found, _ = str(written).partition(ANSWER)
        if not found or text not in before:
            raise BvfError(f"{self._model}: the chat template loses what the user or the assistant says")
        return before


class ChatModel(CausalModel):
    """A causal model that reads every context as what a user says."""

    wording: ClassVar[Wording] = "chat"
    adds_special_tokens: ClassVar[bool] = False

    def __init__(self, parts: Parts, request: ModelRequest, turns: ChatTurns) -> None:
        self.turns = turns
        super().__init__(parts, request)

    def distinct_cuts(self, prompts: Sequence[Prompt], words: Sequence[str]) -> tuple[list[Cut], list[int]]:
        return super().distinct_cuts([self.turns.around(prompt) for prompt in prompts], words)

    def token_ids(self, prompt: Prompt, word: str) -> list[int]:
        return super().token_ids(self.turns.around(prompt), word)
