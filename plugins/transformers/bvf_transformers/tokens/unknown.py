"""Refuses text that a tokenizer cannot encode, and words with the same encoding. Their scores would be wrong."""

from collections.abc import Sequence

from transformers import PreTrainedTokenizerBase

from bvf import BvfError, Prompt
from bvf_transformers.tokens.word_tree import Ids

SHOWN = 60
NONE, UNKNOWN = "no tokens", "tokens that it does not know"
OTHER_MODEL = "or use a model that knows its letters"


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
