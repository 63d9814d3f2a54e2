"""Causal models with packed weights: those of a bare text and of chats, computed by llama.cpp."""

from collections.abc import Iterator, Sequence

import torch
from bvf_transformers.kinds.causal import CausalModel, Read, ends_of_texts
from bvf_transformers.reading.generating import Continuing
from bvf_transformers.reading.text_trie import parts_of, rows_of
from bvf_transformers.reading.tolerance import Ask
from bvf_transformers.tokens.cutting import Cut
from bvf_transformers.tokens.word_tree import PieceTree
from torch import Tensor

from bvf.domain import Turn
from bvf.stats import IntArray
from bvf_llama_backend.chat import ChatModel, ContinuedChatModel, LlamaModel
from bvf_llama_backend.packed.trees import TEXTS, PackedGenerator, WordsAfterTexts, logits_after
from bvf_llama_backend.packed.weights import AT_ONCE

REMARK = (
    "computed by llama.cpp from packed weights: it rounds what they are multiplied with, mostly to 8 bits, so "
    "probabilities differ from those of unpacked weights, and a little with what else is in a batch"
)


class Packed(CausalModel):
    """A causal model whose texts are read, and continued, by llama.cpp. Words are cut and put together as elsewhere."""

    def prepare(self) -> None:
        self.find_word_ends()
        self.reads_trees = True

    def remarks(self, cuts: Sequence[Cut], words: Sequence[str]) -> tuple[str, ...]:
        return (REMARK, *super().remarks(cuts, words))

    def way_of_reading(self, cuts: Sequence[Cut]) -> Read:
        return self._read_packed

    def _read_packed(self, cuts: Sequence[Cut], pieces: PieceTree, *, absolute: bool) -> Iterator[tuple[IntArray, Ask]]:
        """Read texts; yield the indices of some, and what scores words after these. Log p is always absolute."""
        texts = rows_of([cut.left for cut in cuts])
        for alike in parts_of(texts, AT_ONCE):
            for start in range(0, len(alike), TEXTS):
                part = alike[start : start + TEXTS]
                yield part, WordsAfterTexts(self.model, texts[part], pieces, self.boundary).answers

    def logits_after(self, cuts: Sequence[Cut]) -> Tensor:
        texts = rows_of([cut.left for cut in cuts])
        parts = [logits_after(self.model, texts[start : start + TEXTS]) for start in range(0, len(texts), TEXTS)]
        return torch.cat([torch.from_numpy(part) for part in parts])

    def generator(self, last: frozenset[int]) -> Continuing:
        return PackedGenerator(self.model, ends_of_texts(self.model, self.tokenizer), self.writable, last)


class PackedLlama(Packed, LlamaModel):
    """Reads bare texts, or texts in the chat that a prompt brings."""


class PackedChat(Packed, ChatModel):
    """Reads every context as the user's message in a chat."""


class PackedContinuedChat(Packed, ContinuedChatModel):
    """Reads every context as the start of the assistant's answer."""


PACKED: dict[Turn | None, type[LlamaModel]] = {None: PackedLlama, "user": PackedChat, "assistant": PackedContinuedChat}
"""The class that reads a context, by whose turn of the chat it is; None: there is no chat."""
