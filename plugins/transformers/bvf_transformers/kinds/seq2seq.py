"""Seq2seq models. The decoder of T5 writes the missing span, and that of BART the whole text again."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from transformers.modeling_outputs import BaseModelOutput

from bvf import BvfError
from bvf.stats import IntArray
from bvf_transformers.kinds.slot import Read, SlotModel
from bvf_transformers.reading.memory import batches_of, by_shape
from bvf_transformers.reading.readout import Readout, at_column
from bvf_transformers.reading.steps import Run, RunAfter, Stepper, TextsBegun, asked_together, cache_works
from bvf_transformers.reading.tolerance import Ask
from bvf_transformers.tokens.cutting import Cut, check_special_tokens
from bvf_transformers.tokens.gaps import ENDS_WITH_LANGUAGE, mode_of, sentinel_of
from bvf_transformers.tokens.word_tree import Ids, PieceTree

MAYBE_UL2 = (
    "read without a mode: Flan-UL2 needs none, but UL2 was trained with one before each text; "
    "for UL2, begin every template with [NLU]"
)


class Encoded(BaseModelOutput):
    """What an encoder gives; families with experts also look for those that it chose, which only training needs."""

    router_logits = None


class Seq2SeqModel(SlotModel):
    """The encoder reads the text with a gap, once for all words. p of a word is that of the decoder filling the gap."""

    def prepare(self) -> None:
        check_special_tokens(self.tokenizer, self.model_name)
        self.gap = self.gap_token()
        self.start = self.start_token()
        lefts = self.cutter.sample_ids()
        encoder, sample = (
            self.tensor(rows)
            for rows in ([self.encoder_ids(left, ()) for left in lefts], [self.decoder_ids(left) for left in lefts])
        )
        run_after = self._decoder(self._encoded(encoder))
        run = run_after(torch.arange(len(sample), device=self.device))
        self.readout = Readout(self.model, lambda: run(sample, None, False).logits, at_column(sample, -1))
        self.has_cache = cache_works(self.readout, run_after, sample)

    def ids_read(self, cut: Cut) -> list[int]:
        return list(self.encoder_ids(cut.left, cut.right))

    def way_of_reading(self, cuts: Sequence[Cut]) -> Read:
        return self._read

    def _read(self, cuts: Sequence[Cut], tree: PieceTree, *, absolute: bool) -> Iterator[tuple[IntArray, Ask]]:
        """Read texts in batches of one shape; yield indices of some, and a function that scores words after them."""
        texts = [(self.encoder_ids(cut.left, cut.right), self.decoder_ids(cut.left)) for cut in cuts]
        stepper = Stepper(self.readout, self.has_cache, self.budget)

        def begin(batch: Sequence[int]) -> TextsBegun:
            encoder, decoder = (self.tensor(ids) for ids in zip(*(texts[index] for index in batch), strict=True))
            encoded, length = self._encoded(encoder), encoder.shape[1] + decoder.shape[1]
            return stepper.begun(
                self._decoder(encoded), decoder, tree, length=length, absolute=absolute, held=encoded.nbytes
            )

        return asked_together(
            begun
            for group in by_shape(texts, lambda text: (len(text[0]), len(text[1])))
            for begun in batches_of(group, sum(map(len, texts[group[0]])), self.budget, begin)
        )

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

    def _encoded(self, ids: Tensor) -> Tensor:
        """The states of the encoder, shape (B, L, H), for texts of one length, (B, L)."""
        states: Tensor = self.model.get_encoder()(input_ids=ids).last_hidden_state
        return states

    def _decoder(self, encoded: Tensor) -> RunAfter:
        """Return what calls the decoder after texts that were encoded once."""

        def run_after(texts: Tensor) -> Run:
            def run(decoder_ids: Tensor, cache: Any, use_cache: bool) -> Any:
                states = encoded[texts.to(encoded.device)] if cache is None else encoded[:1].expand(len(texts), -1, -1)
                return self.model(
                    encoder_outputs=Encoded(states),
                    decoder_input_ids=decoder_ids,
                    use_cache=use_cache,
                    **self.having(cache),
                )

            return run

        return run_after


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
