"""Causal models on a server. Tokens of words form a tree, and each inner node is a row of a request."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from bvf_transformers.kinds.slot import CutModel, Read, WordModel, distinct
from bvf_transformers.reading.memory import by_shape
from bvf_transformers.reading.tolerance import Ask
from bvf_transformers.tokens.cutting import Cut, Cutter, Slot, Vocabulary, others_before_group, slots_of
from bvf_transformers.tokens.word_tree import Ids, PieceTree, remark_on_longer_words

from bvf import Answers, Capabilities, Prompt
from bvf.interfaces import Metered, Tolerance, WordMass
from bvf.stats import BoolArray, FloatArray, IntArray
from bvf_openai_backend.bounds import deviation_of_any_classes, deviation_within, middle_of
from bvf_openai_backend.dialects import Row, RowAnswer
from bvf_openai_backend.most_probable import TopK
from bvf_openai_backend.server import Served, Server
from bvf_openai_backend.tokens import ServerTokenizer, row_for

NOTHING_KNOWN = RowAnswer({}, 1.0)
"""The answer for a text that cannot be sent: p of every token is between 0 and 1."""
Deviation = Callable[[FloatArray, FloatArray], FloatArray]
"""Error bounds of class probabilities, shape (P,), from the limits of log p of words, (P, W) each."""
ECHOED = "; where that is too wide, p of a word is read in the text with the word, which the server sends back"


class ServerModel(CutModel, Metered):
    """The base class of models on servers whose tokens are known. It turns prompts into token ids."""

    capabilities = Capabilities(reads_right=False, leaves_words_out=True)
    takes = "the server takes"
    way_out = f"{CutModel.way_out}, or start the server for longer texts"

    def __init__(self, served: Served, server: Server, cutter: Cutter) -> None:
        self.served, self.server, self.cutter = served, server, cutter
        self.positions = served.longest

    @property
    def model_name(self) -> str:
        return f"{self.served.name} on {self.server.client.host}"

    def token_ids(self, prompt: Prompt, word: str) -> list[int]:
        return list(self.cut([prompt], [word])[0].left)

    def text_of(self, ids: Sequence[int]) -> str:
        return "" if isinstance(self.cutter.tokenizer, ServerTokenizer) else super().text_of(ids)

    def check_budget(self, prompts: Sequence[Prompt], words: Sequence[str], number: int) -> None:
        if not self.server.client.options.max_requests:
            return
        wanted = self.requests(prompts, words, number)
        self.server.client.check_budget(
            wanted,
            f"{number} prompts take about {wanted} requests (texts per request: {self.server.most_rows})",
            "-B echo=false, --tolerance, --words, --limit-contexts, --limit-groups",
        )

    def requests(self, prompts: Sequence[Prompt], words: Sequence[str], number: int) -> int:
        """Return about how many requests ``number`` prompts like these take."""
        cuts, _ = self.distinct_cuts(prompts, words)
        trees = [cut.slot.tree() for cut in cuts]
        rows_each = max(len(tree.beginnings) + (len(tree.paths) if self.server.echo else 0) for tree in trees)
        return -(-number * rows_each // self.server.most_rows)


class ExactModel(ServerModel, WordModel, WordMass):
    """A model on a server that gives log p of any token: of a word, too, with the text up to a group after it."""

    capabilities = replace(ServerModel.capabilities, reaches_group=True)

    def way_of_reading(self, cuts: Sequence[Cut]) -> Read:
        return self._read

    def _read(self, cuts: Sequence[Cut], pieces: PieceTree, *, absolute: bool) -> Iterator[tuple[IntArray, Ask]]:
        """Yield the indices of all texts, and a function that asks the server for words after them."""
        yield np.arange(len(cuts)), partial(self._answers, cuts, pieces)

    def logprobs_together(
        self, cuts: Sequence[Cut], class_of_word: IntArray | None, tolerance: Tolerance, *, absolute: bool
    ) -> tuple[FloatArray, FloatArray]:
        logp, reached = super().logprobs_together(cuts, class_of_word, tolerance, absolute=absolute)
        if absolute and cuts[0].slot.reopened:
            logp = np.minimum(logp - self._opening_logprobs(cuts), 0.0)  # above 0 by rounding only
        return logp, reached

    def word_mass(
        self, prompts: Sequence[Prompt], words: Sequence[str], class_of_word: IntArray, tolerance: float
    ) -> FloatArray:
        mass: FloatArray = np.exp(self.word_logprobs(prompts, words)).sum(axis=1)
        reach_group = [index for index, prompt in enumerate(prompts) if prompt.right_to_group]
        if reach_group:
            asked = [prompts[index] for index in reach_group]
            cuts = self.cut(asked, words)
            others = others_before_group(self.cut, asked, cuts, words, self._most_probable)
            mass[reach_group] /= mass[reach_group] + self._masses(others)
        return mass

    def _most_probable(self, cuts: Sequence[Cut], number: int) -> list[list[int]]:
        """Ids of the most probable next tokens after each text, as many as the server lists."""
        rows = [Row(cut.left, top=number) for cut in cuts]
        answers = self.server.ask(rows)
        return [list(answers[row].logp) for row in rows]

    def _masses(self, cuts: Sequence[Cut]) -> FloatArray:
        """The summed p of the words of each cut, shape (len(cuts),). All are asked together."""
        trees = [cut.slot.tree() for cut in cuts]
        texts = [
            (cut.left + beginning, _pieces_after(pieces, k))
            for cut, pieces in zip(cuts, trees, strict=True)
            for k, beginning in enumerate(pieces.beginnings)
        ]
        ends = np.cumsum([len(pieces.tokens) for pieces in trees])
        answers = np.split(np.concatenate(self._logprobs(texts)), ends[:-1])
        masses = [np.exp(pieces.word_logprobs(logp[None])).sum() for pieces, logp in zip(trees, answers, strict=True)]
        return np.array(masses)

    def _answers(self, cuts: Sequence[Cut], pieces: PieceTree, chosen: BoolArray) -> FloatArray:
        """Log p of the tree's Q tokens, shape (B, Q). It is -inf unless the word prefix is ``chosen``, shape (B, K)."""
        answers = np.full((len(cuts), len(pieces.tokens)), -np.inf)
        wanted = [(int(b), int(k)) for b, k in np.argwhere(chosen)]
        texts = [(cuts[b].left + pieces.beginnings[k], _pieces_after(pieces, k)) for b, k in wanted]
        for (b, k), logp in zip(wanted, self._logprobs(texts), strict=True):
            answers[b, pieces.first_question[k] : pieces.first_question[k + 1]] = logp
        return answers

    def _opening_logprobs(self, cuts: Sequence[Cut]) -> FloatArray:
        """Log p, (len(cuts), 1), that the next token agrees with the end of the text, which was cut off."""
        opening = cuts[0].slot.reopened
        logprobs = self._logprobs([(cut.left, opening) for cut in cuts])
        return np.array([[np.logaddexp.reduce(logp)] for logp in logprobs])

    def _logprobs(self, texts: Sequence[tuple[Ids, Ids]]) -> list[FloatArray]:
        """Log p of the given tokens after each text, in several rows where a request names fewer."""
        most = self.server.dialect.most_ids
        rows_of = [
            [Row(ids, asked[start : start + most]) for start in range(0, len(asked), most)] for ids, asked in texts
        ]
        answers = self.server.ask([row for rows in rows_of for row in rows])
        return [np.array([answers[row].logp[token] for row in rows for token in row.asked]) for rows in rows_of]


class TopModel(ServerModel):
    """A model whose server lists only the most probable tokens. p of a word is the midpoint of its bounds."""

    def __init__(self, served: Served, server: Server, cutter: Cutter) -> None:
        super().__init__(served, server, cutter)
        self._fewest = sys.maxsize

    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> Answers:
        return self._scored(prompts, words, deviation_of_any_classes, Tolerance.on_each(0.0, len(prompts)))

    def score_within(
        self, prompts: Sequence[Prompt], words: Sequence[str], class_of_word: IntArray, tolerance: Tolerance
    ) -> Answers:
        return self._scored(prompts, words, partial(deviation_within, class_of_word=class_of_word), tolerance)

    def _scored(
        self, prompts: Sequence[Prompt], words: Sequence[str], deviation_of: Deviation, tolerance: Tolerance
    ) -> Answers:
        cuts, places = self.distinct_cuts(prompts, words)
        lowest, highest = self._limits(cuts, words, deviation_of, tolerance.of_distinct(places))[:, places]
        middle = np.minimum(middle_of(lowest, highest), 0.0)
        return Answers(middle, deviation_of(lowest, highest), self._remarks(cuts, words))

    def _remarks(self, cuts: Sequence[Cut], words: Sequence[str]) -> tuple[str, ...]:
        assert isinstance(self.server.dialect, TopK)
        top, came = self.server.dialect.top, self._fewest
        fewer = f", where it is asked for {top}" if came < top else ""
        return (
            f"the server names the {min(came, top)} most probable tokens after each text{fewer}: p of any other lies "
            f"between 0 and the least of these{ECHOED if self.server.echo else ''}",
            *remark_on_longer_words((slot.tree() for slot in slots_of(cuts)), words),
        )

    def _limits(
        self, cuts: Sequence[Cut], words: Sequence[str], deviation_of: Deviation, allowed: Tolerance
    ) -> FloatArray:
        """Lower and upper bound of log p of every word, shape (2, len(cuts), W); by echo where they are too wide."""
        limits = np.empty((2, len(cuts), len(words)))
        for group in by_shape(cuts, lambda cut: cut.slot):
            alike, pieces = [cuts[index] for index in group], cuts[group[0]].slot.tree()
            answers = self._answer_limits(alike, pieces)
            limits[:, group] = _limits_of_words(pieces, *answers)
            if self.server.echo is not None:
                too_wide = allowed.of(group).needed(deviation_of(*limits[:, group])) > allowed.value
                self._fill_by_echo(alike, pieces, answers, np.flatnonzero(too_wide))
                limits[:, group] = _limits_of_words(pieces, *answers)
        return limits

    def _fill_by_echo(self, cuts: Sequence[Cut], pieces: PieceTree, limits: FloatArray, chosen: IntArray) -> None:
        """Set the limits of unknown tokens after the ``chosen`` cuts to their log p in the echo of text and word."""
        assert self.server.echo is not None
        echoing = replace(self.server, dialect=self.server.echo)
        paths = [(*start, token) for k, start in enumerate(pieces.beginnings) for token in _pieces_after(pieces, k)]
        sent: list[tuple[int, Ids, Row]] = []
        for b in chosen.tolist():
            unknown = [paths[question] for question in np.flatnonzero(limits[0, b] < limits[1, b])]
            inner = {path[:end] for path in unknown for end in range(1, len(path))}
            for path in (path for path in unknown if path not in inner):
                row = row_for(echoing.dialect, self.cutter.tokenizer, Row(cuts[b].left + path))
                sent += [] if row is None else [(b, path, row)]
        answers = echoing.ask([row for _, _, row in sent])
        for b, path, row in sent:
            for end, logp in enumerate(answers[row].echoed[len(cuts[b].left) :], 1):
                if not np.isnan(logp):
                    limits[:, b, paths.index(path[:end])] = logp

    def _answer_limits(self, cuts: Sequence[Cut], pieces: PieceTree) -> FloatArray:
        """Lower and upper bound of log p of the tree's Q tokens, (2, B, Q). They are found level by level."""
        limits = np.zeros((2, len(cuts), len(pieces.tokens)))
        limits[0] = -np.inf
        for level in pieces.levels():
            probable = pieces.beginning_logprobs(limits[0])
            wanted = [(b, int(k)) for k in level for b in range(len(cuts)) if probable[b, k] > -np.inf]
            rows = [self._row(cuts[b].left, pieces, k) for b, k in wanted]
            answers = self.server.ask([row for row in rows if row is not None])
            self._fewest = min([self._fewest, *(len(answer.listed) for answer in answers.values())])
            for (b, k), row in zip(wanted, rows, strict=True):
                questions = slice(pieces.first_question[k], pieces.first_question[k + 1])
                answer = NOTHING_KNOWN if row is None else answers[row]
                limits[:, b, questions] = _limits_of(_pieces_after(pieces, k), answer)
        return limits

    def _row(self, left: Ids, pieces: PieceTree, beginning: int) -> Row | None:
        """The request for log p of the tokens after a word prefix (an index); None if its text cannot be sent."""
        row = Row(left + pieces.beginnings[beginning], _pieces_after(pieces, beginning))
        return row_for(self.server.dialect, self.cutter.tokenizer, row)


class TopChatModel(TopModel):
    """Scores the first token of words as the start of a chat's answer. Longer words cannot be scored."""

    capabilities = replace(TopModel.capabilities, wording="chat", reads_chats=True)

    def __init__(self, served: Served, server: Server, cutter: Cutter) -> None:
        super().__init__(served, server, cutter)
        self._prompt_of: dict[Ids, Prompt] = {}
        self._slots: dict[tuple[Ids, ...], Slot] = {}

    def token_ids(self, prompt: Prompt, word: str) -> list[int]:
        return list(self.distinct_cuts([prompt], [word])[0][0].left)

    def distinct_cuts(self, prompts: Sequence[Prompt], words: Sequence[str]) -> tuple[list[Cut], list[int]]:
        """Return the distinct user messages and the tokens of words, and each prompt's index among the messages."""
        tokenizer = self.cutter.tokenizer
        pieces = tuple(tuple(ids) for ids in tokenizer(list(words), add_special_tokens=False)["input_ids"])
        writing = Vocabulary(tokenizer, self.model_name)
        for word, ids in zip(words, pieces, strict=True):
            writing.check_word(word, ids)
        writing.check_apart(words, pieces)
        slot = self._slots.setdefault(pieces, Slot(pieces))
        said = [f"{prompt.before}{prompt.left}" for prompt in prompts]
        lefts = [tuple(ids) for ids in tokenizer(said)["input_ids"]]
        self._prompt_of.update(zip(lefts, prompts, strict=True))
        return distinct(Cut(left, (), slot) for left in lefts)

    def _row(self, left: Ids, pieces: PieceTree, beginning: int) -> Row | None:
        prompt, asked = self._prompt_of[left], _pieces_after(pieces, beginning)
        return None if beginning else Row(left, asked, prompt.left, before=prompt.before)


def _pieces_after(pieces: PieceTree, beginning: int) -> Ids:
    """The tokens that may follow a word prefix (an index in the tree)."""
    first, last = pieces.first_question[beginning], pieces.first_question[beginning + 1]
    return tuple(pieces.tokens[first:last].tolist())


def _limits_of_words(pieces: PieceTree, least: FloatArray, most: FloatArray) -> FloatArray:
    """Lower and upper bound of log p of words, shape (2, B, W), from those of the tree's Q tokens, (B, Q) each."""
    return np.stack([pieces.word_logprobs(least, longer=most), pieces.word_logprobs(most, longer=least)])


def _limits_of(tokens: Ids, answer: RowAnswer) -> FloatArray:
    """Lower and upper bound of log p of the tokens, shape (2, len(tokens))."""
    with np.errstate(divide="ignore"):
        most = np.log(answer.most_unlisted)
        limits = [
            (answer.logp[token], answer.logp[token])
            if token in answer.logp
            else (-np.inf, max(most, float(np.log(answer.doubtful.get(token, 0.0)))))
            for token in tokens
        ]
    return np.array(limits).T
