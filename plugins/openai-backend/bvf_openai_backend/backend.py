"""A causal model on a server: the pieces of words are asked as a tree, one row per inner node."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from bvf_transformers.kinds.slot import length_of
from bvf_transformers.reading.batching import by_shape
from bvf_transformers.reading.tolerance import logprobs_within, unasked_words
from bvf_transformers.tokens.cutting import Cut, Cutter
from bvf_transformers.tokens.word_tree import Ids, PieceTree, tree_of

from bvf.arrays import BoolArray, FloatArray, IntArray
from bvf.domain.prompt import Prompt
from bvf.errors import BvfError
from bvf.interfaces.backend import Answers, Backend, Capabilities, Metered, Tokenizing
from bvf_openai_backend.rows import Row
from bvf_openai_backend.served import Served
from bvf_openai_backend.server import Server


class ServerModel(Backend, Tokenizing, Metered):
    """The base of all models on servers: turns prompts into token ids.

    Args:
        served: What the server says about the model.
        server: The server, and how it is asked.
        cutter: The model's tokenizer.
    """

    capabilities = Capabilities(reads_right=False, leaves_words_out=True)

    def __init__(self, served: Served, server: Server, cutter: Cutter) -> None:
        self.served, self.server, self.cutter = served, server, cutter

    @property
    def model_name(self) -> str:
        return f"{self.served.name} on {self.server.client.host}"

    def token_ids(self, prompt: Prompt, word: str) -> list[int]:
        return list(self.cutter.cut([prompt], [word])[0].left)

    def check_tokens(self, prompts: Sequence[Prompt], words: Sequence[str]) -> None:
        self.distinct_cuts(prompts, words)

    def check_budget(self, prompts: Sequence[Prompt], words: Sequence[str], number: int) -> None:
        most = self.server.client.options.max_requests
        if not most:
            return
        cuts, _ = self.distinct_cuts(prompts, words)
        rows_each = max(len(tree_of(cut.slot.pieces).beginnings) for cut in cuts)
        together = min(self.server.client.options.rows, self.server.dialect.most_rows)
        wanted = -(-number * rows_each // together)
        if wanted > most:
            raise BvfError(
                f"max_requests={most}, and these {number} prompts take about {wanted}, of {together} texts each",
                "allow more, or ask less: --tolerance, --words, --limit-contexts, --limit-groups",
            )

    def distinct_cuts(self, prompts: Sequence[Prompt], words: Sequence[str]) -> tuple[list[Cut], list[int]]:
        """Return the prompts as token ids, equal ones once, and where each prompt's are among them.

        Raises:
            BvfError: A text or word cannot be written, or is too long.
        """
        cuts = self.cutter.cut(prompts, words)
        longest = max(range(len(cuts)), key=lambda index: length_of(cuts[index]))
        if 0 < self.served.longest < length_of(cuts[longest]):
            raise BvfError(
                f'{self.model_name}: "{prompts[longest]}" has {length_of(cuts[longest])} tokens, and the server takes '
                f"{self.served.longest}",
                "shorten the template, or start the server for longer texts",
            )
        place_of: dict[Cut, int] = {}
        places = [place_of.setdefault(cut, len(place_of)) for cut in cuts]
        return list(place_of), places


class ExactModel(ServerModel):
    """A model on a server that tells the log-probability of every token that it is asked for."""

    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> FloatArray:
        cuts, places = self.distinct_cuts(prompts, words)
        logp = np.empty((len(cuts), len(words)))
        for group in by_shape(cuts, lambda cut: cut.slot):
            alike = [cuts[index] for index in group]
            pieces = tree_of(alike[0].slot.pieces)
            everything = np.ones((len(alike), len(pieces.beginnings)), dtype=np.bool_)
            logp[group] = pieces.word_logprobs(self._ask(alike, pieces, everything))
            if absolute and alike[0].slot.reopened:
                logp[group] = np.minimum(logp[group] - self._opening_logprobs(alike), 0.0)  # above 0 by rounding only
        of_prompts: FloatArray = logp[places]
        return of_prompts

    def score_within(
        self, prompts: Sequence[Prompt], words: Sequence[str], class_of_word: IntArray, tolerance: float
    ) -> Answers:
        cuts, places = self.distinct_cuts(prompts, words)
        logp, reached = np.empty((len(cuts), len(words))), np.zeros(len(cuts))
        for group in by_shape(cuts, lambda cut: cut.slot):
            alike = [cuts[index] for index in group]
            pieces = tree_of(alike[0].slot.pieces)
            ask = partial(self._ask, alike, pieces)
            logp[group], reached[group] = logprobs_within(
                unasked_words(pieces, class_of_word), len(alike), ask, tolerance
            )
        return Answers(logp[places], reached[places])

    def _ask(self, cuts: Sequence[Cut], pieces: PieceTree, chosen: BoolArray) -> FloatArray:
        """Log p of the answers after chosen beginnings, shape (B, K): shape (B, Q), -inf where nothing was asked."""
        answers = np.full((len(cuts), len(pieces.tokens)), -np.inf)
        wanted = [(int(b), int(k)) for b, k in np.argwhere(chosen)]
        told = self._told([(cuts[b].left + pieces.beginnings[k], tokens_behind(pieces, k)) for b, k in wanted])
        for (b, k), values in zip(wanted, told, strict=True):
            answers[b, pieces.first_question[k] : pieces.first_question[k + 1]] = values
        return answers

    def _told(self, wanted: Sequence[tuple[Ids, Ids]]) -> list[FloatArray]:
        """Log p of each text's tokens; those of one text are asked in several rows where they are too many."""
        rows = [[Row(ids, part) for part in self._parts(asked)] for ids, asked in wanted]
        told = self.server.ask([row for of_text in rows for row in of_text])
        return [np.array([told[row].logp[token] for row in of_text for token in row.asked]) for of_text in rows]

    def _parts(self, asked: Ids) -> list[Ids]:
        most = int(min(self.server.dialect.most_ids, len(asked)))
        return [asked[start : start + most] for start in range(0, len(asked), most)]

    def _opening_logprobs(self, cuts: Sequence[Cut]) -> FloatArray:
        """Log p, shape (len(cuts), 1), that a text with its end cut off continues with a token that begins like it."""
        opening = cuts[0].slot.reopened
        told = self._told([(cut.left, opening) for cut in cuts])
        return np.array([[np.logaddexp.reduce(values)] for values in told])


def tokens_behind(pieces: PieceTree, beginning: int) -> Ids:
    """Return the pieces that are asked for after a beginning of words."""
    first, last = pieces.first_question[beginning], pieces.first_question[beginning + 1]
    return tuple(pieces.tokens[first:last].tolist())
