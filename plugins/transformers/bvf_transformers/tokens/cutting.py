"""Token ids left and right of the slot, and of every word in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from transformers import PreTrainedTokenizerBase

from bvf.domain.prompt import Prompt
from bvf.errors import BvfError
from bvf_transformers.tokens.composing import Composer
from bvf_transformers.tokens.unknown import Vocabulary
from bvf_transformers.tokens.word_tree import Ids

LETTERS_LOOKED_AT = 8
CHECKED_EVERY = 128


@dataclass(frozen=True, eq=False)
class Slot:
    """What can stand in a slot; equal slots are the same object.

    Args:
        pieces: Ids of every word in the slot, in the order of the words. Where a tokenizer merges the end of the text
            with a word (说 and 他 into one token), they begin with that end.
        reopened: Ids of all tokens that may begin with the text that was cut off on the left; empty if none was.
        merged: How many ids were cut off.
    """

    pieces: tuple[Ids, ...]
    reopened: Ids = ()
    merged: int = 0

    @cached_property
    def longest(self) -> int:
        """The largest number of pieces of a word."""
        return max(map(len, self.pieces))


class Cut(NamedTuple):
    """A prompt as token ids.

    Args:
        left: Ids before the slot, with the special tokens that begin a text.
        right: Ids after it, with the special tokens that end one; empty if the model does not read there.
        slot: What may stand between.
    """

    left: Ids
    right: Ids
    slot: Slot


class Cutter:
    """Cuts prompts at the slot.

    Where ids can be composed of those of words, each word is tokenised once, and a few prompts are checked. Elsewhere
    the pieces of a word depend on the text around the slot. They are found for the first prompt of every last word (or
    few letters) left of the slot and text right of it, and checked on every other prompt for one word, a different one
    each time; a prompt that fails the check is tokenised with every word.
    """

    def __init__(
        self, tokenizer: PreTrainedTokenizerBase, model: str, *, reads_right: bool, adds_special_tokens: bool = True
    ) -> None:
        self.tokenizer = tokenizer
        self.model = model
        self.reads_right = reads_right
        self._adds_special_tokens = adds_special_tokens
        self._before, self._behind = _special_tokens_around(tokenizer) if adds_special_tokens else (0, 0)
        self._begins_bare = not reads_right and not self._before
        self._writing = Vocabulary(tokenizer, model)
        self._composer = Composer(tokenizer, self._left_ids)
        self._known: dict[tuple[str, ...], dict[tuple[str, str, bool], tuple[Slot, Ids]]] = {}
        self._slots: dict[tuple[tuple[Ids, ...], Ids], Slot] = {}

    def cut(self, prompts: Sequence[Prompt], words: Sequence[str]) -> list[Cut]:
        """Return every prompt as token ids.

        Raises:
            BvfError: A model that reads both sides would read other tokens left of the slot with a word after them; a
                word, the group or the template has no tokens, or unknown ones; or two words have the same.
        """
        composes = self._composer.is_allowed
        lefts = self._composer.ids([prompt.left for prompt in prompts])
        known = self._known.setdefault(tuple(words), {})
        stand_apart = [composes and prompt.spaced and prompt.left != "" for prompt in prompts]
        checked = [i for i, apart in enumerate(stand_apart) if not apart or i % CHECKED_EVERY == 0]
        filled = [(prompts[i].left, self._filled(prompts[i], words[i % len(words)])) for i in checked]
        wholes = dict(zip(checked, self._whole_ids(filled), strict=True))
        composed = [i for i in checked if composes and " " in prompts[i].left]
        if composed and self._left_ids([prompts[i].left for i in composed]) != [lefts[i] for i in composed]:
            return self._cut_without_composing(prompts, words)
        cuts = []
        for index, (prompt, left, apart) in enumerate(zip(prompts, lefts, stand_apart, strict=True)):
            near = "" if apart else prompt.left.rpartition(" ")[2][-LETTERS_LOOKED_AT:]
            key = (near, prompt.right if self.reads_right else "", prompt.spaced)
            if key not in known:
                known[key] = self._slot(prompt, left, words)
            slot, right = known[key]
            if index in wholes and wholes[index] != _without_end(left, slot) + slot.pieces[index % len(words)] + right:
                if composes:
                    return self._cut_without_composing(prompts, words)
                slot, right = self._slot(prompt, left, words)
            cuts.append(Cut(_without_end(left, slot), right, slot))
        for prompt, cut in zip(prompts, cuts, strict=True):
            body = (cut.left[self._before :] if prompt.left else ()) + cut.right[: len(cut.right) - self._behind]
            self._writing.check_text(prompt, prompt.right if self.reads_right else "", body)
        return cuts

    def _cut_without_composing(self, prompts: Sequence[Prompt], words: Sequence[str]) -> list[Cut]:
        self._composer.is_allowed = False
        self._known.clear()
        return self.cut(prompts, words)

    def sample_ids(self) -> tuple[Ids, Ids]:
        """Return two different texts of the same length, to find out what a model allows."""
        ids = self._left_ids(["a b c"])[0]
        return ids, (*ids[:1], *ids[:0:-1])

    def _slot(self, prompt: Prompt, left: Ids, words: Sequence[str]) -> tuple[Slot, Ids]:
        """Pieces of every word in the slot of one prompt, and the ids right of it."""
        opened = self._open_ids([(prompt.left, self._filled_left(prompt, word)) for word in words])
        wholes = self._whole_ids([(prompt.left, self._filled(prompt, word)) for word in words])
        shared = min(_shared(left, ids) for ids in opened)
        pieces, rights = [], set()
        for word, ids, whole in zip(words, opened, wholes, strict=True):
            if (shared < len(left) and (self.reads_right or not shared)) or whole[: len(ids)] != ids:
                raise BvfError(
                    f'{self.model}: with "{word}" in the slot the tokens of "{prompt}" change: '
                    f"{list(left)} is not a prefix of {list(ids)}, or that of {list(whole)}",
                    "word the template so that a token ends before [Y] and another begins after it",
                )
            self._writing.check_word(word, ids[shared:])
            pieces.append(ids[shared:])
            rights.add(whole[len(ids) :])
        if len(rights) > 1:
            raise BvfError(f'{self.model}: the text right of [Y] in "{prompt}" has other tokens with other words')
        self._writing.check_apart(words, pieces)
        merged = left[shared:]
        key = (tuple(pieces), merged)
        if key not in self._slots:
            reopened = self._reopened(merged, {ids[0] for ids in pieces}) if merged else ()
            self._slots[key] = Slot(key[0], reopened, len(merged))
        return self._slots[key], rights.pop()

    def _reopened(self, end: Ids, first_pieces: set[int]) -> Ids:
        """Ids of the tokens that a text which begins like ``end`` may begin with."""
        text = "".join(self._vocabulary[token] for token in end)
        agree = {t for t, token in enumerate(self._vocabulary) if token and _agree(token, text)}
        return tuple(sorted(agree | first_pieces))

    @cached_property
    def _vocabulary(self) -> list[str]:
        return list(self.tokenizer.convert_ids_to_tokens(list(range(len(self.tokenizer)))))

    def _filled_left(self, prompt: Prompt, word: str) -> str:
        return f"{prompt.left}{' ' if prompt.spaced and prompt.left else ''}{word}"

    def _filled(self, prompt: Prompt, word: str) -> str:
        return self._filled_left(prompt, word) + (prompt.right if self.reads_right else "")

    def _left_ids(self, texts: Sequence[str]) -> list[Ids]:
        return self._open_ids([(text, text) for text in texts])

    def _whole_ids(self, texts: Sequence[tuple[str, str]]) -> list[Ids]:
        """Ids of all that the model reads of texts."""
        return self._ids(texts) if self.reads_right else self._open_ids(texts)

    def _open_ids(self, texts: Sequence[tuple[str, str]]) -> list[Ids]:
        """Ids without the special tokens that end a text."""
        return [ids[: len(ids) - self._behind] for ids in self._ids(texts)]

    def _ids(self, texts: Sequence[tuple[str, str]]) -> list[Ids]:
        """Ids of texts, each with its part left of the slot; a token is put first where a model needs one there."""
        encoded = self.tokenizer(
            [text for _, text in texts], verbose=False, add_special_tokens=self._adds_special_tokens
        )["input_ids"]
        return [
            (self._start(), *ids) if self._begins_bare and not left else tuple(ids)
            for (left, _), ids in zip(texts, encoded, strict=True)
        ]

    def _start(self) -> int:
        for token in (self.tokenizer.bos_token_id, self.tokenizer.eos_token_id):
            if token is not None:
                return int(token)
        raise BvfError(f"{self.model}: the tokenizer has no token that begins a text", "put text left of [Y]")


def _shared(one: Ids, other: Ids) -> int:
    """How many ids two texts have in common at their start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _without_end(left: Ids, slot: Slot) -> Ids:
    return left[: len(left) - slot.merged]


def _agree(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def _special_tokens_around(tokenizer: PreTrainedTokenizerBase) -> tuple[int, int]:
    """How many special tokens the tokenizer puts before and after a text."""
    body = tokenizer("a", add_special_tokens=False)["input_ids"]
    whole = tokenizer("a")["input_ids"]
    for start in range(len(whole) - len(body) + 1):
        if whole[start : start + len(body)] == body:
            return start, len(whole) - start - len(body)
    return 0, 0
