"""How a text shows models that words are missing: gaps of seq2seq models, and trees of masks.

A mark that a model was never trained with gives figures that look like any other. So a family without a known mark is
refused. The marks are those of the families' pages in the documentation of transformers, and of UL2's own page.

What such a model says of the first mask depends on how many masks there are. So the first step down the tree is the
number of masks, whose log p is 0, since it is given. Below it p of a word is a product of conditional probabilities, by
which one mask at a time is filled in. So p of what is filled in is at least p of all words that continue it.
"""

from typing import Any, NamedTuple

import numpy as np
from transformers import ByT5Tokenizer, PreTrainedTokenizerBase

from bvf import BvfError
from bvf.stats import BoolArray, FloatArray
from bvf_transformers.tokens.word_tree import BOUNDARY, Ids, PieceTree, tree_of

SENTINELS = frozenset({"t5", "mt5", "umt5", "switch_transformers"})
"""Types whose decoder writes what a sentinel stands for. LongT5 is not one: it was trained on whole sentences."""
DENOISING = frozenset({"bart", "mbart", "plbart", "led"})
"""Types whose decoder writes the whole text again, with something in the place of the mask."""
ENDS_WITH_LANGUAGE = frozenset({"mbart", "plbart"})
"""Types whose decoder begins with the token that ends the encoder's text: a language, or the end of a text."""
SENTINEL = "<extra_id_0>"
FIRST_OF_BYT5 = 258
"""ByT5 has no sentinels: its masks are ids of bytes that no text has, and count down from this one."""
MODE_FOR_GAPS = "[NLU]"
"""UL2 was trained on three kinds of gaps, each with a token before the text; this one goes with gaps of few words."""
BYTES = frozenset({"MyT5Tokenizer"})
"""Tokenizers of bytes of which it is not documented how their models were trained to see a gap."""


def check_family(model_type: str, model: str) -> None:
    """Refuse a seq2seq model of a family that was trained with no mark for missing words, or with an unknown one."""
    if model_type not in SENTINELS | DENOISING:
        raise BvfError(
            f"{model}: a model of type {model_type} was trained with no mark for missing words that bvf knows",
            "seq2seq models that fill gaps: T5, mT5, UMT5, ByT5, UL2, Switch, BART, mBART, PLBART and LED",
        )


def sentinel_of(tokenizer: PreTrainedTokenizerBase, model: str) -> int:
    """Return the id of the first sentinel, which stands for the missing words. Refuses a tokenizer without one."""
    if isinstance(tokenizer, ByT5Tokenizer):
        return FIRST_OF_BYT5
    token: Any = tokenizer.convert_tokens_to_ids(SENTINEL)
    if token is None or token == tokenizer.unk_token_id or type(tokenizer).__name__ in BYTES:
        raise BvfError(f"{model}: the tokenizer has no sentinel {SENTINEL}", "this model was not trained as T5 was")
    return int(token)


def mode_of(tokenizer: PreTrainedTokenizerBase) -> tuple[int, ...]:
    """Return the ids that begin every text of a model that was trained with modes, as UL2 was, else none."""
    token = tokenizer.get_vocab().get(MODE_FOR_GAPS)
    return () if token is None else (int(token),)


class Gap(NamedTuple):
    """What stands in the slot: the first tokens of a word, and a mask for each of the others."""

    filled: Ids
    masks: int


def gap_tree_of(pieces: tuple[Ids, ...]) -> PieceTree:
    """Build the tree of words with these pieces. Each stands below a mark for the number of its tokens."""
    return tree_of(tuple((BOUNDARY - len(ids), *ids) for ids in pieces))


def gaps_of(tree: PieceTree) -> list[Gap]:
    """Return the gap that is read for each beginning of the tree, length K; an empty one for ()."""
    return [Gap(ids[1:], BOUNDARY - ids[0] - len(ids[1:])) if ids else Gap((), 0) for ids in tree.beginnings]


def answers_before_reading(tree: PieceTree, chosen: BoolArray) -> FloatArray:
    """Return log p of the tree's questions, shape (B, Q): 0 for the numbers of masks, -inf for the rest.

    ``chosen`` is whether questions after each beginning are asked, shape (B, K).
    """
    answers = np.full((len(chosen), len(tree.tokens)), -np.inf)
    answers[chosen[:, 0], : tree.first_question[1]] = 0.0
    return answers
