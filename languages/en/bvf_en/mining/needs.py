"""What an English verb cannot be without, and what is lost where that goes."""

from bvf_stanza import Lexicon, Sentence, Unfit

from bvf_en.mining.nouns import preposition
from bvf_en.mining.verbs import NEARLY_NOT, NOT, Shape, Verb, base, straight
from bvf_en.mining.words import (
    BEFORE_OR_AFTER,
    KEPT_DEGREES,
    LINKING,
    NAMES_AND_NUMBERS,
    NEEDS_NO_OBJECT_BEFORE_A_PHRASE,
    NEEDS_OBJECT,
    NEEDS_PLACE,
    PLAIN_ADVERBS,
    POSTURES,
    PUTTING,
    REFUSING,
    TIMES,
    TWO_OBJECTS,
)


class Needs:
    """Refuses predicates that have lost what they need.

    Args:
        lexicon: Words of the language.
        with_details: Whether adjectives and adverbs stay, so that they are not lost.
    """

    def __init__(self, lexicon: Lexicon, *, with_details: bool) -> None:
        self._lexicon = lexicon
        self._with_details = with_details

    def refuse(self, sentence: Sentence, head: int, stop: int, verb: Verb, arguments: list[str]) -> None:
        """Look for every loss beside a verb that is no copula.

        Args:
            sentence: As it was parsed.
            head: The verb.
            stop: Where the words end that the template may have.
            verb: Its words in the template.
            arguments: What the template says after them.

        Raises:
            Unfit: There is one.
        """
        self._refuse_lost_adverbs(sentence, head, stop, verb, arguments)
        self.refuse_what_stands_elsewhere(sentence, head, stop, arguments)
        self.refuse_lost_places(sentence, head, stop, verb.lemma, arguments, passive=verb.shape is Shape.PASSIVE)
        self.refuse_more_that_is_denied(sentence, head, stop, verb, arguments)

    def refuse_what_stands_elsewhere(self, sentence: Sentence, head: int, stop: int, arguments: list[str]) -> None:
        """Raise `Unfit` where an object of a verb stands before it, or where it needs one and has none."""
        away = [child for child in sentence.children(head, "obj", "iobj") if not head < child < stop]
        lemma = base(sentence.words[head].text.lower())
        passive = any(sentence.words[aux].relation == "aux:pass" for aux in sentence.children(head, "aux"))
        objects = [child for child in sentence.children(head, "obj", "iobj") if head < child < stop]
        if passive and objects and lemma not in TWO_OBJECTS:
            raise Unfit("no plain past tense")
        if len(objects) > 1 and sentence.words[objects[0]].tag == "NOUN":
            raise Unfit("two objects")
        if away or any(child < head for child in sentence.children(head, "xcomp")):
            raise Unfit("an object stands elsewhere")
        alone = not set(arguments) - {*PLAIN_ADVERBS, "here", "there"}
        needs = lemma in NEEDS_OBJECT and (alone or lemma not in NEEDS_NO_OBJECT_BEFORE_A_PHRASE)
        kinds = {sentence.words[child].kind for child in sentence.children(head) if head < child < stop}
        kinds |= {"ccomp"} & {sentence.words[child].kind for child in sentence.children(head)}
        as_if = lemma in LINKING and any(_is_as_if(sentence, child) for child in sentence.children(head, "advcl"))
        if needs and not (passive or as_if) and not kinds & {"obj", "iobj", "xcomp", "ccomp", "compound"}:
            raise Unfit("an object stands elsewhere")

    def _refuse_lost_adverbs(self, sentence: Sentence, head: int, stop: int, verb: Verb, arguments: list[str]) -> None:
        """Raise `Unfit` where an adverb that goes is what is denied (*had not gone far*) or said (*looked well*)."""
        adverbs = [child for child in sentence.children(head, "advmod") if child < stop]
        negations = [child for child in adverbs if straight(sentence.words[child].text) in (*NOT, *NEARLY_NOT)]
        lost = [
            child
            for child in adverbs
            if straight(sentence.words[child].text) not in (*arguments, *verb.words, *NOT, *NEARLY_NOT)
            and (child > head or child > min((*sentence.children(head, "aux"), *negations), default=head))
        ]
        denied = any(word in (*NOT, *NEARLY_NOT) for word in verb.words)
        here = [sentence.words[child].text.lower() for child in adverbs if child < head] if not arguments else []
        is_placed = verb.lemma in POSTURES and {"here", "there"} & {*here}
        if is_placed or any(_completes(sentence, head, child) for child in lost):
            raise Unfit("a part of what is left out")
        if lost and (denied or (verb.lemma in LINKING and not set(arguments) & set(KEPT_DEGREES))):
            raise Unfit("an adverb turns what is said")

    def refuse_lost_places(
        self, sentence: Sentence, head: int, stop: int, lemma: str, arguments: list[str], *, passive: bool
    ) -> None:
        """Raise `Unfit` where a verb says little without a phrase that goes: *was moved into the Sixth*, *lived*."""
        lost = [
            child
            for child in sentence.children(head, "obl")
            if (head < child or lemma in PUTTING)
            and child < stop
            and preposition(sentence, child) not in ([], ["by"])
            and self.is_left_out(sentence, child)
        ]
        says_little = not arguments and (passive or lemma in NEEDS_PLACE)
        if lost and (says_little or lemma in PUTTING):
            raise Unfit("a part of what is left out")

    def refuse_more_that_is_denied(
        self, sentence: Sentence, head: int, stop: int, verb: Verb, arguments: list[str]
    ) -> None:
        """Raise `Unfit` where what is denied is less than what would be left: *did not read old books*."""
        if not {*NOT, *NEARLY_NOT} & {*verb.words} and verb.lemma not in REFUSING:
            return
        if sentence.children(head, "cop") and any(
            straight(sentence.words[child].text) not in (*NOT, *NEARLY_NOT, *arguments) and child < head
            for child in sentence.children(head, "advmod")
            if child > min(sentence.children(head, "cop"))
        ):
            raise Unfit("the negation is of something else")
        nouns = [child for child in sentence.children(head, "obj", "obl", "xcomp") if head < child < stop]
        nouns += [
            noun
            for child in sentence.children(head, "xcomp")
            for noun in sentence.children(child, "obj")
            if head < noun < stop
        ]
        adverbs = [
            adverb for child in sentence.children(head, "xcomp") for adverb in sentence.children(child, "advmod")
        ]
        if any(adverb < stop and sentence.words[adverb].text.lower() not in arguments for adverb in adverbs):
            raise Unfit("the negation is of something else")
        nouns = [child for child in nouns if sentence.words[child].tag in ("NOUN", "PROPN", "PRON")]
        if sentence.children(head, "cop"):
            nouns.append(head)
        lost = any(self.is_left_out(sentence, child) and preposition(sentence, child) for child in nouns)
        kinds = ("acl", "nummod") if self._with_details else ("amod", "acl", "nummod")
        if (lost and not self._with_details) or any(sentence.children(noun, *kinds) for noun in nouns):
            raise Unfit("the negation is of something else")

    def is_left_out(self, sentence: Sentence, head: int) -> bool:
        """Whether a phrase beside a verb is one of a name, a number, a date, or *her*."""
        word = sentence.words[head]
        return (
            word.tag in NAMES_AND_NUMBERS
            or word.text.lower() in TIMES
            or bool(sentence.children(head, "nummod"))
            or not preposition(sentence, head)
            or (word.tag == "PRON" and word.text.lower() in self._lexicon.pronouns)
        )


def _is_as_if(sentence: Sentence, clause: int) -> bool:
    """*Felt as if*, *looked as though*."""
    marks = {*sentence.texts(clause, "mark")}
    return bool(marks & {"if", "though"}) and sentence.words[min(sentence.subtree(clause))].text.lower() == "as"


def _completes(sentence: Sentence, verb: int, adverb: int) -> bool:
    """Whether a verb says something else without an adverb: *ran free*, *went before*, *came along gloomily*."""
    word = sentence.words[adverb]
    beside = sentence.texts(adverb, "advmod")
    if adverb < verb:
        return bool({"too", "so", "as"} & {*beside})
    is_put = base(sentence.words[verb].text.lower()) in PUTTING or bool(sentence.children(adverb, "case"))
    return is_put or word.tag in ("ADJ", "NOUN", "ADP", "VERB") or word.text.lower() in BEFORE_OR_AFTER
