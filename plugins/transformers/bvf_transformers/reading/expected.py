"""Follows the words of classes in texts while their tokens are drawn: how many were expected, and how many came.

Let u be 1 for a class if the next token completes one of its words, as far as one can tell from the letters. The sum
over the steps of E[u] - u(drawn) is 0 on average, whatever u is, if u and where the sum ends depend on earlier tokens
alone. A word is over when a token follows that does not go on with it (*he* may begin *heather*, *her* may begin
*hers*): after it, all such tokens count for its class, and the sum ends with the first one.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from bvf.stats import FloatArray

GOES_ON = re.compile(r"[^\W\u2e80-\u9fff]")
"""A letter with which a token goes on with a word; Chinese writes words without spaces."""
NO_LETTER, NO_WORD = re.compile(r"\W"), "\n"
"""What ends a word; and the letters after the last token where they begin no word of a class."""
NO_LETTERS, LAST_LETTERS = re.compile(r"^\W+"), re.compile(r"\w*$")


@dataclass(eq=False)
class Stream:
    """What draws the tokens of one text.

    Args:
        random: Its random numbers.
        words: The words that are followed in it.
        owed: How many words of each class were expected and did not come, shape (Y,).
        tail: The letters after the last token that begins a word; None: the first word of a class is over.
    """

    random: np.random.Generator
    words: "WordsOfClasses | None" = None
    owed: FloatArray | float = 0.0
    tail: str | None = ""

    def __post_init__(self) -> None:
        self._state = self.random.bit_generator.state

    def begin(self) -> None:
        """Begin the text, again where a batch was too large for the memory."""
        self.random.bit_generator.state = self._state
        self.owed, self.tail = 0.0, ""


class WordsOfClasses:
    """The words of each class, as tokens complete them: those of a vocabulary with ``texts``, of which some end one."""

    def __init__(self, texts: Sequence[str], ends: frozenset[int], classes: Sequence[Sequence[str]]) -> None:
        self._classes = np.eye(len(classes))
        self._class_of = {word.lower(): y for y, words in enumerate(classes) for word in words}
        self._heads = {word[:length] for word in self._class_of for length in range(len(word) + 1)}
        self._texts = [text.lower() for text in texts]
        self._goes_on = [index not in ends and bool(GOES_ON.match(text)) for index, text in enumerate(texts)]
        self._ids = defaultdict[tuple[bool, str], list[int]](list)
        for index, (goes_on, text) in enumerate(zip(self._goes_on, self._texts, strict=True)):
            self._ids[goes_on, NO_LETTERS.sub("", text)].append(index)
        self._expected = dict[str, tuple[Tensor, Tensor]]()

    def follow(self, logits: Tensor, drawn: Sequence[int], streams: Sequence[Stream]) -> None:
        """Add a step to what texts owe: logits of the next token of each, shape (N, V), and the one that was drawn."""
        totals = logits.logsumexp(dim=1, keepdim=True)
        by_tail = defaultdict[str, list[int]](list)
        for row, stream in enumerate(streams):
            if stream.tail is not None:
                by_tail[stream.tail].append(row)
        for tail, rows in by_tail.items():
            ids, is_of = self._after(tail, logits)
            came = torch.tensor([[drawn[row]] for row in rows], device=logits.device) == ids
            owed = ((logits[rows][:, ids] - totals[rows]).exp() - came.to(logits.dtype)) @ is_of
            for row, of_row in zip(rows, owed.double().cpu().numpy(), strict=True):
                streams[row].owed, streams[row].tail = streams[row].owed + of_row, self._tail(tail, drawn[row])

    def _after(self, tail: str, like: Tensor) -> tuple[Tensor, Tensor]:
        """Ids of the tokens that complete a word of a class after some letters, and which class, shape (N, Y)."""
        if tail not in self._expected:
            found = dict[int, int]()
            for word, y in self._class_of.items():
                found |= dict.fromkeys(self._ids.get((False, word), ()), y)
                if word.startswith(tail) and word != tail:
                    found |= dict.fromkeys(self._ids.get((True, word[len(tail) :]), ()), y)
            if tail in self._class_of:
                found |= {i: self._class_of[tail] for i, goes_on in enumerate(self._goes_on) if not goes_on}
            is_of = torch.from_numpy(self._classes[list(found.values())]).to(like)
            self._expected[tail] = torch.tensor([*found], dtype=torch.long, device=like.device), is_of
        return self._expected[tail]

    def _tail(self, tail: str, token: int) -> str | None:
        if tail in self._class_of and not self._goes_on[token]:
            return None
        text = self._texts[token]
        if tail == NO_WORD and self._goes_on[token] and not NO_LETTER.search(text):
            return tail  # the word that is none goes on
        letters = LAST_LETTERS.search(tail + text if self._goes_on[token] else text)
        return letters[0] if letters and letters[0] in self._heads else NO_WORD
