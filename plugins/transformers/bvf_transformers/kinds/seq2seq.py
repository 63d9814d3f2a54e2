"""Seq2seq models. The decoder of T5 writes the missing span, and that of BART the whole text again."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from torch import Tensor
from transformers.modeling_outputs import BaseModelOutput

from bvf.arrays import FloatArray
from bvf.errors import BvfError
from bvf_transformers.kinds.slot import SlotModel, groups_of_one_shape, length_of
from bvf_transformers.reading.batching import in_batches
from bvf_transformers.reading.readout import Readout, at_column
from bvf_transformers.reading.steps import Run, Stepper, cache_works
from bvf_transformers.tokens.cutting import Cut, check_special_tokens, slots_of
from bvf_transformers.tokens.gaps import ENDS_WITH_LANGUAGE, mode_of, sentinel_of
from bvf_transformers.tokens.word_tree import Ids, PieceTree, remark_on_longer_words, tree_of

MAYBE_UL2 = (
    "read without a mode: Flan-UL2 needs none, but UL2 was trained with one before each text; "
    "for UL2, begin every template with [NLU]"
)


class Seq2SeqModel(SlotModel):
    """The encoder reads the text with a gap, once for all words. p of a word is that of the decoder filling the gap."""

    def prepare(self) -> None:
        check_special_tokens(self.tokenizer, self.model_name)
        self.gap = self.gap_token()
        self.start = self.start_token()
        lefts = self.cutter.sample_ids()
        run = self._decoder(self.tensor([self.encoder_ids(left, ()) for left in lefts]))
        sample = self.tensor([self.decoder_ids(left) for left in lefts])
        self.readout = Readout(self.model, lambda: run(sample, None, False).logits, at_column(sample, -1))
        self.has_cache = cache_works(self.readout, run, sample)

    def remarks(self, cuts: Sequence[Cut], words: Sequence[str]) -> tuple[str, ...]:
        return remark_on_longer_words((tree_of(slot.pieces) for slot in slots_of(cuts)), words)

    def ids_read(self, cut: Cut) -> list[int]:
        return list(self.encoder_ids(cut.left, cut.right))

    def cut_logprobs(self, cuts: Sequence[Cut], *, absolute: bool) -> FloatArray:
        logp = np.empty((len(cuts), len(cuts[0].slot.pieces)))
        stepper = Stepper(self.readout, self.has_cache)
        for group, alike in groups_of_one_shape(cuts):
            tree = tree_of(alike[0].slot.pieces)

            def run(batch: Sequence[Cut], tree: PieceTree = tree) -> Tensor:
                decoder = self._decoder(self.tensor([self.encoder_ids(cut.left, cut.right) for cut in batch]))
                ids = self.tensor([self.decoder_ids(cut.left) for cut in batch])
                return stepper.answers(decoder, ids, tree, absolute=absolute)

            tokens_each = stepper.tokens_each(length_of(alike[0]), tree)
            logp[group] = tree.word_logprobs(in_batches(alike, tokens_each, self.budget, run))
        return logp

    def start_token(self) -> int:
        """Return the token id with which the decoder begins."""
        start = self.model.generation_config.decoder_start_token_id
        start = self.model.config.decoder_start_token_id if start is None else start
        if start is None:
            raise BvfError(f"{self.model_name}: its config names no decoder_start_token_id")
        return int(start)

    @abstractmethod
    def gap_token(self) -> int:
        """Return the token id that marks the gap in the encoder's text."""

    @abstractmethod
    def decoder_ids(self, left: Ids) -> Ids:
        """Return the token ids that the decoder gets before the word."""

    def encoder_ids(self, left: Ids, right: Ids) -> Ids:
        """Return the token ids that the encoder reads: the text left and right of the slot, with a gap between them."""
        return (*left, self.gap, *right)

    def _decoder(self, ids: Tensor) -> Run:
        """Encode the texts once, and return a function that runs the decoder. Its rows cycle through the texts."""
        encoded = self.model.get_encoder()(input_ids=ids).last_hidden_state

        def run(decoder_ids: Tensor, cache: Any, use_cache: bool) -> Any:
            return self.model(
                encoder_outputs=BaseModelOutput(encoded.repeat(len(decoder_ids) // len(encoded), 1, 1)),
                decoder_input_ids=decoder_ids,
                past_key_values=cache,
                use_cache=use_cache,
            )

        return run


class SentinelModel(Seq2SeqModel):
    """T5: the gap is a sentinel. The decoder writes the missing text after it."""

    def prepare(self) -> None:
        self.mode = mode_of(self.tokenizer)
        super().prepare()

    def remarks(self, cuts: Sequence[Cut], words: Sequence[str]) -> tuple[str, ...]:
        may_have_modes = getattr(self.model.config, "dense_act_fn", "") == "silu" and not self.mode
        return (*super().remarks(cuts, words), *([MAYBE_UL2] if may_have_modes else []))

    def gap_token(self) -> int:
        return sentinel_of(self.tokenizer, self.model_name)

    def encoder_ids(self, left: Ids, right: Ids) -> Ids:
        return (*self.mode, *super().encoder_ids(left, right))

    def decoder_ids(self, left: Ids) -> Ids:
        return (self.start, self.gap)


class DenoisingModel(Seq2SeqModel):
    """BART: the gap is the mask. The decoder writes the whole text again, beginning with the text left of the gap."""

    def gap_token(self) -> int:
        if self.tokenizer.mask_token_id is None:
            raise BvfError(f"{self.model_name}: the tokenizer has no mask token")
        return int(self.tokenizer.mask_token_id)

    def start_token(self) -> int:
        if self.model.config.model_type in ENDS_WITH_LANGUAGE:
            return int(self.tokenizer("a")["input_ids"][-1])
        return super().start_token()

    def decoder_ids(self, left: Ids) -> Ids:
        return (self.start, *left)
