"""Composes the token ids of texts from the ids of their words, and finds where words end."""

import unicodedata
from collections.abc import Callable, Sequence
from functools import cached_property

from transformers import PreTrainedTokenizerBase

from bvf import BvfError
from bvf_transformers.tokens.word_tree import Ids

SPACES = (" ", "Ġ", "▁")
"""How vocabularies write the space before a word: plain, byte-level, and sentencepiece."""
CONTINUES = "##"
"""Prefix of tokens that continue a word in WordPiece vocabularies; in others it is plain text."""
PART_OF_A_LETTER = "\ufffd"
"""What single bytes of a character are decoded to."""
NO_MARKS = ("bos", "eos", "unk", "sep", "pad", "cls", "mask")
Encode = Callable[[Sequence[str]], list[Ids]]
ANCHOR = "a"
"""A word that is put before another one, so that the latter is tokenised as inside a text."""


def text_with_special(tokenizer: PreTrainedTokenizerBase, ids: Sequence[int]) -> str:
    """Return the text of token ids, with special tokens."""
    return str(tokenizer.decode(list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False))


def text_alone(tokenizer: PreTrainedTokenizerBase, ids: Sequence[int]) -> str:
    """Return the text of token ids, without special tokens."""
    return str(tokenizer.decode(list(ids), skip_special_tokens=True, clean_up_tokenization_spaces=False))


def text_written(tokenizer: PreTrainedTokenizerBase, ids: Sequence[int]) -> str:
    """Return the text of token ids as a model wrote it, with special tokens that mark turns and thoughts."""
    no_marks = {getattr(tokenizer, f"{name}_token_id", None) for name in NO_MARKS}
    return text_with_special(tokenizer, [index for index in ids if index not in no_marks])


def text_inside(tokenizer: PreTrainedTokenizerBase, token: str) -> str:
    """Return what a token adds to a text: decoding drops a space at the beginning of one."""
    return tokenizer.convert_tokens_to_string([ANCHOR, token]).removeprefix(ANCHOR)


def texts_of_tokens(tokenizer: PreTrainedTokenizerBase) -> list[str]:
    """Return the texts of those tokens that a text ends with once it is written and tokenised again, by their ids."""
    ids, tokens = zip(*sorted((index, token) for token, index in tokenizer.get_vocab().items()), strict=True)
    texts = [text_inside(tokenizer, token).strip() for token in tokens]
    written = tokenizer([f"{ANCHOR} {text}" for text in texts], add_special_tokens=False)["input_ids"]
    return [text for text, of_text, index in zip(texts, written, ids, strict=True) if of_text[-1] == index]


class Composer:
    """Composes the ids of texts whose words are separated by single spaces.

    The ids of a word do not depend on its neighbours if no token spans parts of two words, that is, if no token of the
    vocabulary has a space after another character. If one has, nothing is composed.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, encode: Encode) -> None:
        self._encode = encode
        self._tokenizer = tokenizer
        self._first: dict[str, Ids] = {}
        self._later: dict[str, Ids] = {}

    @cached_property
    def is_allowed(self) -> bool:
        """Whether this tokenizer's ids can be composed. It becomes False once composed ids turn out to be wrong."""
        return not any(space in token.lstrip(space) for token in self._tokenizer.get_vocab() for space in SPACES)

    def ids(self, texts: Sequence[str]) -> list[Ids]:
        """Return the token ids of texts. Texts that cannot be composed are tokenised."""
        if not self.is_allowed:
            return self._encode(texts)
        words_of = [words if " " in text and " ".join(words := text.split()) == text else [] for text in texts]
        self._learn(words_of)
        first, later = self._first, self._later
        composed: list[Ids] = []
        for words in words_of:
            ids = list(first[words[0]]) if words else []
            for word in words[1:]:
                ids += later[word]
            composed.append(tuple(ids))
        whole = [index for index, words in enumerate(words_of) if not words]
        for index, encoded in zip(whole, self._encode([texts[index] for index in whole]) if whole else (), strict=True):
            composed[index] = encoded
        return composed

    def _learn(self, words_of: Sequence[Sequence[str]]) -> None:
        first = sorted({words[0] for words in words_of if words}.difference(self._first))
        if first:
            self._first.update(zip(first, self._encode(first), strict=True))
        later = sorted({word for words in words_of for word in words[1:]}.difference(self._later))
        if later:
            anchored = self._encode([ANCHOR, *(f"{ANCHOR} {word}" for word in later)])
            self._later.update((word, ids[len(anchored[0]) :]) for word, ids in zip(later, anchored[1:], strict=True))


def boundary_tokens(tokenizer: PreTrainedTokenizerBase, model: str) -> list[int]:
    """Return the ids of all tokens that may follow a complete word.

    They begin a new word, or are not part of one: punctuation, line breaks, and special tokens. A vocabulary that marks
    neither where words begin nor where they continue is refused.
    """
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    special = set(tokenizer.all_special_ids)
    continues = _mark_of_continuing(tokenizer)
    if not continues and not any(token and token.startswith(SPACES) for token in tokens):
        raise BvfError(
            f"{model}: --word-boundary needs a tokenizer that marks where words begin, and this one does not",
            "leave it out: without spaces between words there is no boundary to ask for",
        )
    return [
        index
        for index, token in enumerate(tokens)
        if token and (index in special or _may_follow(token, tokenizer, continues))
    ]


def _mark_of_continuing(tokenizer: PreTrainedTokenizerBase) -> str:
    """The prefix of tokens that continue a word; empty if the tokenizer has none."""
    fast = getattr(tokenizer, "backend_tokenizer", None)
    if fast is not None:
        return getattr(fast.model, "continuing_subword_prefix", None) or ""
    joined = tokenizer.convert_tokens_to_string(["a", f"{CONTINUES}b"])
    return CONTINUES if joined == "ab" else ""


def _may_follow(token: str, tokenizer: PreTrainedTokenizerBase, continues: str) -> bool:
    if continues:
        return not token.startswith(continues)
    if token.startswith(SPACES):
        return True
    text = tokenizer.convert_tokens_to_string([token]) or text_inside(tokenizer, token)
    if not text or text[0].isalnum() or text[0] == PART_OF_A_LETTER:
        return False
    return not unicodedata.category(text[0]).startswith("M")  # nor a combining accent or vowel sign
