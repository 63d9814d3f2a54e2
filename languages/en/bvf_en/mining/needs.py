"""Refuses shortened English predicates that lack a complement or adverb which the verb or adjective needs."""

from bvf_stanza import Lexicon, Sentence, Unfit

from bvf_en.mining import lists
from bvf_en.mining.nouns import preposition
from bvf_en.mining.verbs import DENIALS, Shape, Verb, base, straight


class Needs:
    """Refuses predicates that lack what the verb needs. ``with_details``: templates keep adjectives and adverbs."""

    def __init__(self, lexicon: Lexicon, *, with_details: bool) -> None:
        self._lexicon = lexicon
        self._with_details = with_details

    def refuse(self, sentence: Sentence, head: int, stop: int, verb: Verb, arguments: list[str]) -> None:
        """Raise `Unfit` if ``arguments`` lack something that a verb (not a copula) needs before ``stop``."""
        self._refuse_lost_adverbs(sentence, head, stop, verb, arguments)
        self.refuse_what_stands_elsewhere(sentence, head, stop, arguments)
        self.refuse_lost_places(sentence, head, stop, verb.lemma, arguments, passive=verb.shape is Shape.PASSIVE)
        self.refuse_more_that_is_denied(sentence, head, stop, verb, arguments)

    def refuse_what_stands_elsewhere(self, sentence: Sentence, head: int, stop: int, arguments: list[str]) -> None:
        """Raise `Unfit` if a verb's object is before it, after ``stop``, or missing, or if it has two objects."""
        lemma = base(sentence.words[head].text.lower())
        passive = any(sentence.words[aux].relation == "aux:pass" for aux in sentence.children(head, "aux"))
        every = sentence.children(head, "obj", "iobj")
        objects = [child for child in every if head < child < stop]
        if passive and objects and lemma not in lists.TWO_OBJECTS:
            raise Unfit("no plain past tense")
        if len(objects) > 1 and sentence.words[objects[0]].tag == "NOUN":
            raise Unfit("two objects")
        if len(objects) < len(every) or any(child < head for child in sentence.children(head, "xcomp")):
            raise Unfit("an object stands elsewhere")
        alone = not {*arguments} - {*lists.PLAIN_ADVERBS, "here", "there"}
        needs = lemma in lists.NEEDS_OBJECT and (alone or lemma not in lists.NEEDS_NO_OBJECT_BEFORE_A_PHRASE)
        completing = sentence.children(head, "obj", "iobj", "xcomp", "compound")
        is_complete = bool(sentence.children(head, "ccomp")) or any(head < child < stop for child in completing)
        as_if = lemma in lists.LINKING and any(_is_as_if(sentence, child) for child in sentence.children(head, "advcl"))
        if needs and not (passive or as_if or is_complete):
            raise Unfit("an object stands elsewhere")

    def _refuse_lost_adverbs(self, sentence: Sentence, head: int, stop: int, verb: Verb, arguments: list[str]) -> None:
        """Raise `Unfit` if the dropped adverb is what is negated (*had not gone far*) or asserted (*looked well*)."""
        adverbs = {
            child: straight(sentence.words[child].text) for child in sentence.children(head, "advmod") if child < stop
        }
        negations = [child for child, text in adverbs.items() if text in DENIALS]
        first = min((*sentence.children(head, "aux"), *negations), default=head)
        lost = [
            child
            for child, text in adverbs.items()
            if text not in (*arguments, *verb.words, *DENIALS) and child > min(first, head)
        ]
        before = {text for child, text in adverbs.items() if child < head}
        is_placed = not arguments and verb.lemma in lists.POSTURES and before & {"here", "there"}
        if is_placed or any(_completes(sentence, head, child) for child in lost):
            raise Unfit("a part of what is left out")
        is_denied = bool({*DENIALS} & {*verb.words})
        if lost and (is_denied or (verb.lemma in lists.LINKING and not {*arguments} & {*lists.KEPT_DEGREES})):
            raise Unfit("an adverb turns what is said")

    def refuse_lost_places(
        self, sentence: Sentence, head: int, stop: int, lemma: str, arguments: list[str], *, passive: bool
    ) -> None:
        """Raise `Unfit` if a verb means little without a dropped phrase: *was moved into the Sixth*, *lived*."""
        puts = lemma in lists.PUTTING
        says_little = not arguments and (passive or lemma in lists.NEEDS_PLACE)
        if (puts or says_little) and any(
            (puts or head < child)
            and child < stop
            and preposition(sentence, child) not in ([], ["by"])
            and self.is_left_out(sentence, child)
            for child in sentence.children(head, "obl")
        ):
            raise Unfit("a part of what is left out")

    def refuse_lost_clauses(self, sentence: Sentence, head: int, stop: int) -> None:
        """Raise `Unfit` if an adjective means little without a dropped clause: *was careful locking the door*."""
        if sentence.words[head].tag == "ADJ" and any(head < child < stop for child in sentence.children(head, "advcl")):
            raise Unfit("a part of what is left out")

    def refuse_more_that_is_denied(
        self, sentence: Sentence, head: int, stop: int, verb: Verb, arguments: list[str]
    ) -> None:
        """Raise `Unfit` if the template would negate more than the sentence does: *did not read old books*."""
        if not {*DENIALS} & {*verb.words} and verb.lemma not in lists.REFUSING:
            return
        copula, complements = sentence.children(head, "cop"), sentence.children(head, "xcomp")
        between = [child for child in sentence.children(head, "advmod") if copula and min(copula) < child < head]
        lost_adverb = any(straight(sentence.words[child].text) not in (*DENIALS, *arguments) for child in between)
        later = [adverb for child in complements for adverb in sentence.children(child, "advmod") if adverb < stop]
        if lost_adverb or any(sentence.words[adverb].text.lower() not in arguments for adverb in later):
            raise Unfit("the negation is of something else")
        beside = sentence.children(head, "obj", "obl", "xcomp")
        within = [noun for child in complements for noun in sentence.children(child, "obj")]
        nouns = [
            child
            for child in (*beside, *within)
            if head < child < stop and sentence.words[child].tag in ("NOUN", "PROPN", "PRON")
        ]
        nouns += [head] if copula else []
        lost = any(self.is_left_out(sentence, child) and preposition(sentence, child) for child in nouns)
        kinds = ("acl", "nummod") if self._with_details else ("amod", "acl", "nummod")
        if (lost and not self._with_details) or any(sentence.children(noun, *kinds) for noun in nouns):
            raise Unfit("the negation is of something else")

    def is_left_out(self, sentence: Sentence, head: int) -> bool:
        """Whether templates drop a dependent of a verb: no preposition, or a name, number, date or *her*."""
        word = sentence.words[head]
        return (
            word.tag in lists.NAMES_AND_NUMBERS
            or word.text.lower() in lists.TIMES
            or bool(sentence.children(head, "nummod"))
            or not preposition(sentence, head)
            or (word.tag == "PRON" and word.text.lower() in self._lexicon.pronouns)
        )


def _is_as_if(sentence: Sentence, clause: int) -> bool:
    """Whether a clause begins with *as if* or *as though*."""
    marks = {*sentence.texts(clause, "mark")}
    return bool(marks & {"if", "though"}) and sentence.words[min(sentence.subtree(clause))].text.lower() == "as"


def _completes(sentence: Sentence, verb: int, adverb: int) -> bool:
    """Whether a verb means something else without an adverb: *ran free*, *went before*, *came along gloomily*."""
    word = sentence.words[adverb]
    beside = sentence.texts(adverb, "advmod")
    if adverb < verb:
        return bool({"too", "so", "as"} & {*beside})
    is_put = base(sentence.words[verb].text.lower()) in lists.PUTTING or bool(sentence.children(adverb, "case"))
    return is_put or word.tag in ("ADJ", "NOUN", "ADP", "VERB") or word.text.lower() in lists.BEFORE_OR_AFTER
