"""What else a model may put between a text and a group right of the slot, beside the words of a topic."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from bvf import Prompt
from bvf_transformers.tokens.cutting import Cut, Slot
from bvf_transformers.tokens.word_tree import Ids

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
        group = _group_after(cut.slot, slot)
        tried = [token for token in tokens if token not in begun][:OTHERS_BEFORE_GROUP]
        others.append(Cut(cut.left, (), Slot(tuple((token, *group) for token in tried))))
    return others


def _group_after(with_group: Slot, alone: Slot) -> Ids:
    """The token ids of the group after most of the words."""
    pairs = zip(with_group.pieces, alone.pieces, strict=True)
    ends = Counter(longer[len(word) :] for longer, word in pairs if longer[: len(word)] == word)
    return ends.most_common(1)[0][0] if ends else ()
