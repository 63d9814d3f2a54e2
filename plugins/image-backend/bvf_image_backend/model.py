"""Models that read images and text: p of a word as the continuation of pictures and the text before the slot."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import torch
from bvf_llama_backend.chat import ChatTurns, chat_turns
from bvf_transformers.kinds.causal import STRICTNESS, CausalModel
from bvf_transformers.kinds.slot import Parts
from bvf_transformers.reading.readout import at_column
from bvf_transformers.reading.steps import Run, bytes_of, cache_of, own_copy
from bvf_transformers.tokens.cutting import Cut, by_kind
from bvf_transformers.tokens.word_tree import Ids
from torch import Tensor

from bvf import Media, ModelRequest, Prompt
from bvf_image_backend.processor import Processor

BYTES_OF_PICTURES = 2_000_000_000
"""How much is kept of pictures that were read, so that the texts of all groups go on from there."""
SEES_IMAGES = replace(CausalModel.capabilities, media=frozenset({"image"}), writes_texts=False)


@dataclass(frozen=True)
class Seen:
    """The beginning of a text up to its last picture, as the model keeps it.

    Args:
        cache: Its keys and values.
        shifts: How far positions behind the pictures are shifted, for each part of the model that remembers it.
    """

    cache: Any
    shifts: tuple[Tensor | None, ...]


class ImageModel(CausalModel):
    """A model that sees the pictures of a context, and scores words as continuations of the text behind them.

    Pictures are read once, with the text before them; the texts behind them, of all groups, go on from there. The first
    text, and each with more before its last picture, is used to check that this gives the same log p as reading it
    whole; if not, each text is read whole. So are texts of a model that reads them in both directions.
    """

    capabilities = replace(SEES_IMAGES, reads_chats=True)

    def __init__(self, parts: Parts, request: ModelRequest, processor: Processor) -> None:
        self.processor = processor
        self.shares_pictures = True
        self._checked_beginning = 0
        self._seen: dict[tuple[tuple[Media, ...], Ids], Seen] = {}
        self._shifting = [part for part in parts.model.modules() if hasattr(part, "rope_deltas")]
        super().__init__(parts, request)
        self._cutter_without_special = self.cutter.without_special_tokens()

    @cached_property
    def turns(self) -> ChatTurns:
        """The chat template of the model, for prompts that bring a chat."""
        return ChatTurns(self.tokenizer, self.model_name, in_parts=True)

    def is_in_chat(self, prompt: Prompt) -> bool:
        """Whether a prompt is read in a chat."""
        return prompt.chat is not None

    def cut(self, prompts: Sequence[Prompt], words: Sequence[str]) -> list[Cut]:
        around = by_kind(prompts, self.is_in_chat, lambda in_chat, some: self.turns.around(some) if in_chat else some)
        cuts = by_kind(
            [self.processor.written(prompt) for prompt in around],
            self._gets_special_tokens,
            lambda gets, some: (self.cutter if gets else self._cutter_without_special).cut(some, words),
        )
        return [
            cut._replace(left=self.processor.expanded(cut.left, prompt.media), media=prompt.media)
            for cut, prompt in zip(cuts, prompts, strict=True)
        ]

    def _gets_special_tokens(self, prompt: Prompt) -> bool:
        return prompt.chat is None or self.processor.adds_special_tokens(prompt.left)

    def remarks(self, cuts: Sequence[Cut], words: Sequence[str]) -> tuple[str, ...]:
        said = super().remarks(cuts, words)
        if self.shares_pictures or not any(cut.media for cut in cuts):
            return said
        return ("every text was read anew with its pictures", *said)

    def text_of(self, ids: Sequence[int]) -> str:
        token = self.processor.image_id
        once = [each for index, each in enumerate(ids) if each != token or index == 0 or ids[index - 1] != token]
        return super().text_of(once)

    def trees_work(self, cuts: Sequence[Cut]) -> bool:
        return not cuts[0].media and super().trees_work(cuts)

    def read_together(self, cut: Cut) -> Hashable:
        return super().read_together(cut), cut.media, self._beginning(cut)

    def to_read(self, cuts: Sequence[Cut]) -> tuple[Run, Tensor]:
        cut = cuts[0]
        if not cut.media:
            self._shift([None] * len(self._shifting))
            return super().to_read(cuts)
        if not self._may_share(cut):
            return self._whole(cut.media), self.tensor([each.left for each in cuts])
        return self._after(self._read_beginning(cut)), self.tensor([self._behind(each) for each in cuts])

    def _beginning(self, cut: Cut) -> Ids:
        """The ids up to the last picture."""
        return cut.left[: len(cut.left) - len(self._behind(cut))]

    def _behind(self, cut: Cut) -> Ids:
        """The ids behind the last picture."""
        token = self.processor.image_id
        return cut.left[len(cut.left) - cut.left[::-1].index(token) :] if token in cut.left else cut.left

    def _whole(self, media: Sequence[Media]) -> Run:
        """The call for texts that are read from their beginning, with their pictures."""
        inputs = self.processor.inputs(media, self.device, self.model.dtype)

        def run(ids: Tensor, cache: Any, use_cache: bool) -> Any:
            if cache is not None:
                return self.model(input_ids=ids, use_cache=use_cache, **self.having(cache))
            shown = {name: value.repeat(len(ids), *[1] * (value.dim() - 1)) for name, value in inputs.items()}
            marks = self.processor.marks(ids, media)
            output = self.model(input_ids=ids, use_cache=use_cache, **shown, **marks)
            self._shift([None if part.rope_deltas is None else part.rope_deltas[:1] for part in self._shifting])
            return output

        return run

    def _after(self, seen: Seen) -> Run:
        """The call for texts that go on behind pictures."""

        def run(ids: Tensor, cache: Any, use_cache: bool) -> Any:
            if cache is None:
                self._shift(seen.shifts)
                cache = own_copy(seen.cache)
                cache.reorder_cache(torch.zeros(len(ids), dtype=torch.long, device=ids.device))
            return self.model(input_ids=ids, use_cache=use_cache, **self.having(cache))

        return run

    def _read_beginning(self, cut: Cut) -> Seen:
        """Read the beginning of a text, or take it from what is kept. As much is kept as `BYTES_OF_PICTURES` hold."""
        key = cut.media, self._beginning(cut)
        if key in self._seen:
            return self._seen[key]
        ids = self.tensor([key[1]])
        cache: list[Any] = []

        def run() -> Tensor:
            output = self._whole(cut.media)(ids, None, True)
            cache.append(cache_of(output))
            logits: Tensor = output.logits
            return logits

        self.readout.logits(run, at_column(ids, -1))
        seen = Seen(cache[0], tuple(part.rope_deltas for part in self._shifting))
        if sum(bytes_of(each.cache) for each in self._seen.values()) + bytes_of(seen.cache) <= self._most_kept():
            self._seen[key] = seen
        return seen

    def _most_kept(self) -> int:
        return min(BYTES_OF_PICTURES, self._most_bytes)

    def _may_share(self, cut: Cut) -> bool:
        """Whether texts go on from pictures that were read before. It is checked for every longer beginning."""
        self.shares_pictures = self.shares_pictures and self.has_cache and not self.reads_both_ways
        length = len(self._beginning(cut))
        if self.shares_pictures and length > self._checked_beginning:
            self._checked_beginning = length
            self.shares_pictures = self._sharing_agrees(cut)
        return self.shares_pictures

    def _sharing_agrees(self, cut: Cut) -> bool:
        def logits(run: Run, ids: Tensor, *, use_cache: bool) -> Tensor:
            return self.readout.logits(lambda: run(ids, None, use_cache).logits, at_column(ids, -1))[:1]

        text, behind, whole = self.tensor([cut.left]), self.tensor([self._behind(cut)] * 2), self._whole(cut.media)
        plain = logits(whole, text, use_cache=False)
        try:
            shared = logits(self._after(self._read_beginning(cut)), behind, use_cache=True)
        except (RuntimeError, TypeError, ValueError, AttributeError, IndexError):
            return False
        if self.readout.agree(shared, plain, strictness=STRICTNESS):
            return True
        return self.readout.differ_by_rounding(shared, plain, logits(whole, text.repeat(2, 1), use_cache=False))

    def _shift(self, by: Sequence[Tensor | None]) -> None:
        """Let the parts of the model that remember a shift of positions remember this one, which is of one text."""
        for part, each in zip(self._shifting, by, strict=True):
            part.rope_deltas = each


class ImageChatModel(ImageModel):
    """A model that reads every context, behind its pictures, as the user's message in a chat."""

    capabilities = replace(SEES_IMAGES, wording="chat", reads_chats=True)

    def __init__(self, parts: Parts, request: ModelRequest, processor: Processor) -> None:
        self.turns = chat_turns(parts.tokenizer, request, in_parts=True)
        super().__init__(parts, request, processor)

    def is_in_chat(self, prompt: Prompt) -> bool:
        return True


class ContinuedImageChatModel(ImageChatModel):
    """A model that is shown pictures in the user's message, and continues every context as the assistant's answer."""

    capabilities = replace(ImageChatModel.capabilities, wording="chat-assistant")
