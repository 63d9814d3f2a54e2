"""Masked models: one mask per token of the word, filled in from left to right."""

from collections.abc import Sequence

import numpy as np
from torch import Tensor

from bvf.arrays import FloatArray, IntArray
from bvf.errors import BvfError
from bvf.interfaces.backend import TextTokens, TokenScoring
from bvf_transformers.kinds.slot import SlotModel, groups_of_one_shape, length_of
from bvf_transformers.reading.batching import by_shape, in_batches
from bvf_transformers.reading.readout import Readout, at_column
from bvf_transformers.tokens.cutting import Cut, check_special_tokens
from bvf_transformers.tokens.word_tree import PieceTree, answers_of, tree_of


class MaskedModel(SlotModel, TokenScoring):
    """Scores a word of n tokens by n masks: p of token 1, then of token 2 with token 1 filled in, and so on."""

    def prepare(self) -> None:
        if self.tokenizer.mask_token_id is None:
            raise BvfError(f"{self.model_name}: the tokenizer has no mask token", "is it a masked model? see --backend")
        check_special_tokens(self.tokenizer, self.model_name)
        self.mask = int(self.tokenizer.mask_token_id)
        sample = self.tensor([[*ids, self.mask] for ids in self.cutter.sample_ids()])
        position = sample.shape[1] - 2
        self.readout = Readout(self.model, lambda: self.run(sample, position, 0), self.places(sample, position))

    def ids_read(self, cut: Cut) -> list[int]:
        return [*cut.left, *[self.mask] * len(cut.slot.pieces[0]), *cut.right]

    def cut_logprobs(self, cuts: Sequence[Cut], *, absolute: bool) -> FloatArray:
        logp = np.empty((len(cuts), len(cuts[0].slot.pieces)))
        for group, alike in groups_of_one_shape(cuts):
            pieces = alike[0].slot.pieces
            for words in by_shape(pieces, len):
                tree = tree_of(tuple(pieces[word] for word in words))
                in_part = len(words) == logp.shape[1] and len(tree.beginnings) == 1 and not absolute
                answers = [self._answers(alike, tree, level, in_part=in_part) for level in tree.levels()]
                logp[np.ix_(group, words)] = tree.word_logprobs(np.concatenate(answers, axis=1))
        return logp

    def _answers(self, cuts: Sequence[Cut], tree: PieceTree, level: IntArray, *, in_part: bool) -> FloatArray:
        """Log p of tokens after word prefixes of one length, shape (len(cuts), questions).

        All words have one length.
        """
        beginnings = [tree.beginnings[k] for k in level]
        masks = [self.mask] * (len(tree.paths[0]) - len(beginnings[0]))
        rows = self.tensor([tree.tokens.tolist()])[0] if in_part and self.readout.can_choose_rows else None

        def run(batch: Sequence[Cut]) -> Tensor:
            ids = self.tensor([[*cut.left, *filled, *masks, *cut.right] for filled in beginnings for cut in batch])
            position = len(batch[0].left) + len(beginnings[0])
            logits = self.readout.logits(lambda: self.run(ids, position, len(masks)), self.places(ids, position), rows)
            return logits if rows is not None else answers_of(logits, tree, level, len(batch), None)

        return in_batches(cuts, length_of(cuts[0]) * len(level), self.budget, run)

    def token_logprobs(self, texts: Sequence[str]) -> list[TextTokens]:
        read = [self.tokenizer(text, return_special_tokens_mask=True) for text in texts]
        ids = [tuple(each["input_ids"]) for each in read]
        for text, text_ids in zip(texts, ids, strict=True):
            self.check_length(len(text_ids), text)
        places = [np.flatnonzero(np.array(each["special_tokens_mask"]) == 0) for each in read]
        asked = [(text_ids, int(place)) for text_ids, of_text in zip(ids, places, strict=True) for place in of_text]
        logp = np.empty(len(asked))
        for group in by_shape(asked, lambda each: (len(each[0]), each[1])):
            logp[group] = self._hidden_logprobs([asked[index][0] for index in group], asked[group[0]][1])
        ends = np.cumsum([len(of_text) for of_text in places])
        return [
            TextTokens(tuple(text_ids[place] for place in of_text), logp[end - len(of_text) : end])
            for text_ids, of_text, end in zip(ids, places, ends, strict=True)
        ]

    def _hidden_logprobs(self, texts: Sequence[Sequence[int]], place: int) -> FloatArray:
        """Log p of the token at one position of each text, masked. All texts have the same length."""

        def run(batch: Sequence[Sequence[int]]) -> Tensor:
            ids = self.tensor(batch)
            hidden = ids.clone()
            hidden[:, place] = self.mask
            logits = self.readout.logits(lambda: self.run(hidden, place, 1), self.places(hidden, place))
            tokens = ids[:, place].to(logits.device)
            return logits.log_softmax(dim=-1).gather(1, tokens[:, None])[:, 0]

        return in_batches(texts, len(texts[0]), self.budget, run)

    def run(self, ids: Tensor, position: int, masks: int) -> Tensor:
        """Return the logits, shape (B, L, V), of texts that have ``masks`` masks from ``position`` on."""
        logits: Tensor = self.model(input_ids=ids).logits
        return logits

    def places(self, ids: Tensor, position: int) -> Tensor:
        """Return the indices, in the flattened batch, of the logits that predict ``position``, shape (B,)."""
        return at_column(ids, position)
