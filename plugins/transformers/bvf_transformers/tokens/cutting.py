"""Splits prompts into token ids, and refuses texts that a tokenizer cannot encode."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple, TypeVar

import transformers
from transformers import PreTrainedTokenizerBase

from bvf import BvfError, Media, Prompt
from bvf_transformers.options import Start
from bvf_transformers.tokens.composing import Composer
from bvf_transformers.tokens.word_tree import Ids, PieceTree, tree_of

T = TypeVar("T")
K = TypeVar("K")
R = TypeVar("R")
SHOWN = 60
NONE, UNKNOWN = "no tokens", "tokens that it does not know"
OTHER_MODEL = "or use a model that knows its letters"
LETTERS_LOOKED_AT = 8
CHECKED_EVERY = 128
SEPARATOR = "<|endoftext|>"
"""What stood between texts in the training of GPT-2, GPT-NeoX, Qwen, SmolLM2 and others. Chat versions may have turned
bos and eos into tokens that begin and end a turn of a chat."""


class Vocabulary:
    """Checks what a tokenizer can encode. ``model`` is the model's name in error messages."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, model: str) -> None:
        self._tokenizer = tokenizer
        self._model = model
        self._unknown = tokenizer.unk_token_id
        self._mark = str(tokenizer.unk_token)
        self._written: set[str] = set()

    def check_word(self, word: str, ids: Ids) -> None:
        """Refuse a word that has no tokens or the unknown token."""
        if not ids or self._unknown in ids:
            tokens = UNKNOWN if ids else NONE
            raise self._cannot_write(f'"{word}"', tokens, "leave the word out with --words")

    def check_apart(self, words: Sequence[str], pieces: Sequence[Ids]) -> None:
        """Refuse two words with the same tokens: a model cannot give them different probabilities."""
        first: dict[Ids, str] = {}
        for word, ids in zip(words, pieces, strict=True):
            other = first.setdefault(ids, word)
            if other != word:
                raise BvfError(
                    f'{self._model}: the tokenizer writes "{other}" and "{word}" with the same tokens, '
                    "so that one word would count as two",
                    "leave one of them out with --words",
                )

    def check_text(self, prompt: Prompt, right: str, ids: Ids) -> None:
        """Refuse a prompt with unknown tokens around the slot, or whose group has no tokens.

        ``right`` is the text right of the slot that the model reads; ``ids`` are those of the prompt without a word and
        without special tokens at its start and end.
        """
        text = f"{prompt.left} {right}"
        if self._unknown in ids and ids.count(self._unknown) > text.count(self._mark):
            raise self._unknown_in(prompt, text)
        if prompt.group not in self._written:
            if prompt.group and prompt.group in text and not self._ids(prompt.group):
                raise self._cannot_write(f'the group "{prompt.group}"', NONE, f"leave the group out, {OTHER_MODEL}")
            self._written.add(prompt.group)

    def _unknown_in(self, prompt: Prompt, text: str) -> BvfError:
        """The error for unknown tokens in a prompt. It names the group if they are there, else the template."""
        group = f'the group "{prompt.group}"'
        if self._unknown in self._ids(prompt.group):
            return self._cannot_write(group, UNKNOWN, f"leave the group out, {OTHER_MODEL}")
        part = next((word for word in text.split() if self._unknown in self._ids(word)), text.strip())
        what = f'"{part[:SHOWN]}" of the template "{prompt.context}" with {group}'
        return self._cannot_write(what, UNKNOWN, f"word the template otherwise, {OTHER_MODEL}")

    def _cannot_write(self, what: str, tokens: str, hint: str) -> BvfError:
        return BvfError(f"{self._model}: the tokenizer cannot write {what}: it becomes {tokens}", hint)

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids


@dataclass(frozen=True, eq=False)
class Slot:
    """The words that can fill a slot, as token ids. A `Cutter` returns the same object for equal slots.

    Args:
        pieces: Token ids of each word in the slot. Where the tokenizer merges the end of the text with a word (说 and
            他 into one token), they begin with that end.
        reopened: Ids of all tokens compatible with the text that was then cut off on the left; empty if nothing was.
        merged: How many ids were cut off on the left.
        longer_words: Texts and ids of those longer words whose ids begin with the ids of a word.
        beside: How many of the words, the last ones, are read beside the others: they have one token each.
    """

    pieces: tuple[Ids, ...]
    reopened: Ids = ()
    merged: int = 0
    longer_words: tuple[tuple[str, Ids], ...] = ()
    beside: int = 0

    @cached_property
    def longest(self) -> int:
        """The number of tokens of the longest word."""
        return max(map(len, (*self.pieces, *(ids for _, ids in self.longer_words))))

    def tree(self, boundary: frozenset[int] | None = None) -> PieceTree:
        """Return the tree of the words; with ``boundary`` words end before these tokens."""
        words = len(self.pieces) - self.beside
        beside = tuple(ids[0] for ids in self.pieces[words:])
        return tree_of(self.pieces[:words], boundary, self.longer_words, beside)

    def may_stand_beside(self) -> bool:
        """Whether every word is one token after the whole text, and leaves out no longer words."""
        return self.longest == 1 and not self.merged and not self.longer_words

    def with_beside(self, other: "Slot") -> "Slot":
        """Return the slot with the words of another, which are read beside its own."""
        return replace(self, pieces=self.pieces + other.pieces, beside=len(other.pieces))


class Cut(NamedTuple):
    """A prompt as token ids, split at the slot.

    Args:
        left: Ids before the slot, including the special tokens that begin a text.
        right: Ids after it, including the special tokens that end a text; empty if the model does not read them.
        slot: The ids of the words that may fill the slot.
        media: Media files that the model gets with the text.
        head: How many of the ids on the left are those of the text left of [X], the same for all groups; 0: unknown.
    """

    left: Ids
    right: Ids
    slot: Slot
    media: tuple[Media, ...] = ()
    head: int = 0


class Cutter:
    """Tokenises prompts and splits them at the slot.

    If ids can be composed from ids of words, each word is tokenised once, and a few prompts are checked. Else the
    pieces of a word depend on the text around the slot. They are found once per last word (or few characters) left of
    the slot and text right of it, and checked on every other prompt for one word, a different one each time; a prompt
    that fails the check is tokenised with every word. Of ``longer_words`` a slot gets those that go on from a word by
    further tokens: a tokenizer with a token of its own for 他们 gives 他 no text that begins with it.

    ``start`` says which token stands before a word with nothing left of it, if the tokenizer puts none before texts.
    """

    def __init__(
        self,
        tokenizer: PreTrainedTokenizerBase,
        model: str,
        *,
        reads_right: bool,
        adds_special_tokens: bool = True,
        start: Start = "separator",
        longer_words: Sequence[str] = (),
    ) -> None:
        self.tokenizer = tokenizer
        self.model = model
        self.reads_right = reads_right
        self._adds_special_tokens = adds_special_tokens
        self._longer = longer_words
        self._before, self._behind = _special_tokens_around(tokenizer) if adds_special_tokens else (0, 0)
        self._begins_bare = not reads_right and not self._before
        self._start_by = start
        self._writing = Vocabulary(tokenizer, model)
        self._composer = Composer(tokenizer, self.ids_before)
        self._known: dict[tuple[str, ...], dict[tuple[str, str, bool], tuple[Slot, Ids]]] = {}
        self._slots: dict[tuple[object, ...], Slot] = {}
        self._heads: dict[str, Ids] = {}

    def without_special_tokens(self) -> "Cutter":
        """Return the same cutter for texts that have their special tokens already, such as those of a chat."""
        return Cutter(
            self.tokenizer,
            self.model,
            reads_right=self.reads_right,
            adds_special_tokens=False,
            start=self._start_by,
            longer_words=self._longer,
        )

    def cut(self, prompts: Sequence[Prompt], words: Sequence[str]) -> list[Cut]:
        """Return every prompt as token ids, split at the slot.

        If the model does not read right of the slot and the group stands there, each word comes with the text up to the
        end of the group: *young nurse* in place of *young*.

        Raises:
            BvfError: A word changes the tokens around it in a way that cannot be scored; a word, the group or the
                template has no tokens, or unknown ones; or two words have the same tokens.
        """
        if self.reads_right:
            return self._cut(prompts, words)
        return by_kind(
            prompts,
            lambda prompt: prompt.right_to_group,
            lambda end, alike: self._cut(alike, [word + end for word in words]),
        )

    def _cut(self, prompts: Sequence[Prompt], words: Sequence[str]) -> list[Cut]:
        composes = self._composer.is_allowed
        lefts = self._composer.ids([prompt.left for prompt in prompts])
        known = self._known.setdefault(tuple(words), {})
        stand_apart = [composes and prompt.spaced and prompt.left != "" for prompt in prompts]
        checked = [i for i, apart in enumerate(stand_apart) if not apart or i % CHECKED_EVERY == 0]
        filled = [(prompts[i].left, self._filled(prompts[i], words[i % len(words)])) for i in checked]
        wholes = dict(zip(checked, self._whole_ids(filled), strict=True))
        composed = [i for i in checked if composes and " " in prompts[i].left]
        if composed and self.ids_before([prompts[i].left for i in composed]) != [lefts[i] for i in composed]:
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
            body = _without_end(left, slot)
            cuts.append(Cut(body, right, slot, head=0 if self.reads_right else self._head(prompt.context, body)))
        for prompt, cut in zip(prompts, cuts, strict=True):
            body = (cut.left[self._before :] if prompt.left else ()) + cut.right[: len(cut.right) - self._behind]
            self._writing.check_text(prompt, prompt.right if self.reads_right else "", body)
        return cuts

    def _cut_without_composing(self, prompts: Sequence[Prompt], words: Sequence[str]) -> list[Cut]:
        self._composer.is_allowed = False
        self._known.clear()
        return self._cut(prompts, words)

    def ids_before(self, texts: Sequence[str]) -> list[Ids]:
        """Return the ids of texts that are to be continued, without the special tokens that end a text."""
        return self._open_ids([(text, text) for text in texts])

    def sample_ids(self) -> tuple[Ids, Ids]:
        """Return the ids of two sample texts of the same length.

        They test which faster ways of reading a model allows.
        """
        ids = self.ids_before(["a b c"])[0]
        return ids, (*ids[:1], *ids[:0:-1])

    def _slot(self, prompt: Prompt, left: Ids, words: Sequence[str]) -> tuple[Slot, Ids]:
        """The slot of one prompt, with the token ids of every word, and the ids right of it."""
        longer = [each for each in self._longer if each.startswith(tuple(words)) and each not in words]
        opened = self._open_ids([(prompt.left, self._filled_left(prompt, word)) for word in (*words, *longer)])
        wholes = self._whole_ids([(prompt.left, self._filled(prompt, word)) for word in words])
        shared = min(_shared(left, ids) for ids in opened[: len(words)])
        pieces, rights = [], set()
        for word, ids, whole in zip(words, opened[: len(words)], wholes, strict=True):
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
        whole_longer = zip(longer, opened[len(words) :], strict=True)
        going_on = tuple((each, ids[shared:]) for each, ids in whole_longer if self._goes_on(ids, opened[: len(words)]))
        key = (tuple(pieces), merged, going_on)
        if key not in self._slots:
            reopened = self._reopened(merged, {ids[0] for ids in pieces}) if merged else ()
            self._slots[key] = Slot(tuple(pieces), reopened, len(merged), going_on)
        return self._slots[key], rights.pop()

    def _goes_on(self, ids: Ids, words: Sequence[Ids]) -> bool:
        """Whether ids are those of a text and a word, and others after them that are known."""
        begun = any(len(word) < len(ids) and ids[: len(word)] == word for word in words)
        return begun and self.tokenizer.unk_token_id not in ids

    def _reopened(self, end: Ids, first_pieces: set[int]) -> Ids:
        """Ids of tokens whose string extends the text of ``end`` or is its prefix, and also ``first_pieces``."""
        text = "".join(self._vocabulary[token] for token in end)
        known = [(t, token) for t, token in enumerate(self._vocabulary) if token]
        agree = {t for t, token in known if token.startswith(text) or text.startswith(token)}
        return tuple(sorted(agree | first_pieces))

    @cached_property
    def _vocabulary(self) -> list[str]:
        return list(self.tokenizer.convert_ids_to_tokens(list(range(len(self.tokenizer)))))

    def _filled_left(self, prompt: Prompt, word: str) -> str:
        return f"{prompt.left}{' ' if prompt.spaced and prompt.left else ''}{word}"

    def _filled(self, prompt: Prompt, word: str) -> str:
        return self._filled_left(prompt, word) + (prompt.right if self.reads_right else "")

    def _head(self, context: str, left: Ids) -> int:
        """How many ids a text shares with what stands left of [X] in its context. At least one is left over."""
        if context not in self._heads:
            text = context.partition("[X]")[0].rstrip()
            self._heads[context] = self._composer.ids([text])[0] if text else ()
        head = self._heads[context]
        return min(len(head) if left[: len(head)] == head else _shared(head, left), len(left) - 1)

    def _whole_ids(self, texts: Sequence[tuple[str, str]]) -> list[Ids]:
        """Token ids of the text that the model reads, including special tokens."""
        return self._ids(texts) if self.reads_right else self._open_ids(texts)

    def _open_ids(self, texts: Sequence[tuple[str, str]]) -> list[Ids]:
        """Ids of the texts without the special tokens that end a text."""
        return [ids[: len(ids) - self._behind] for ids in self._ids(texts)]

    def _ids(self, texts: Sequence[tuple[str, str]]) -> list[Ids]:
        """Token ids of texts, given as (text left of the slot, whole text). A start token is added if needed."""
        encoded = self.tokenizer(
            [text for _, text in texts], verbose=False, add_special_tokens=self._adds_special_tokens
        )["input_ids"]
        return [
            (self._start, *ids) if self._begins_bare and not left else tuple(ids)
            for (left, _), ids in zip(texts, encoded, strict=True)
        ]

    @cached_property
    def _start(self) -> int:
        separator = self.tokenizer.get_vocab().get(SEPARATOR) if self._start_by == "separator" else None
        for token in (separator, self.tokenizer.bos_token_id, self.tokenizer.eos_token_id):
            if token is not None:
                return int(token)
        raise BvfError(f"{self.model}: the tokenizer has no token that begins a text", "put text left of [Y]")


def by_kind(items: Sequence[T], kind_of: Callable[[T], K], make: Callable[[K, list[T]], Sequence[R]]) -> list[R]:
    """Return what is made of each item, in their order. Those of one kind are made together."""
    indices_of: dict[K, list[int]] = {}
    for index, item in enumerate(items):
        indices_of.setdefault(kind_of(item), []).append(index)
    made: dict[int, R] = {}
    for kind, indices in indices_of.items():
        made.update(zip(indices, make(kind, [items[index] for index in indices]), strict=True))
    return [made[index] for index in range(len(items))]


def slots_of(cuts: Sequence[Cut]) -> list[Slot]:
    """Return the distinct slots of cuts, in their order."""
    return list(dict.fromkeys(cut.slot for cut in cuts))


def _shared(one: Ids, other: Ids) -> int:
    """The length of the common prefix of two id sequences."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _without_end(left: Ids, slot: Slot) -> Ids:
    return left[: len(left) - slot.merged]


def check_special_tokens(tokenizer: PreTrainedTokenizerBase, model: str) -> None:
    """Refuse a tokenizer that has tokens for the beginning and the end of a text, and writes neither.

    A model that fills gaps was trained on texts between the two. Some versions of transformers leave them out: 5.0 to
    5.3 for DeBERTa v2, 5.3 and later for FNet without a tokenizer.json.
    """
    ends = [tokenizer.cls_token_id, tokenizer.sep_token_id]
    if None not in ends and not set(ends) & set(tokenizer("a")["input_ids"]):
        raise BvfError(
            f"{model}: the tokenizer has {tokenizer.cls_token} and {tokenizer.sep_token} for the beginning and the "
            f"end of a text, and transformers {transformers.__version__} writes neither",
            "take another version of transformers, or a folder whose tokenizer.json writes them",
        )


def _special_tokens_around(tokenizer: PreTrainedTokenizerBase) -> tuple[int, int]:
    """The numbers of special tokens that the tokenizer puts before and after a text."""
    body = tokenizer("a", add_special_tokens=False)["input_ids"]
    whole = tokenizer("a")["input_ids"]
    for start in range(len(whole) - len(body) + 1):
        if whole[start : start + len(body)] == body:
            return start, len(whole) - start - len(body)
    return 0, 0


OTHERS_BEFORE_GROUP = 64
"""Tokens that are tried between a text and a group, to see how much of what may stand there the words are."""
MostProbable = Callable[[Sequence[Cut], int], Sequence[Sequence[int]]]
"""From texts and a number: ids of so many tokens, the most probable after each text, the first one first."""


def others_before_group(
    cut_prompts: Callable[[Sequence[Prompt], Sequence[str]], list[Cut]],
    prompts: Sequence[Prompt],
    cuts: Sequence[Cut],
    words: Sequence[str],
    most_probable: MostProbable,
) -> list[Cut]:
    """Return each text with the most probable tokens that begin none of the words, and the group after each of them.

    ``cuts`` are the prompts with the words and the group after them; ``cut_prompts`` cuts prompts with words.
    """
    alone = [cut.slot for cut in cut_prompts([replace(prompt, right="", context="") for prompt in prompts], words)]
    begin_words = [{pieces[0] for pieces in slot.pieces} for slot in alone]
    candidates = most_probable(cuts, OTHERS_BEFORE_GROUP + max(map(len, begin_words)))
    others = []
    for cut, slot, begun, tokens in zip(cuts, alone, begin_words, candidates, strict=True):
        pairs = zip(cut.slot.pieces, slot.pieces, strict=True)
        ends = Counter(longer[len(word) :] for longer, word in pairs if longer[: len(word)] == word)
        group: Ids = ends.most_common(1)[0][0] if ends else ()  # after most of the words
        tried = [token for token in tokens if token not in begun][:OTHERS_BEFORE_GROUP]
        others.append(Cut(cut.left, (), Slot(tuple((token, *group) for token in tried))))
    return others
