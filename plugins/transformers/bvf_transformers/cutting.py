"""Token ids left and right of the slot, and of every word in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from transformers import PreTrainedTokenizerBase

from bvf.errors import BvfError
from bvf.prompt import Prompt

Ids = tuple[int, ...]


@dataclass(frozen=True)
class Cut:
    """A prompt as token ids.

    Args:
        left: Ids before the slot, with the special tokens that begin a text.
        right: Ids behind the slot, with the special tokens that end one; empty if the model does not look there.
        pieces: Ids of every word in the slot, in the order of the words.
    """

    left: Ids
    right: Ids
    pieces: tuple[Ids, ...]


class Cutter:
    """Cuts prompts at the slot.

    The pieces of a word depend on the text around the slot. They are found for the first prompt of every last word
    left of the slot (and text right of it), and checked on every other prompt for one word, a different one each time;
    a prompt that fails the check is tokenised with every word.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, model: str, *, reads_right: bool) -> None:
        self.tokenizer = tokenizer
        self.model = model
        self.reads_right = reads_right
        before, self._behind = _special_tokens_around(tokenizer)
        self._begins_bare = not reads_right and not before
        self._known: dict[tuple[str, str, bool, tuple[str, ...]], tuple[tuple[Ids, ...], Ids]] = {}

    def cut(self, prompts: Sequence[Prompt], words: Sequence[str]) -> list[Cut]:
        """Return every prompt as token ids.

        Raises:
            BvfError: The ids of the text left of the slot are no prefix of those with a word behind it (names both);
                or a word has no tokens, or unknown ones.
        """
        lefts = self._open_ids([(prompt, prompt.left) for prompt in prompts])
        checked = [words[index % len(words)] for index in range(len(prompts))]
        wholes = self._ids(
            [(prompt, self._filled(prompt, word)) for prompt, word in zip(prompts, checked, strict=True)]
        )
        cuts = []
        for index, prompt in enumerate(prompts):
            key = (prompt.left.rpartition(" ")[2], prompt.right, prompt.spaced, tuple(words))
            if key not in self._known:
                self._known[key] = self._pieces(prompt, lefts[index], words)
            pieces, right = self._known[key]
            if wholes[index] != lefts[index] + pieces[index % len(words)] + right:
                pieces, right = self._pieces(prompt, lefts[index], words)
            cuts.append(Cut(lefts[index], right if self.reads_right else (), pieces))
        return cuts

    def sample_ids(self) -> tuple[Ids, Ids]:
        """Return two different texts of the same length, to find out on what a model allows."""
        prompt = Prompt("a b c", "", "", "")
        ids = self._open_ids([(prompt, prompt.left)])[0]
        return ids, (*ids[:1], *ids[:0:-1])

    def _pieces(self, prompt: Prompt, left: Ids, words: Sequence[str]) -> tuple[tuple[Ids, ...], Ids]:
        """Pieces of every word in the slot of one prompt, and the ids right of it."""
        opened = self._open_ids([(prompt, self._filled_left(prompt, word)) for word in words])
        wholes = self._ids([(prompt, self._filled(prompt, word)) for word in words])
        pieces, rights = [], set()
        for word, ids, whole in zip(words, opened, wholes, strict=True):
            if ids[: len(left)] != left or whole[: len(ids)] != ids:
                raise BvfError(
                    f'{self.model}: with "{word}" in the slot the tokens of "{prompt}" change: '
                    f"{list(left)} is no prefix of {list(ids)}, or that of {list(whole)}",
                    "word the template so that a token ends before [Y] and another begins after it",
                )
            pieces.append(self._known_tokens(word, ids[len(left) :]))
            rights.add(whole[len(ids) :])
        if len(rights) > 1:
            raise BvfError(f'{self.model}: the text right of [Y] in "{prompt}" has other tokens with other words')
        return tuple(pieces), rights.pop()

    def _known_tokens(self, word: str, found: Ids) -> Ids:
        if found and self.tokenizer.unk_token_id not in found:
            return found
        what = "tokens that it does not know" if found else "no tokens"
        raise BvfError(
            f'{self.model}: the tokenizer cannot write "{word}": it becomes {what}', "leave the word out with --words"
        )

    def _filled_left(self, prompt: Prompt, word: str) -> str:
        return f"{prompt.left}{' ' if prompt.spaced and prompt.left else ''}{word}"

    def _filled(self, prompt: Prompt, word: str) -> str:
        return self._filled_left(prompt, word) + (prompt.right if self.reads_right else "")

    def _open_ids(self, texts: Sequence[tuple[Prompt, str]]) -> list[Ids]:
        """Ids without the special tokens that end a text."""
        return [ids[: len(ids) - self._behind] for ids in self._ids(texts)]

    def _ids(self, texts: Sequence[tuple[Prompt, str]]) -> list[Ids]:
        """Ids of texts; a model that continues texts begins with a token where nothing stands left of the slot."""
        encoded = self.tokenizer([text for _, text in texts], verbose=False)["input_ids"]
        return [
            (self._start(), *ids) if self._begins_bare and not prompt.left else tuple(ids)
            for (prompt, _), ids in zip(texts, encoded, strict=True)
        ]

    def _start(self) -> int:
        for token in (self.tokenizer.bos_token_id, self.tokenizer.eos_token_id):
            if token is not None:
                return int(token)
        raise BvfError(f"{self.model}: the tokenizer has no token that begins a text", "put text left of [Y]")


def _special_tokens_around(tokenizer: PreTrainedTokenizerBase) -> tuple[int, int]:
    """How many special tokens the tokenizer puts before and behind a text."""
    body = tokenizer("a", add_special_tokens=False)["input_ids"]
    whole = tokenizer("a")["input_ids"]
    for start in range(len(whole) - len(body) + 1):
        if whole[start : start + len(body)] == body:
            return start, len(whole) - start - len(body)
    return 0, 0
