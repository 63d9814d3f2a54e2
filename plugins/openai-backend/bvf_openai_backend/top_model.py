"""A model on a server that tells only the most probable tokens: p of every word lies between two limits."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from bvf_transformers.reading.batching import by_shape
from bvf_transformers.tokens.cutting import Cut, Cutter, Slot
from bvf_transformers.tokens.unknown import Vocabulary
from bvf_transformers.tokens.word_tree import Ids, PieceTree, tree_of

from bvf.arrays import FloatArray, IntArray
from bvf.domain.prompt import Prompt
from bvf.interfaces.backend import Answers
from bvf_openai_backend.backend import ServerModel, tokens_behind
from bvf_openai_backend.bounds import deviation_of_any_classes, deviation_within, middle_of
from bvf_openai_backend.most_probable import TopK
from bvf_openai_backend.rows import Row, Told
from bvf_openai_backend.served import Served
from bvf_openai_backend.server import Server
from bvf_openai_backend.tokens import text_of

NOTHING = Told({}, 1.0)
"""What is known about a text that cannot be asked: nothing."""


class TopModel(ServerModel):
    """Scores words by the middle of the least and the largest p that the server's answers allow."""

    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> Answers:
        lowest, highest = self._limits(prompts, words)
        middle = np.minimum(middle_of(lowest, highest), 0.0)
        return Answers(middle, deviation_of_any_classes(lowest, highest), self._remarks())

    def score_within(
        self, prompts: Sequence[Prompt], words: Sequence[str], class_of_word: IntArray, tolerance: float
    ) -> Answers:
        lowest, highest = self._limits(prompts, words)
        deviation = deviation_within(lowest, highest, class_of_word)
        return Answers(middle_of(lowest, highest), deviation, self._remarks())

    def _remarks(self) -> tuple[str, ...]:
        top = self._dialect.top
        return (
            f"the server tells the {top} most probable tokens after each text: p of any other lies between 0 and "
            "the least of these",
        )

    @property
    def _dialect(self) -> TopK:
        dialect = self.server.dialect
        assert isinstance(dialect, TopK)
        return dialect

    def _limits(self, prompts: Sequence[Prompt], words: Sequence[str]) -> tuple[FloatArray, FloatArray]:
        """Least and largest log p of every word, shape (P, W) each."""
        cuts, places = self.distinct_cuts(prompts, words)
        limits = np.empty((2, len(cuts), len(words)))
        for group in by_shape(cuts, lambda cut: cut.slot):
            alike = [cuts[index] for index in group]
            pieces = tree_of(alike[0].slot.pieces)
            limits[:, group] = [pieces.word_logprobs(answers) for answers in self._asked(alike, pieces)]
        return limits[0][places], limits[1][places]

    def _asked(self, cuts: Sequence[Cut], pieces: PieceTree) -> FloatArray:
        """Least and largest log p of the answers, shape (2, B, Q), found level by level."""
        limits = np.zeros((2, len(cuts), len(pieces.tokens)))
        limits[0] = -np.inf
        for level in pieces.levels():
            probable = pieces.beginning_logprobs(limits[0])
            wanted = [(b, int(k)) for k in level for b in range(len(cuts)) if probable[b, k] > -np.inf]
            rows = [self._row(cuts[b].left, pieces, k) for b, k in wanted]
            told = self.server.ask([row for row in rows if row is not None])
            for (b, k), row in zip(wanted, rows, strict=True):
                questions = slice(pieces.first_question[k], pieces.first_question[k + 1])
                limits[:, b, questions] = _between(told[row] if row is not None else NOTHING, tokens_behind(pieces, k))
        return limits

    def _row(self, left: Ids, pieces: PieceTree, beginning: int) -> Row | None:
        """The row after a beginning of words; None if its text cannot be sent."""
        row = Row(left + pieces.beginnings[beginning], tokens_behind(pieces, beginning))
        if self._dialect.reads_ids:
            return row
        text = text_of(self.cutter.tokenizer, row.ids)
        return None if text is None else replace(row, text=text)


class TopChatModel(TopModel):
    """Scores words as the beginning of what a chat answers; of words of several tokens, only the first is told."""

    capabilities = replace(TopModel.capabilities, wording="chat")

    def __init__(self, served: Served, server: Server, cutter: Cutter) -> None:
        super().__init__(served, server, cutter)
        self._said: dict[Ids, str] = {}
        self._slots: dict[tuple[Ids, ...], Slot] = {}

    def token_ids(self, prompt: Prompt, word: str) -> list[int]:
        return list(self.distinct_cuts([prompt], [word])[0][0].left)

    def distinct_cuts(self, prompts: Sequence[Prompt], words: Sequence[str]) -> tuple[list[Cut], list[int]]:
        """Return the user's texts, and the pieces of words at the beginning of an answer."""
        tokenizer = self.cutter.tokenizer
        pieces = tuple(tuple(ids) for ids in tokenizer(list(words), add_special_tokens=False)["input_ids"])
        writing = Vocabulary(tokenizer, self.model_name)
        for word, ids in zip(words, pieces, strict=True):
            writing.check_word(word, ids)
        writing.check_apart(words, pieces)
        slot = self._slots.setdefault(pieces, Slot(pieces))
        place_of: dict[Cut, int] = {}
        places = []
        for prompt, ids in zip(prompts, tokenizer([prompt.left for prompt in prompts])["input_ids"], strict=True):
            places.append(place_of.setdefault(Cut(tuple(ids), (), slot), len(place_of)))
            self._said[tuple(ids)] = prompt.left
        return list(place_of), places

    def _row(self, left: Ids, pieces: PieceTree, beginning: int) -> Row | None:
        return None if beginning else Row(left, tokens_behind(pieces, beginning), self._said[left])


def _between(told: Told, tokens: Ids) -> FloatArray:
    """Least and largest log p of tokens, shape (2, len(tokens))."""
    with np.errstate(divide="ignore"):
        most = np.log(told.most_untold)
        limits = [
            (told.logp[token], told.logp[token])
            if token in told.logp
            else (-np.inf, max(most, float(np.log(told.doubtful.get(token, 0.0)))))
            for token in tokens
        ]
    return np.array(limits).T
