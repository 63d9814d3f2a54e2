"""Contexts in a chat, as a user's message or the start of an assistant's answer; templates that fail are refused."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.kinds.slot import Parts
from bvf_transformers.tokens.composing import text_alone
from bvf_transformers.tokens.cutting import Cut, by_kind
from bvf_transformers.tokens.word_tree import Ids
from transformers import PreTrainedTokenizerBase

from bvf import BvfError, ModelRequest, Prompt
from bvf.domain import Chat, Generation
from bvf.errors import nearest
from bvf.files import digest_of, read_text
from bvf.interfaces import ThinkingBackend, Thought
from bvf.stats import FloatArray
from bvf_llama_backend.options import chat_of, chat_options_of
from bvf_llama_backend.templates import (
    BEGIN,
    END,
    SWITCH,
    Marks,
    Messages,
    Template,
    TemplateError,
    marks_in,
    thought_begun,
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
DEFAULT = "default"
OF_USER = Chat("user")
INSTEAD = "measure it without --chat-template and --chat-turn, or name another version of the model"


class ChatTurns:
    """Renders chats with the model's own template.

    ``reads_clock`` is true if the template asks the clock what day it is. ``date`` is the date that it writes, from the
    clock or from its variable ``date_string``. Empty: it writes none, or one that the user set. ``opening`` is what
    begins a thought where it begins an answer to the user by one, and ``end`` what ends the assistant's turn, unless
    that ends any text; empty: nothing.
    """

    def __init__(
        self,
        tokenizer: PreTrainedTokenizerBase,
        model: str,
        variables: Mapping[str, Any] | None = None,
        chat: Chat = OF_USER,
        *,
        in_parts: bool = False,
        thinks: bool = False,
    ) -> None:
        """Check the template on one ``chat``, into which contexts without one of their own are put. Sets ``variables``.

        With ``in_parts`` a message is a list of parts, as models that see images take it: images, and a text.
        ``thinks``: the model thinks before it answers, and a template without marks for thoughts is refused.
        """
        self._model = model
        self._in_parts = in_parts
        self._variables = variables or {}
        special: dict[str, Any] = dict(tokenizer.special_tokens_map)
        self._names = {**special, **self._variables}
        source = chat_template_of(tokenizer, model)
        self.digest = digest_of(str(source))[:8]
        self._template = Template(source)
        if variables:
            self._refuse_unused(special)
        self.chat = chat
        self._sample: list[Asked] = [(SAMPLE, chat, 0)]
        self._begins = self._empty = ""
        self._plain = self._in_parts_or_not()
        if chat.turn == "user":
            begun, without = (
                self._begun(self._sample, {**self._names, **switch})[0] for switch in ({}, {SWITCH: False})
            )
            self._begins, self._empty = thought_begun(begun, without)
        self.opening = self._begins if self._begins != self._empty else ""
        usual = self._rendered(self._sample)
        self.end = end_of_turn(usual[0].partition(ANSWER)[2], tokenizer)
        self.reads_clock = self._differs(usual, ANOTHER_DAY, TODAY)
        self.date = date_string(TODAY) if self._differs(usual, ANOTHER_DAY, ANOTHER_DAY) else ""
        self.marks = self._marks(str(source)) if thinks else Marks()

    def _in_parts_or_not(self) -> list[str]:
        """The rendered sample. From here on messages are lists of parts if the template takes those alone."""
        try:
            return self.before_words(self._sample)
        except BvfError:
            self._in_parts = True
            with suppress(BvfError):
                before = self.before_words(self._sample)
                if "'type'" not in before[0]:  # else the template writes the list itself
                    return before
            raise

    def remark(self, *, writes: bool, thinks: bool) -> str:
        """Return what a record says of what else stands before words, or ends what a model ``writes`` or ``thinks``."""
        remarks = ""
        if not thinks and self.before_words(self._sample, leaves_open=writes) != self._plain:
            remarks += f", answers begin with {self._begins if writes else self._empty!r}"
        return remarks + (f", {self.end!r} ends a turn" if self.end and (writes or thinks) else "")

    def around(self, prompts: Sequence[Prompt], *, leaves_open: bool = False) -> list[Prompt]:
        """Return prompts with their rendered chat, up to the candidate word, as their left text.

        The chat is that of the prompt, else that of the run. ``leaves_open`` is as in `before_words`.
        """

        def in_chats(thinks: bool, pairs: Sequence[tuple[Prompt, Chat]]) -> list[Prompt]:
            asked = [(prompt.left, chat, len(prompt.media)) for prompt, chat in pairs]
            keys = list(dict.fromkeys(asked))
            before = self.before_thoughts(keys) if thinks else self.before_words(keys, leaves_open=leaves_open)
            written = dict(zip(keys, before, strict=True))
            return [self._in_chat(*pair, written[key]) for pair, key in zip(pairs, asked, strict=True)]

        pairs = [(prompt, replace(prompt.chat or self.chat, before=prompt.before)) for prompt in prompts]
        return by_kind(pairs, lambda pair: pair[0].thought is not None, in_chats)

    def before_words(self, asked: Sequence[Asked], *, leaves_open: bool = False) -> list[str]:
        """Return the rendered chat up to the candidate word, for each text of a context, its chat, and its images.

        If the template begins an answer with a thought, it is empty, or ``leaves_open`` and has only begun.
        """
        try:
            written = self._rendered(asked)
        except TemplateError as error:
            turns = "several turns" if any(chat.before for _, chat, _ in asked) else "one turn each"
            what, hint = f"a chat of {turns}", INSTEAD
            chosen = {"--system": self.chat.system, "--chat-variable": self._variables}
            if options := " or ".join(option for option, value in chosen.items() if value):
                what, hint = f"{options}, or anything else", f"leave {options} out"
            raise BvfError(f"{self._model}: the chat template refuses {what}: {error}", hint) from error
        before = [self._before(whole, text, chat) for whole, (text, chat, _) in zip(written, asked, strict=True)]
        to_users = [index for index, (_, chat, _) in enumerate(asked) if self._begins and chat.turn == "user"]
        if to_users:
            begun = self._begun([asked[index] for index in to_users], self._names)
            thought = self._begins if leaves_open else self._empty
            for index, text in zip(to_users, begun, strict=True):
                before[index] = text.removesuffix(self._begins) + thought
        return before

    def before_thoughts(self, asked: Sequence[Asked]) -> list[str]:
        """Return the rendered chat up to the thought before the answer, for each text of a context and its chat."""
        return [each + self.marks.opening for each in self._begun(asked, {SWITCH: True, **self._names})]

    def _begun(self, asked: Sequence[Asked], names: Mapping[str, Any]) -> list[str]:
        """The texts of chats up to the beginning of the assistant's turn. Refuses a template that drops a message."""
        chats = [self._said(_questions(text, chat), images) for text, chat, images in asked]
        names = {"date_string": date_string(TODAY), "add_generation_prompt": True, **names}
        try:
            begun = self._template.texts(chats, names, TODAY)
        except TemplateError as error:
            raise BvfError(f"{self._model}: the chat template refuses to begin an answer: {error}", INSTEAD) from error
        for whole, (text, chat, _) in zip(begun, asked, strict=True):
            if not _has_all(whole, _questions(text, chat)):
                raise BvfError(f"{self._model}: the chat template loses what is said before an answer", INSTEAD)
        return begun

    def _marks(self, source: str) -> Marks:
        """The marks around thoughts. Refuses a template that has none, or in which the user forbids to think."""
        if self._variables.get(SWITCH) is False:
            raise BvfError(f"--chat-variable {SWITCH}=false: with --reading thought the model thinks", "leave it out")
        begun, without = (self._begun(self._sample, {SWITCH: thinks, **self._names})[0] for thinks in (True, False))
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
            return replace(prompt, chat=chat, left=before)
        # a template may write answers with a space before their first word
        return replace(prompt, chat=chat, left=before.removesuffix(" "), spaced=before.endswith(" "))

    def _rendered(self, asked: Sequence[Asked], clock: date = TODAY, variable: date = TODAY) -> list[str]:
        """The texts of chats on the day of the clock. ``variable`` is the day that ``date_string`` names."""
        chats = [self._said(_messages(text, chat), images) for text, chat, images in asked]
        return self._template.texts(chats, {"date_string": date_string(variable), **self._names}, clock)

    def _said(self, messages: Messages, images: int) -> Messages:
        """The messages as the template takes them: with their texts, or with lists of parts."""
        return _in_parts(messages, images) if self._in_parts else messages

    def _differs(self, usual: Sequence[str], clock: date, variable: date) -> bool:
        """Whether these days make another text of the sample than the ``usual`` one."""
        try:
            return self._rendered(self._sample, clock, variable) != usual
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
    last = max(place for place, turn in enumerate(parts) if turn["role"] == "user")
    parts[last]["content"][:0] = [{"type": "image"}] * images
    return parts


def date_string(day: date) -> str:
    """A day as Llama 3 writes it: ``26 Jul 2024``."""
    return day.strftime("%d %b %Y")


def end_of_turn(behind: str, tokenizer: PreTrainedTokenizerBase) -> str:
    """Return the mark at the beginning of what a template writes ``behind`` an answer: a token, or the first line.

    It is empty where only white space stands there, or the token that ends any text.
    """
    line = behind.strip().partition("\n")[0].strip()
    tokens = [token for token in tokenizer.get_added_vocab() if line.startswith(token)]
    end = max(tokens, key=len, default=line)
    return "" if end == tokenizer.eos_token else end


def chat_template_of(tokenizer: PreTrainedTokenizerBase, model: str, chosen: str = "") -> object:
    """Return the chat template of a tokenizer: the one of the name ``chosen``, or in that file; else its default."""
    own = tokenizer.chat_template
    named = own if isinstance(own, dict) else {DEFAULT: own} if own else {}
    if chosen and chosen not in named and Path(chosen).is_file():
        return read_text(Path(chosen))
    if not named:
        raise BvfError(
            f"{model}: the tokenizer has no chat template", "ask without a chat, or name the chat version of the model"
        )
    if chosen and chosen not in named:
        what = f'the tokenizer has no chat template "{chosen}", and there is no such file'
        raise BvfError(f"{model}: {what}", nearest(chosen, sorted(named)))
    if not chosen and DEFAULT not in named:
        what = "the tokenizer has several chat templates, and none of them is the default"
        raise BvfError(f"{model}: {what}", f"choose one by -B chat_template=NAME: {', '.join(sorted(named))}")
    return named[chosen or DEFAULT]


def chat_turns(tokenizer: PreTrainedTokenizerBase, request: ModelRequest, *, in_parts: bool = False) -> ChatTurns:
    """Return the chat template of a tokenizer with the choices of a request. ``in_parts`` is as in `ChatTurns`."""
    chosen, thinks = chat_options_of(request), request.thinking is not None
    tokenizer.chat_template = chat_template_of(tokenizer, request.model, chosen.named_template)
    return ChatTurns(tokenizer, request.model, chosen.chat_variable, chat_of(request), in_parts=in_parts, thinks=thinks)


class LlamaModel(CausalModel):
    """A causal model that reads the bare text of a prompt, or the text in the chat that the prompt brings."""

    capabilities = replace(CausalModel.capabilities, reads_chats=True)

    def __init__(self, parts: Parts, request: ModelRequest) -> None:
        super().__init__(parts, request)
        # the text of a chat has its special tokens already
        self._cutter_of_chats = self.cutter.without_special_tokens()
        self._writes = request.generation is not None

    @cached_property
    def turns(self) -> ChatTurns:
        """The chat template of the model, for prompts that bring a chat."""
        return ChatTurns(self.tokenizer, self.model_name)

    def is_in_chat(self, prompt: Prompt) -> bool:
        """Whether a prompt is read in a chat."""
        return prompt.chat is not None

    def cut(self, prompts: Sequence[Prompt], words: Sequence[str]) -> list[Cut]:
        bare = super().cut

        def cuts(in_chat: bool, alike: list[Prompt]) -> list[Cut]:
            if not in_chat:
                return bare(alike, words)
            return self._cutter_of_chats.cut(self.turns.around(alike, leaves_open=self._writes), words)

        return by_kind(prompts, self.is_in_chat, cuts)

    def ids_before(self, prompts: Sequence[Prompt]) -> list[Ids]:
        bare = super().ids_before

        def ids(in_chat: bool, alike: list[Prompt]) -> list[Ids]:
            if not in_chat:
                return bare(alike)
            around = self.turns.around(alike, leaves_open=True)
            return self._cutter_of_chats.ids_before([prompt.left for prompt in around])

        return by_kind(prompts, self.is_in_chat, ids)

    def texts_owing(
        self, prompts: Sequence[Prompt], generation: Generation, classes: Sequence[Sequence[str]]
    ) -> tuple[list[list[str]], FloatArray | None]:
        bare = super().texts_owing

        def pairs(in_chat: bool, alike: list[Prompt]) -> list[tuple[list[str], Any]]:
            texts, owed = (self.in_chat if in_chat else bare)(alike, generation, classes)
            return list(zip(texts, [None] * len(texts) if owed is None else owed, strict=True))

        found = by_kind(prompts, self.is_in_chat, pairs)
        texts, owed = [text for text, _ in found], [each for _, each in found if each is not None]
        return texts, np.array(owed) if owed else None

    def in_chat(
        self, prompts: Sequence[Prompt], generation: Generation, classes: Sequence[Sequence[str]]
    ) -> tuple[list[list[str]], FloatArray | None]:
        """Return `texts_owing` of prompts in a chat, up to the end of the turn. They begin with the open thought."""
        texts, owed = self.texts_up_to(self.end_of_turn, prompts, generation, classes)
        in_answers = [prompt.chat is not None and prompt.chat.turn == "assistant" for prompt in prompts]
        return [
            [("" if in_answer else self.turns.opening) + self.before_end(text) for text in of_prompt]
            for of_prompt, in_answer in zip(texts, in_answers, strict=True)
        ], owed

    @cached_property
    def end_of_turn(self) -> frozenset[int]:
        """The id of the token that ends the assistant's turn, if it is one token."""
        end = self.tokenizer.get_vocab().get(self.turns.end)
        return frozenset() if end is None else frozenset([end])

    def before_end(self, text: str) -> str:
        """Return a text up to what ends the assistant's turn."""
        return text.partition(self.turns.end)[0] if self.turns.end else text


class ChatModel(LlamaModel, ThinkingBackend):
    """A causal model that reads every context as the user's message in a chat, or in the chat that it brings."""

    capabilities = replace(CausalModel.capabilities, wording="chat", reads_chats=True, thinks=True)

    def __init__(self, parts: Parts, request: ModelRequest) -> None:
        self.turns = chat_turns(parts.tokenizer, request)
        self._has_chats = request.in_chats
        if request.in_chats:
            self.capabilities = LlamaModel.capabilities  # type: ignore[misc]  # of this run alone
        super().__init__(parts, request)

    def is_in_chat(self, prompt: Prompt) -> bool:
        return not self._has_chats or super().is_in_chat(prompt)

    def thoughts(self, prompts: Sequence[Prompt], generation: Generation) -> list[list[Thought]]:
        """Return thoughts of the model before it answers. A prompt is read once for all its thoughts."""
        end = self.tokenizer.get_vocab().get(END)
        chats = [(each.left, replace(self.turns.chat, before=each.before), 0) for each in prompts]
        lefts = self._cutter_of_chats.ids_before(self.turns.before_thoughts(chats))
        last = self.end_of_turn | ({end} if end is not None else set())
        written = self.continued(prompts, lefts, generation, last)
        return [[self._thought(ids, end) for ids in of_prompt] for of_prompt in written]

    def _thought(self, ids: Sequence[int], end: int | None) -> Thought:
        """The thought of these ids."""
        ended = bool(ids) and ids[-1] == end
        return thought_of(
            self.before_end(text_alone(self.tokenizer, ids[:-1] if ended else ids)), self.turns.marks, ended=ended
        )


class ContinuedChatModel(ChatModel):
    """A causal model that reads every context as the start of the assistant's answer, and continues it."""

    capabilities = replace(ChatModel.capabilities, wording="chat-assistant")
