"""Contexts in a chat: as the user's message (a word answers it), or as the start of the assistant's answer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from typing import Any

from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.kinds.slot import Parts
from bvf_transformers.tokens.composing import text_alone
from bvf_transformers.tokens.cutting import Cut
from bvf_transformers.tokens.word_tree import Ids
from transformers import PreTrainedTokenizerBase

from bvf import BvfError, ModelRequest, Prompt
from bvf.domain import Chat, Generation
from bvf.interfaces import ThinkingBackend, Thought
from bvf_llama_backend.templates import (
    BEGIN,
    END,
    SWITCH,
    Marks,
    Messages,
    Template,
    TemplateError,
    marks_in,
    thought_of,
)

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
        thinks: bool = False,
    ) -> None:
        """Check the template on one chat: ``of_run``, if the run puts all contexts into it. ``variables`` are set.

        With ``in_parts`` a message is a list of parts, as models that see images take it: images, and a text.
        ``thinks``: the model thinks before it answers, and a template without marks for thoughts is refused.
        """
        self._model = model
        self._in_parts = in_parts
        self._variables = variables or {}
        self._of_run = of_run
        special: dict[str, Any] = dict(tokenizer.special_tokens_map)
        self._names = {**special, **self._variables}
        source = chat_template_of(tokenizer, model)
        self._template = Template(source)
        if variables:
            self._refuse_unused(special)
        self._chat = of_run or Chat("user")
        self.before_words([(SAMPLE, self._chat, 0)])
        self.reads_clock = self._changes_with(ANOTHER_DAY, TODAY)
        self.date = date_string(TODAY) if self._changes_with(ANOTHER_DAY, ANOTHER_DAY) else ""
        self.marks = self._marks(str(source)) if thinks else Marks()

    def around(self, prompts: Sequence[Prompt]) -> list[Prompt]:
        """Return prompts with their rendered chat, up to the candidate word, as their left text.

        The chat is that of the prompt, else that of the run.
        """
        chats = (replace(prompt.chat or self._chat, before=prompt.before) for prompt in prompts)
        asked = [(prompt.left, chat, len(prompt.media)) for prompt, chat in zip(prompts, chats, strict=True)]
        thinking = [prompt.thought is not None for prompt in prompts]
        written = dict[tuple[Asked, bool], str]()
        for thinks, before in ((False, self.before_words), (True, self.before_thoughts)):
            keys = list(dict.fromkeys(key for key, each in zip(asked, thinking, strict=True) if each == thinks))
            if keys:
                written |= zip([(key, thinks) for key in keys], before(keys), strict=True)
        return [
            self._in_chat(prompt, key[1], written[key, thinks])
            for prompt, key, thinks in zip(prompts, asked, thinking, strict=True)
        ]

    def before_words(self, asked: Sequence[Asked]) -> list[str]:
        """Return the rendered chat up to the candidate word, for each text of a context, its chat, and its images."""
        try:
            written = self._rendered(asked)
        except TemplateError as error:
            turns = "several turns" if any(chat.before for _, chat, _ in asked) else "one turn each"
            what, hint = f"a chat of {turns}", INSTEAD
            chosen = {"--system": self._of_run and self._of_run.system, "--chat-variable": self._variables}
            if options := " or ".join(option for option, value in chosen.items() if value):
                what, hint = f"{options}, or anything else", f"leave {options} out"
            raise BvfError(f"{self._model}: the chat template refuses {what}: {error}", hint) from error
        return [self._before(whole, text, chat) for whole, (text, chat, _) in zip(written, asked, strict=True)]

    def before_thoughts(self, asked: Sequence[Asked]) -> list[str]:
        """Return the rendered chat up to the thought before the answer, for each text of a context and its chat."""
        chats = [_questions(text, chat) for text, chat, _ in asked]
        begun = self._begun(chats, thinks=True)
        for whole, chat in zip(begun, chats, strict=True):
            if not _has_all(whole, chat):
                raise BvfError(f"{self._model}: the chat template loses what is said before an answer", INSTEAD)
        return [each + self.marks.opening for each in begun]

    def _begun(self, chats: Sequence[Messages], *, thinks: bool) -> list[str]:
        """The texts of chats up to the beginning of the assistant's turn."""
        names = {"date_string": date_string(TODAY), SWITCH: thinks, "add_generation_prompt": True, **self._names}
        try:
            return self._template.texts(chats, names, TODAY)
        except TemplateError as error:
            raise BvfError(f"{self._model}: the chat template refuses to begin an answer: {error}", INSTEAD) from error

    def _marks(self, source: str) -> Marks:
        """The marks around thoughts. Refuses a template that has none, or in which the user forbids to think."""
        if self._variables.get(SWITCH) is False:
            raise BvfError(f"--chat-variable {SWITCH}=false: with --reading thought the model thinks", "leave it out")
        chat = _questions(SAMPLE, self._chat)
        begun, without = (self._begun([chat], thinks=thinks)[0] for thinks in (True, False))
        marks = marks_in(source, begun, without)
        if marks is None:
            raise BvfError(
                f"{self._model}: its chat template has no place for a thought, {BEGIN} and {END}",
                "name a model that thinks, or leave --reading thought out",
            )
        return marks

    def _in_chat(self, prompt: Prompt, chat: Chat, before: str) -> Prompt:
        """The prompt with the text of its chat before the word, or, if there is a thought, before that."""
        if prompt.thought is not None:
            before += prompt.thought + self.marks.closing + (prompt.left if chat.turn == "assistant" else "")
        if chat.turn == "assistant":
            return replace(prompt, left=before)
        # a template may write answers with a space before their first word
        return replace(prompt, left=before.removesuffix(" "), spaced=before.endswith(" "))

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
        *others, answer = _messages(text, chat)
        ends = (before + ANSWER).endswith(answer["content"].strip())
        if len(behind) != 1 or not ends or not _has_all(before, others):
            who = ("the system, " if chat.system else "") + "the user or the assistant"
            raise BvfError(f"{self._model}: the chat template loses what {who} says, or writes it twice", INSTEAD)
        return before


def _messages(text: str, chat: Chat) -> Messages:
    """The messages of a chat with the text of a context. The answer ends with the placeholder of the words."""
    answer = "" if chat.turn == "user" else text
    return [*_questions(text, chat), {"role": "assistant", "content": answer + ANSWER}]


def _questions(text: str, chat: Chat) -> Messages:
    """The messages of a chat before the assistant's answer."""
    system = [{"role": "system", "content": chat.system}] if chat.system else []
    return [*system, *json.loads(chat.before or "[]"), {"role": "user", "content": chat.said_by_user(text)}]


def _has_all(whole: str, messages: Messages) -> bool:
    """Whether a chat has every message. What user and assistant say is in its order, the system's may be anywhere."""
    end = 0
    for role, said in ((turn["role"], turn["content"].strip()) for turn in messages):
        place = whole.find(said, 0 if role == "system" else end)
        if place < 0:
            return False
        end = end if role == "system" else place + len(said)
    return True


def _in_parts(messages: Messages, images: int) -> Messages:
    """The messages as lists of parts. The last message of the user begins with the images."""
    parts = [{**turn, "content": [{"type": "text", "text": turn["content"]}]} for turn in messages]
    parts[-2]["content"][:0] = [{"type": "image"}] * images
    return parts


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
        self._cutter_of_chats = self.cutter.without_special_tokens()

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


class ChatModel(LlamaModel, ThinkingBackend):
    """A causal model that reads every context as the user's message in a chat."""

    capabilities = replace(CausalModel.capabilities, wording="chat", reads_chats=True, thinks=True)

    def __init__(self, parts: Parts, request: ModelRequest, turns: ChatTurns, chat: Chat) -> None:
        self.turns = turns
        self._chat = chat
        super().__init__(parts, request)

    def cut(self, prompts: Sequence[Prompt], words: Sequence[str]) -> list[Cut]:
        return super().cut(self._in_chat(prompts), words)

    def ids_before(self, prompts: Sequence[Prompt]) -> list[Ids]:
        return super().ids_before(self._in_chat(prompts))

    def thoughts(self, prompts: Sequence[Prompt], generation: Generation) -> list[list[Thought]]:
        """Return thoughts of the model before it answers. A prompt is read once for all its thoughts."""
        end = self.tokenizer.get_vocab().get(END)
        begun = self.turns.before_thoughts(
            [(each.left, replace(self._chat, before=each.before), 0) for each in prompts]
        )
        lefts, last = self._cutter_of_chats.ids_before(begun), frozenset[int]() if end is None else frozenset([end])
        written = self.continued(prompts, lefts, generation, last)
        return [[self._thought(ids, end) for ids in of_prompt] for of_prompt in written]

    def _thought(self, ids: Sequence[int], end: int | None) -> Thought:
        """The thought of these ids."""
        ended = bool(ids) and ids[-1] == end
        return thought_of(text_alone(self.tokenizer, ids[:-1] if ended else ids), self.turns.marks, ended=ended)

    def _in_chat(self, prompts: Sequence[Prompt]) -> list[Prompt]:
        return [replace(prompt, chat=self._chat) for prompt in prompts]


class ContinuedChatModel(ChatModel):
    """A causal model that reads every context as the start of the assistant's answer, and continues it."""

    capabilities = replace(ChatModel.capabilities, wording="chat-assistant")
