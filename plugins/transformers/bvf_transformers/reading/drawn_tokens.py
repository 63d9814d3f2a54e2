"""Draws tokens from logits with random numbers of their own for each text.

A token is drawn by Gumbel's trick: the one with the largest sum of logit and noise has the probability of the softmax.
Rounding of logits then changes a token only where two sums are nearly equal; an inverse of the cumulative distribution
would change it far more often, as 50,000 boundaries lie in [0, 1]. Noise for each token of the vocabulary is slow, so a
token is drawn in two steps, each exact: first one of about sqrt(V) blocks of the vocabulary, by the sums of their
probabilities, then a token in the block.
"""

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from bvf.stats import FloatArray


def drawn_tokens(logits: Tensor, temperature: float, streams: Sequence[np.random.Generator]) -> Tensor:
    """Return a token for each row of logits, shape (N, V) to (N,).

    ``streams`` are the random numbers of each row, of which every token takes as many. At temperature 0 the most
    probable token is taken, the first of equal ones, and no random number.
    """
    if not temperature:
        return logits.argmax(dim=1)
    blocks, size = shape_of_blocks(logits.shape[1])
    noise = torch.from_numpy(np.stack([gumbel(stream, blocks + size) for stream in streams])).to(logits.device)
    filled = torch.nn.functional.pad(logits / temperature, (0, blocks * size - logits.shape[1]), value=-math.inf)
    in_blocks = filled.view(-1, blocks, size)
    block = (in_blocks.logsumexp(dim=2) + noise[:, :blocks]).argmax(dim=1)
    in_block = in_blocks[torch.arange(len(block), device=block.device), block]
    return block * size + (in_block + noise[:, blocks:]).argmax(dim=1)


def shape_of_blocks(tokens: int) -> tuple[int, int]:
    """Return the number of blocks of a vocabulary, and the tokens of a block; the last block may have fewer."""
    size = math.isqrt(max(tokens - 1, 0)) + 1
    return -(-tokens // size), size


def gumbel(stream: np.random.Generator, number: int) -> FloatArray:
    """Return random numbers with Gumbel's distribution, shape (number,)."""
    with np.errstate(divide="ignore"):
        noise: FloatArray = -np.log(-np.log(stream.random(number)))
    return noise
