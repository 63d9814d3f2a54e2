"""Cues: what in a template tells of Y besides its slots, and second persons whom the word of Y may mean."""

from collections.abc import Sequence
from dataclasses import replace

from bvf.files import digest_of_texts
from bvf.interfaces import Match
from bvf_stanza.lexicon import Lexicon
from bvf_stanza.options import StanzaOptions
from bvf_stanza.tree import Unfit

SHOWN = 16


def without_cues(matches: Sequence[Match], lexicon: Lexicon, options: StanzaOptions) -> list[Match]:
    """Return the matches whose templates have no cue; or, if the options keep them, all, each with its cue.

    Raises:
        Unfit: Every template has a cue; the message is the rule that excludes the first, and its words.
    """
    marked = [replace(match, cue=cue_in(match.template.text, lexicon)) for match in matches]
    kept = [match for match in marked if not match.cue or options.cues == "keep"]
    if not kept:
        tells = lexicon.cue(marked[0].template.text)
        rule = "a word of the template tells of Y" if tells else "the word of Y may mean a second person"
        raise Unfit(f"{rule}: {marked[0].cue}")
    return kept


def cue_in(template: str, lexicon: Lexicon) -> str:
    """What in a template tells of Y, else the second person whom the word of Y may mean; empty if there is neither."""
    return lexicon.cue(template) or lexicon.second(template)


def name_of_cues(language: str, lexicon: Lexicon) -> str:
    """Return what a record calls the words of a lexicon that tell of Y: their language, number and digest."""
    digest = digest_of_texts(*sorted(lexicon.telling), *sorted(lexicon.no_cues), lexicon.second_person)
    return f"{language}, {len(lexicon.telling)} words, {digest[:SHOWN]}"
