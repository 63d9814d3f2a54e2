"""Scores words of several tokens after texts that were read: rows, past, forward, gather.

A row has all word prefixes that are read after one text; each attends to the text, by its stored keys and
values, and to the pieces before it in its own word.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from transformers import DynamicCache

from bvf.stats import BoolArray, FloatArray, IntArray
from bvf_transformers.reading.kept import Remembered
from bvf_transformers.reading.memory import REMEMBERED_TOKENS_A_TOKEN
from bvf_transformers.reading.packed import PAD, TextsRead, TreeReader
from bvf_transformers.tokens.word_tree import PieceTree

ROWS_TOGETHER = 32
"""Row counts are rounded up to multiples: each new one costs oneDNN a millisecond and half a megabyte per shape."""
TOKENS_OF_A_RUN = {"cpu": 64}
TOKENS_OF_A_RUN_ON_ACCELERATOR = 2048
"""The fixed time of a forward pass, expressed in tokens, by the kind of device."""


@dataclass(frozen=True)
class _Rows:
    """A batch for one forward pass: B texts, and W word prefixes after each.

    Args:
        texts: Indices of texts, shape (B,); the last may be repeated as padding, with nothing scored after it.
        beginnings: Indices of word prefixes, shape (B, W), shorter first; padded with any others if fewer are read.
        is_asked: Whether pieces after a prefix are scored, shape (B, W).
        distinct: The number of texts without padding.
    """

    texts: IntArray
    beginnings: IntArray
    is_asked: BoolArray
    distinct: int

    def asks(self, pieces: PieceTree) -> tuple[IntArray, IntArray]:
        """Return, for each of the M scores, the index of its text and of its question in the tree, (M,) each."""
        which, questions = pieces.questions(self.beginnings[self.is_asked])
        return self.texts[np.nonzero(self.is_asked)[0]][which], questions


@torch.inference_mode()
def answers_after(reader: TreeReader, read: TextsRead, pieces: PieceTree, chosen: BoolArray) -> FloatArray:
    """Score the tokens of words after the chosen word prefixes, shape (T, K), of T texts.

    Returns log p of the tree's Q pieces, shape (T, Q), -inf where not chosen.
    """
    answers = np.full((len(chosen), len(pieces.tokens)), -np.inf)
    answers[chosen[:, 0], : read.first.shape[1]] = read.first[chosen[:, 0]]
    is_asked = chosen & (pieces.lengths > 0)
    is_read = is_asked @ pieces.is_above
    todo = np.argsort(-is_read.sum(axis=1), kind="stable")[: is_asked.any(axis=1).sum()]
    done: list[tuple[_Rows, Tensor]] = []
    while len(todo):
        rows = _next_rows(reader, read, todo, is_read, is_asked)

        def ask(rows: _Rows = rows) -> Tensor:
            return _ask(reader, read, pieces, rows)

        outcome = reader.budget.tried(ask, len(rows.texts), _tokens_each(read, rows.beginnings.shape[1]))
        if outcome is not None:
            done.append((rows, outcome))
            todo = todo[rows.distinct :]
    if done:
        texts, questions = (np.concatenate(each) for each in zip(*(rows.asks(pieces) for rows, _ in done), strict=True))
        answers[texts, questions] = torch.cat([values for _, values in done]).double().cpu().numpy()
    return answers


def _next_rows(reader: TreeReader, read: TextsRead, todo: IntArray, is_read: BoolArray, is_asked: BoolArray) -> _Rows:
    """The rows of the next texts in ``todo``: as many as is fastest and the budget allows.

    They are padded with a text after which nothing is scored, so that forward passes have few different shapes.
    """
    widths = is_read[todo].sum(axis=1)
    width = int(widths[0])
    most = max(1, reader.budget.tokens // _tokens_each(read, width))
    of_a_run = TOKENS_OF_A_RUN.get(reader.device.type, TOKENS_OF_A_RUN_ON_ACCELERATOR)
    taken = todo[: min(most, texts_of_one_width(widths, of_a_run))]
    texts = np.pad(taken, (0, min(_filled_up(len(taken)), most) - len(taken)), mode="edge")
    beginnings = np.argsort(~is_read[texts], axis=1, kind="stable")[:, :width]
    asked = np.take_along_axis(is_asked[texts], beginnings, axis=1)
    asked[len(taken) :] = False
    return _Rows(texts, beginnings, asked, len(taken))


def texts_of_one_width(widths: IntArray, tokens_of_a_run: int) -> int:
    """Return how many of the first texts to read in one forward pass. All texts together then take the least time.

    ``widths`` has the number of prefixes to read after each text, in descending order, shape (B,). Reading narrower
    texts with wider ones wastes padding; reading them apart takes another forward pass, which costs
    ``tokens_of_a_run``. Texts of the same width stay together.
    """
    values, counts = np.unique(widths, return_counts=True)
    widest_first, texts = values[::-1].tolist(), counts[::-1].tolist()
    least, first = [0] * (len(texts) + 1), [0] * len(texts)
    for start in reversed(range(len(texts))):
        costs = [
            _filled_up(sum(texts[start:stop])) * widest_first[start] + tokens_of_a_run + least[stop]
            for stop in range(start + 1, len(texts) + 1)
        ]
        least[start] = min(costs)
        first[start] = sum(texts[start : start + 1 + costs.index(least[start])])
    return first[0]


def _filled_up(texts: int) -> int:
    """The number of texts rounded up to a power of two, or to a multiple of `ROWS_TOGETHER` if that is less."""
    return min(1 << (texts - 1).bit_length(), -(-texts // ROWS_TOGETHER) * ROWS_TOGETHER)


def _tokens_each(read: TextsRead, width: int) -> int:
    """The number of tokens of the memory budget that a row takes: its own, or more if the text is long."""
    return max(width, int(read.paths.shape[1]) // REMEMBERED_TOKENS_A_TOKEN)


def _ask(reader: TreeReader, read: TextsRead, pieces: PieceTree, rows: _Rows) -> Tensor:
    """Log p of the M tokens scored in the rows, shape (M,)."""
    lengths = (read.paths[rows.texts] != PAD).sum(axis=1)
    paths = read.paths[rows.texts, : lengths.max()]
    text_is_seen = np.broadcast_to((paths != PAD)[:, None, :], (*rows.beginnings.shape, paths.shape[1]))
    word_is_seen = pieces.is_above[rows.beginnings[:, :, None], rows.beginnings[:, None, :]]
    is_seen = np.concatenate([text_is_seen, word_is_seen], axis=2)
    tokens = reader.on_device(pieces.last_pieces[rows.beginnings])
    positions = reader.on_device(lengths[:, None] + pieces.lengths[rows.beginnings] - 1)
    mask = reader.mask(reader.on_device(is_seen))
    past, places_of_texts = DynamicCache(), reader.on_device(np.maximum(paths, 0))
    past.layers.extend(Remembered(*states, places_of_texts) for states in read.memory)
    places = np.flatnonzero(rows.is_asked)
    which, questions = pieces.questions(rows.beginnings[rows.is_asked])
    return reader.logprobs(lambda: reader.run(tokens, mask, positions, past), places, which, pieces.tokens[questions])
