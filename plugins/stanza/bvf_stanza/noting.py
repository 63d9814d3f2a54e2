"""The outcome of a rough sentence: matches, or the rule that drops it."""

from collections.abc import Callable, Sequence

from bvf.interfaces.miner import Found, Match
from bvf_stanza.grammar import Unfit
from bvf_stanza.tree import Sentence


def note_matches(mined: Found, sentences: Sequence[Sentence], matches: Callable[[Sentence], Sequence[Match]]) -> None:
    """Add the matches in the parser's sentences of a rough sentence; if none has one, count the rule of the first.

    Args:
        mined: Where matches are added.
        sentences: The sentences that the parser finds in the rough sentence.
        matches: Returns those of one sentence, or raises `Unfit`.
    """
    rules = []
    for sentence in sentences:
        try:
            mined.matches.extend(matches(sentence))
        except Unfit as unfit:
            rules.append(unfit.rule)
    if len(rules) == len(sentences) and rules:
        mined.dropped[rules[0]] += 1
