"""Pronoun resolution on hand-made trees, independent of any parser."""

from dataclasses import replace

import pytest
from bvf_stanza import Lexicon, Resolver, Sentence
from bvf_stanza.resolver import ByChains
from helpers.miners import tree

LEXICON = Lexicon(
    script="LATIN",
    sentence_end=r"\.",
    pronouns={"he": "masculine", "him": "masculine", "his": "masculine", "she": "feminine", "her": "feminine"},
    subject_pronouns={"he", "she", "his", "her"},
    other_pronouns={"it"},
    persons={"nurse", "doctor", "cook"},
    masculine={"king", "brother"},
    feminine={"queen"},
    titles={"mr": "masculine"},
    names={"feminine": {"Mary"}, "masculine": {"Tom"}},
    no_persons={"Paris"},
    placing={"in"},
    families={"reporting": {"say"}, "thinking": {"know"}},
)


SAID = "The/DET/det/1 {who}/2 said/VERB/root/-1 that/SCONJ/mark/5 {pronoun}/PRON/nsubj/5 left/VERB/ccomp/2"


def said(who="nurse/NOUN/nsubj", pronoun="she"):
    return tree(SAID.format(who=who, pronoun=pronoun))


@pytest.mark.parametrize(
    ("who", "pronoun", "meant"),
    [
        ("nurse/NOUN/nsubj", "she", 1),
        ("nurse/NOUN/nsubj", "he", 1),
        ("king/NOUN/nsubj", "he", 1),
        ("king/NOUN/nsubj", "she", None),
        ("queen/NOUN/nsubj", "he", None),
        ("Mary/PROPN/nsubj", "she", 1),
        ("Mary/PROPN/nsubj", "he", None),
        ("Xyz/PROPN/nsubj", "he", 1),
        ("Paris/PROPN/nsubj", "she", None),
        ("house/NOUN/nsubj", "she", None),
        ("nurses/NOUN*/nsubj", "she", None),
        ("nurse/NOUN/nsubj:pass", "she", 1),
    ],
)
def test_the_subject_of_the_clause_above_if_it_agrees(who, pronoun, meant):
    assert Resolver(LEXICON).antecedent(said(who, pronoun), 4) == meant


TOLD = "The/DET/det/1 nurse/NOUN/nsubj/2 told/VERB/root/-1 {whom}/iobj/2 he/PRON/nsubj/5 left/VERB/ccomp/2"
OF = "The/DET/det/1 nurse/NOUN/nsubj/4 of/ADP/case/3 {whom}/nmod/1 said/VERB/root/-1 he/PRON/nsubj/6 left/VERB/ccomp/4"


@pytest.mark.parametrize(
    ("whom", "meant"), [("Tom/PROPN", None), ("cook/NOUN", None), ("Mary/PROPN", 1), ("us/PRON", 1), ("Paris/PROPN", 1)]
)
def test_another_who_could_be_meant_leaves_doubt(whom, meant):
    assert Resolver(LEXICON).antecedent(tree(TOLD.format(whom=whom)), 4) == meant
    assert Resolver(LEXICON).antecedent(tree(OF.format(whom=whom)), 5) == meant


@pytest.mark.parametrize(
    ("text", "pronoun", "meant"),
    [
        # bound: the object is not the subject of its own clause
        ("Tom/PROPN/nsubj/1 saw/VERB/root/-1 him/PRON/obj/1", 2, None),
        ("Tom/PROPN/nsubj/1 saw/VERB/root/-1 his/PRON/nmod:poss/3 cook/NOUN/obj/1", 2, 0),
        # two named together are not one
        (
            "Tom/PROPN/nsubj/3 and/CCONJ/cc/2 Bob/PROPN/conj/0 knew/VERB/root/-1 he/PRON/nsubj/5 left/VERB/ccomp/3",
            4,
            None,
        ),
        # his brother said that he: whose?
        ("his/PRON/nmod:poss/1 brother/NOUN/nsubj/2 said/VERB/root/-1 he/PRON/nsubj/4 left/VERB/ccomp/2", 3, None),
        # in her speech, the nurse spoke
        ("in/ADP/case/2 her/PRON/nmod:poss/2 speech/NOUN/obl/4 nurse/NOUN/nsubj/4 spoke/VERB/root/-1", 1, 3),
        ("in/ADP/case/2 her/PRON/nmod:poss/2 speech/NOUN/obl/4 king/NOUN/nsubj/4 spoke/VERB/root/-1", 1, None),
        # a clause that is merely put beside another
        ("Tom/PROPN/nsubj/1 left/VERB/root/-1 he/PRON/nsubj/3 fell/VERB/parataxis/1", 2, None),
        # a title makes a person of a name
        ("Mr/PROPN/compound/1 Paris/PROPN/nsubj/2 said/VERB/root/-1 he/PRON/nsubj/4 left/VERB/ccomp/2", 3, 1),
    ],
)
def test_rules(text, pronoun, meant):
    assert Resolver(LEXICON).antecedent(tree(text), pronoun) == meant


@pytest.mark.parametrize(("opening", "closing"), [("“", "”"), ('"', '"'), ("「", "」"), ("``", "''")])
def test_who_speaks_in_a_quotation_is_not_who_is_outside(opening, closing):
    text = (
        f"Tom/PROPN/nsubj/1 said/VERB/root/-1 {opening}/PUNCT/punct/4 he/PRON/nsubj/4 lies/VERB/ccomp/1 "
        f"{closing}/PUNCT/punct/4"
    )
    assert Resolver(LEXICON).antecedent(tree(text), 3) is None
    assert Resolver(LEXICON).quotations(tree(text)) == [0, 0, 1, 1, 1, 1]


def test_chains_decide_where_the_parser_gives_them():
    plain = said()
    chains = {1: frozenset({7}), 4: frozenset({7})}
    chained = (replace(word, chains=chains.get(place, frozenset())) for place, word in enumerate(plain.words))
    assert ByChains(LEXICON).antecedent(Sentence(tuple(chained)), 4) == 1
    assert ByChains(LEXICON).antecedent(plain, 4) is None
