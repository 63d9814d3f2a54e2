"""Masked models, one mask per token of the word, and permutation models (XLNet)."""

import inspect
from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from bvf import BvfError
from bvf.interfaces import TextTokens, TokenScoring, Tolerance
from bvf.stats import BoolArray, FloatArray, IntArray
from bvf_transformers.kinds.slot import Read, SlotModel
from bvf_transformers.reading.memory import by_shape, in_batches
from bvf_transformers.reading.readout import Readout, at_column
from bvf_transformers.reading.tolerance import Ask
from bvf_transformers.tokens.cutting import Cut, Slot, check_special_tokens
from bvf_transformers.tokens.gaps import Gap, answers_before_reading, gap_tree_of, gaps_of
from bvf_transformers.tokens.word_tree import PieceTree


class MaskedModel(SlotModel, TokenScoring):
    """Scores a word of n tokens by n masks: p of token 1, then of token 2 with token 1 filled in, and so on.

    Texts of one length are a batch, wherever their masks are, and whatever prompt and words they are for.
    """

    goes_on = False

    def prepare(self) -> None:
        if self.tokenizer.mask_token_id is None:
            raise BvfError(f"{self.model_name}: the tokenizer has no mask token", "is it a masked model? see --backend")
        check_special_tokens(self.tokenizer, self.model_name)
        self.mask = int(self.tokenizer.mask_token_id)
        sample = self.tensor([[*ids, self.mask] for ids in self.cutter.sample_ids()])
        positions = torch.full((len(sample),), sample.shape[1] - 2, device=self.device)
        hidden = torch.ones_like(positions)
        self._check_context(sample, positions, hidden)
        self.readout = Readout(self.model, lambda: self.run(sample, positions, hidden), self.places(sample, positions))

    def _check_context(self, sample: Tensor, positions: Tensor, hidden: Tensor) -> None:
        """Refuse a model that predicts the same in any text, as MRA does without the kernels of its attention."""
        changed = sample.clone()
        changed[:, 1 : positions[0]] = self.mask
        whole, other = (self.run(ids, positions, hidden).flatten(0, 1) for ids in (sample, changed))
        places = self.places(sample, positions)
        of_text = whole[places]  # all zero: its weights may be empty, which is said later
        if torch.equal(of_text, other[places]) and of_text.any() and not torch.equal(sample, changed):
            raise BvfError(
                f"{self.model_name}: a prediction is the same whatever text is around it",
                f"on a {self.device.type} the library has no attention for this model: try another --device",
            )

    def ids_read(self, cut: Cut) -> list[int]:
        return [*cut.left, *[self.mask] * len(cut.slot.pieces[0]), *cut.right]

    def tree(self, slot: Slot) -> PieceTree:
        return gap_tree_of(slot.pieces)

    def logprobs_together(
        self, cuts: Sequence[Cut], class_of_word: IntArray | None, tolerance: Tolerance, *, absolute: bool
    ) -> tuple[FloatArray, FloatArray]:
        slot = cuts[0].slot
        if slot.longest == 1 and self.readout.can_choose_rows and not absolute:
            return self._single_logits(cuts, [ids[0] for ids in slot.pieces], slot.beside), np.zeros(len(cuts))
        return super().logprobs_together(cuts, class_of_word, tolerance, absolute=absolute)

    def way_of_reading(self, cuts: Sequence[Cut]) -> Read:
        return self._read

    def _read(self, cuts: Sequence[Cut], tree: PieceTree, *, absolute: bool) -> Iterator[tuple[IntArray, Ask]]:
        """Yield the indices of all texts, and a function that reads them with masks."""
        yield np.arange(len(cuts)), lambda chosen: self._answers(cuts, tree, chosen)

    def _single_logits(self, cuts: Sequence[Cut], tokens: Sequence[int], beside: int) -> FloatArray:
        """Logits of the tokens of words of one token, shape (len(cuts), W): log p up to a constant per text."""
        answers = np.empty((len(cuts), len(tokens)))
        rows = self.tensor([tokens])[0]
        around = [len(cut.left) + len(cut.right) for cut in cuts]
        for group in by_shape(around, int):

            def run(batch: Sequence[int]) -> Tensor:
                ids, positions, masks = self._texts([(cuts[index], Gap((), 1)) for index in batch])
                places = self.places(ids, positions)
                return self.readout.logits(lambda: self.run(ids, positions, masks), places, rows, beside)

            answers[group] = in_batches(group, 1 + around[group[0]], self.budget, run)
        return answers

    def _answers(self, cuts: Sequence[Cut], tree: PieceTree, chosen: BoolArray) -> FloatArray:
        """Log p of the tree's questions, shape (len(cuts), Q), after the chosen beginnings; -inf for the others."""
        gaps, answers = gaps_of(tree), answers_before_reading(tree, chosen)
        texts, beginnings = np.nonzero(chosen & (tree.lengths > 0))
        around = np.array([len(cut.left) + len(cut.right) for cut in cuts])
        lengths = around[texts] + np.array([len(gap.filled) + gap.masks for gap in gaps])[beginnings]
        for length in np.unique(lengths).tolist():
            group = np.flatnonzero(lengths == length)

            def run(batch: Sequence[int]) -> Tensor:
                ids, positions, masks = self._texts([(cuts[texts[row]], gaps[beginnings[row]]) for row in batch])
                which, questions = tree.questions(beginnings[batch])
                rows, tokens = (torch.from_numpy(each).to(self.device) for each in (which, tree.tokens[questions]))
                places = self.places(ids, positions)
                return self.readout.logprobs(lambda: self.run(ids, positions, masks), places, rows, tokens)

            which, questions = tree.questions(beginnings[group])
            answers[texts[group][which], questions] = in_batches(group.tolist(), length, self.budget, run)
        return answers

    def _texts(self, gaps: Sequence[tuple[Cut, Gap]]) -> tuple[Tensor, Tensor, Tensor]:
        """Token ids of texts of one length, (B, L), the position of the first mask of each, (B,), and their masks."""
        ids = [(*cut.left, *gap.filled, *[self.mask] * gap.masks, *cut.right) for cut, gap in gaps]
        places = [(len(cut.left) + len(gap.filled), gap.masks) for cut, gap in gaps]
        positions, masks = self.tensor(places).unbind(dim=1)
        return self.tensor(ids), positions, masks

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
            positions = torch.full((len(ids),), place, device=ids.device)
            masks = torch.ones_like(positions)
            logits = self.readout.logits(lambda: self.run(hidden, positions, masks), self.places(hidden, positions))
            tokens = ids[:, place].to(logits.device)
            return logits.log_softmax(dim=-1).gather(1, tokens[:, None])[:, 0]

        return in_batches(texts, len(texts[0]), self.budget, run)

    def run(self, ids: Tensor, positions: Tensor, masks: Tensor) -> Tensor:
        """Return the logits, (B, L, V), of texts that have ``masks`` masks, (B,), from ``positions`` on, (B,)."""
        logits: Tensor = self.model(input_ids=ids).logits
        if len(logits) < len(ids):
            return logits  # of chosen places
        return logits[:, : ids.shape[1]]  # Perceiver answers for positions after the text, too

    def places(self, ids: Tensor, positions: Tensor) -> Tensor:
        """Return the indices, in the flattened batch, of the logits that predict ``positions``, shape (B,)."""
        return at_column(ids, positions)


class PermutationModel(MaskedModel):
    """Like a masked model, but positions not filled in yet are hidden from attention."""

    def prepare(self) -> None:
        if not {"perm_mask", "target_mapping"} <= set(inspect.signature(self.model.forward).parameters):
            raise BvfError(
                f"{self.model_name}: this model takes no target mapping, so it is not a permutation model",
                "leave --backend out, and the kind is found",
            )
        super().prepare()

    def run(self, ids: Tensor, positions: Tensor, masks: Tensor) -> Tensor:
        rows, length = ids.shape
        columns, first = torch.arange(length, device=ids.device), positions[:, None]
        is_hidden = (first <= columns) & (columns < first + masks[:, None])
        hidden = is_hidden[:, None, :].expand(rows, length, length).to(self.model.dtype)
        target = (columns == first)[:, None, :].to(self.model.dtype)
        logits: Tensor = self.model(input_ids=ids, perm_mask=hidden, target_mapping=target).logits
        return logits

    def places(self, ids: Tensor, positions: Tensor) -> Tensor:
        """Return 0, 1, ..., as the target mapping has already selected one position per row."""
        return torch.arange(len(ids), device=ids.device)
