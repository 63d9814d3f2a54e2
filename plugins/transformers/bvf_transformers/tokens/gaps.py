"""How the encoder's text shows a seq2seq model that words are missing: each family was trained with a mark of its own.

A mark that a model was never trained with gives figures that look like any other. So a family without a known mark is
refused. The marks are those of the families' pages in the documentation of transformers, and of UL2's own page.
"""

from typing import Any

from transformers import ByT5Tokenizer, PreTrainedTokenizerBase

from bvf import BvfError

SENTINELS = frozenset({"t5", "mt5", "umt5"})
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
            "seq2seq models that fill gaps: T5, mT5, UMT5, ByT5, UL2, BART, mBART, PLBART and LED",
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
