"""Pronoun resolution on hand-made trees, independent of any parser."""

import pytest
from bvf_stanza import Lexicon, Resolver, Sentence, Word
from bvf_stanza.resolver import ByChains

from bvf.interfaces.miner import Span

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


def tree(text):
    """Build a tree from ``word/TAG/relation/head`` per word. Heads count from 0, -1 is the root; ``TAG*``: plural."""
    words, place = [], 0
    for part in text.split():
        word, tag, relation, head = part.rsplit("/", 3)
        features = frozenset({"Number=Plur"} if tag.endswith("*") else ())
        span = Span(place, place + len(word))
        words.append(
            Word(word, word.lower() if tag != "PROPN" else word, tag.rstrip("*"), features, int(head), relation, span)
        )
        place += len(word) + 1
    return Sentence(tuple(words))


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


TOLD = (
    "The/DET/det/1 nurse/NOUN/nsubj/2 told/VERB/root/-1 {whom}/iobj/2 "
    "that/SCONJ/mark/6 he/PRON/nsubj/6 left/VERB/ccomp/2"
)
OF = "The/DET/det/1 nurse/NOUN/nsubj/4 of/ADP/case/3 {whom}/nmod/1 said/VERB/root/-1 he/PRON/nsubj/6 left/VERB/ccomp/4"


@pytest.mark.parametrize(
    ("whom", "meant"), [("Tom/PROPN", None), ("cook/NOUN", None), ("Mary/PROPN", 1), ("us/PRON", 1), ("Paris/PROPN", 1)]
)
def test_another_who_could_be_meant_leaves_doubt(whom, meant):
    assert Resolver(LEXICON).antecedent(tree(TOLD.format(whom=whom)), 5) == meant
    assert Resolver(LEXICON).antecedent(tree(OF.format(whom=whom)), 5) == meant


@pytest.mark.parametrize(
    ("text", "pronoun", "meant"),
    [
        # bound: the object is not the subject of its own clause
        ("Tom/PROPN/nsubj/1 saw/VERB/root/-1 him/PRON/obj/1", 2, None),
        ("Tom/PROPN/nsubj/1 saw/VERB/root/-1 his/PRON/nmod:poss/3 cook/NOUN/obj/1", 2, 0),
        # two named together are not one
        (
            "Tom/PROPN/nsubj/3 and/CCONJ/cc/2 Bob/PROPN/conj/0 said/VERB/root/-1 he/PRON/nsubj/5 left/VERB/ccomp/3",
            4,
            None,
        ),
        # his brother said that he: whose?
        ("his/PRON/nmod:poss/1 brother/NOUN/nsubj/2 said/VERB/root/-1 he/PRON/nsubj/4 left/VERB/ccomp/2", 3, None),
        # in her speech, the nurse spoke
        (
            "in/ADP/case/2 her/PRON/nmod:poss/2 speech/NOUN/obl/5 the/DET/det/4 nurse/NOUN/nsubj/5 spoke/VERB/root/-1",
            1,
            4,
        ),
        (
            "in/ADP/case/2 her/PRON/nmod:poss/2 speech/NOUN/obl/5 the/DET/det/4 king/NOUN/nsubj/5 spoke/VERB/root/-1",
            1,
            None,
        ),
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
    words = list(said("nurse/NOUN/nsubj", "she").words)
    chained = [
        Word(w.text, w.lemma, w.tag, w.features, w.head, w.relation, w.span, frozenset({7} if n in (1, 4) else ()))
        for n, w in enumerate(words)
    ]
    by_chains = ByChains(LEXICON)
    assert by_chains.antecedent(Sentence(tuple(chained)), 4) == 1
    assert by_chains.antecedent(Sentence(tuple(words)), 4) is None
