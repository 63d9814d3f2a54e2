"""What stands beside an English verb, each phrase as short as it can be, and no name or number in it."""

from collections.abc import Iterator

from bvf_stanza import Lexicon, Sentence, Unfit
from lemminflect import getAllLemmas

from bvf_en.mining.verbs import NEARLY_NOT, NOT, Verb, base, gerund, inflections
from bvf_en.mining.words import (
    ARGUMENTS,
    BARE_INFINITIVE,
    CLAUSES,
    COMPARED,
    COMPARING,
    DEGREES,
    DETERMINERS,
    DIRECTIONS,
    KEPT_DEGREES,
    LINKING,
    MANNERS,
    MEASURES,
    MODIFIERS,
    NAMES_AND_NUMBERS,
    NAMING,
    NEEDS_NO_OBJECT_BEFORE_A_PHRASE,
    NEEDS_OBJECT,
    OF,
    OTHER_DETERMINERS,
    PARTS,
    PEOPLE,
    PLAIN_OBJECTS,
    RELATIVE,
    SHOWING,
    TIMES,
    TWO_OBJECTS,
)
from bvf_en.rules import article


class Phrases:
    """Writes the phrases beside a verb."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def complement(self, sentence: Sentence, head: int) -> list[str]:
        """What a copula says of the subject: ``a teacher``, ``happy``, ``in a hurry``.

        Raises:
            Unfit: It is a name or number, compares, or is more than its last word: *dark-haired*, *ten years old*.
        """
        word = sentence.words[head]
        case = preposition(sentence, head)
        if word.tag in ("NOUN", "PRON"):
            if case and (case[0] in COMPARED or case in (["of"], ["since"])):
                raise Unfit("more than the last word of a complement")
            phrase = self.noun_phrase(sentence, head)
            is_bare = len(phrase) == 1 and word.tag == "NOUN" and "ADJ" not in getAllLemmas(phrase[0])
            said_by_adjective = sentence.children(head, "amod") and self._determiner(sentence, head) in ("a", "an")
            if not case and said_by_adjective:
                raise Unfit("a part of what is left out")
            if not case and (word.lemma.lower() in MEASURES or (is_bare and not self._lexicon.is_person(phrase[0]))):
                raise Unfit("more than the last word of a complement")
            return [*case, *phrase]
        if word.tag not in ("ADJ", "VERB", "ADV"):
            raise Unfit("a name or number in the predicate")
        if any(child < head for child in sentence.children(head, *MODIFIERS)):
            raise Unfit("more than the last word of a complement")
        text = word.text.lower()
        if not getAllLemmas(text):
            raise Unfit("a word of no dictionary")
        if sentence.words[head - 1].text == "-" or (head and word.text[0].isupper()):
            raise Unfit("more than the last word of a complement")
        if word.tag == "VERB" and not ("VerbForm=Part" in word.features or text.endswith("ing")):
            raise Unfit("more than the last word of a complement")
        return [*case, *self._degree(sentence, head), text]

    def _degree(self, sentence: Sentence, head: int) -> list[str]:
        degrees = []
        for child in sentence.children(head, "advmod"):
            text = sentence.words[child].text.lower()
            if child < min((head, *sentence.children(head, "cop"))):
                continue
            if child < head and text in (*DEGREES, "all"):
                raise Unfit("a comparison")
            if child < head and text in KEPT_DEGREES:
                degrees.append(text)
        return degrees

    def arguments(self, sentence: Sentence, head: int, stop: int) -> list[str]:
        """Objects and complements between a verb and ``stop``, each as short as it can be.

        Raises:
            Unfit: One of them cannot be written, or the verb says nothing without what stands elsewhere.
        """
        arguments: list[str] = []
        for child in sentence.children(head):
            if not head < child < stop:
                continue
            word = sentence.words[child]
            if word.kind in CLAUSES:
                raise Unfit("another clause stands before the word of Y")
            if word.kind in ("obj", "obl", "advmod", "xcomp") and self._is_degree(sentence, child):
                raise Unfit("a comparison")
            if word.kind in ARGUMENTS:
                arguments.extend(self._argument(sentence, head, child, stop))
        return arguments

    def _is_degree(self, sentence: Sentence, head: int) -> bool:
        """Whether a phrase has a word that another clause must answer: *such pictures as*, *in as light a spirit*."""
        noun = sentence.words[head].tag == "NOUN"
        within = [head, *sentence.children(head, "amod", "det", "advmod")]
        within += [child for word in within[1:] for child in sentence.children(word, "advmod")]
        return any(
            sentence.words[index].text.lower() in (COMPARING if noun else DEGREES)
            and sentence.words[index].kind in ("advmod", "det", "amod")
            for index in within
        )

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
        needs = lemma in NEEDS_OBJECT and (not arguments or lemma not in NEEDS_NO_OBJECT_BEFORE_A_PHRASE)
        kinds = {sentence.words[child].kind for child in sentence.children(head) if child > head}
        if needs and not passive and not kinds & {"obj", "iobj", "xcomp", "ccomp", "compound"}:
            raise Unfit("an object stands elsewhere")

    def refuse_lost_adverbs(self, sentence: Sentence, head: int, stop: int, verb: Verb, arguments: list[str]) -> None:
        """Raise `Unfit` where an adverb that goes is what is denied (*had not gone far*) or said (*looked well*)."""
        later = [child for child in sentence.children(head, "advmod") if head < child < stop]
        lost = [child for child in later if sentence.words[child].text.lower() not in (*arguments, *NOT)]
        denied = any(word in (*NOT, *NEARLY_NOT) for word in verb.words)
        if lost and (denied or (verb.lemma in LINKING and not set(arguments) & set(KEPT_DEGREES))):
            raise Unfit("an adverb turns what is said")

    def _argument(self, sentence: Sentence, head: int, child: int, stop: int) -> Iterator[str]:
        word = sentence.words[child]
        if word.kind == "xcomp":
            yield from self._open_complement(sentence, child, stop)
        elif word.kind in ("obj", "iobj"):
            yield from self._object(sentence, head, child)
        elif word.relation == "compound:prt" or (word.kind == "advmod" and word.text.lower() in DIRECTIONS):
            if sentence.children(child, "obl"):
                raise Unfit("a part of what is left out")
            yield word.text.lower()
        elif word.relation == "obl":
            yield from self._oblique(sentence, head, child)
        elif word.kind == "obl" and sentence.children(child, "nmod"):
            raise Unfit("an object stands elsewhere")

    def _open_complement(self, sentence: Sentence, head: int, stop: int) -> Iterator[str]:
        """``to leave``, ``leaving``, ``rich``, ``a teacher``."""
        word = sentence.words[head]
        marks = [sentence.words[index].text.lower() for index in sentence.children(head, "mark")]
        if word.tag == "VERB":
            text, lemma = word.text.lower(), base(word.text.lower())
            if sentence.children(head, "nsubj"):
                raise Unfit("another clause stands before the word of Y")
            yield from marks
            if any(sentence.words[index].lemma.lower() == "not" for index in sentence.children(head, "advmod")):
                yield "not"
            if sentence.children(head, "aux"):
                raise Unfit("a complement with a helping verb")
            if text.endswith("ing") and base(sentence.words[sentence.words[head].head].text.lower()) in LINKING:
                raise Unfit("a part of what is left out")
            if text.endswith("ing"):
                yield gerund(lemma)
            elif marks or (text == lemma and not {"VerbForm=Ger", "VerbForm=Part"} & word.features):
                yield lemma
            elif text in inflections(lemma, "VBN"):
                yield text
            else:
                raise Unfit("no verb")
            words = self.arguments(sentence, head, stop)
            self.refuse_what_stands_elsewhere(sentence, head, stop, words)
            yield from words
            return
        if sentence.children(head, "cop"):
            yield from (*marks, "be", *self.complement(sentence, head))
        else:
            yield from self.complement(sentence, head)
        yield from self.arguments(sentence, head, stop)

    def _object(self, sentence: Sentence, verb: int, head: int) -> list[str]:
        word = sentence.words[head]
        if word.tag == "PROPN":
            if base(sentence.words[verb].text.lower()) in self._lexicon.addressing:
                return ["someone"]
            raise Unfit("a name or number in the predicate")
        if base(sentence.words[verb].text.lower()) in self._lexicon.governing and _has_bare_relative(sentence, head):
            raise Unfit("another clause stands before the word of Y")
        if base(sentence.words[verb].text.lower()) in BARE_INFINITIVE and sentence.children(head, "compound"):
            raise Unfit("another clause stands before the word of Y")
        phrase = [*preposition(sentence, head), *self.noun_phrase(sentence, head)]
        if self._is_more_than_its_noun(sentence, verb, head, phrase):
            raise Unfit("a part of what is left out")
        return phrase

    def _is_more_than_its_noun(self, sentence: Sentence, verb: int, head: int, phrase: list[str]) -> bool:
        """Whether an object says little alone: *many moments*, *a little pale*, a cloud that one looked."""
        if len(phrase) == 1 and sentence.words[head].lemma.lower() in (*MEASURES, "moment"):
            return True
        lemma = base(sentence.words[verb].text.lower())
        is_quality = phrase[0] in ("a", "an") and "ADJ" in getAllLemmas(phrase[-1])
        return lemma in SHOWING or (is_quality and lemma in (*LINKING, "turn", "grow"))

    def _oblique(self, sentence: Sentence, verb: int, head: int) -> list[str]:
        """A phrase with its preposition; one of a name, a number or a date is left out."""
        word = sentence.words[head]
        case = preposition(sentence, head)
        if set(case) & set(COMPARED) and (case != ["as"] or word.tag == "PROPN"):
            raise Unfit("a comparison")
        if word.tag == "VERB":
            raise Unfit("a part of what is left out")
        left_out = (
            word.tag in NAMES_AND_NUMBERS
            or word.text.lower() in TIMES
            or bool(sentence.children(head, "nummod"))
            or not case
            or (word.tag == "PRON" and word.text.lower() in self._lexicon.pronouns)
        )
        if left_out:
            first = min(sentence.subtree(head))
            if case in (["of"], ["as"]) or sentence.words[first - 1].text.lower() in DIRECTIONS:
                raise Unfit("a part of what is left out")
            return []
        if case == ["of"] and base(sentence.words[verb].text.lower()) not in OF:
            raise Unfit("a phrase that belongs to something else")
        return [*case, *self.noun_phrase(sentence, head)]

    def noun_phrase(self, sentence: Sentence, head: int) -> list[str]:
        """Determiner and noun; a possessor becomes *the*, a number *several*.

        Raises:
            Unfit: It is a name, tells of Y, or is part of something that is left out: *a kind of*.
        """
        word = sentence.words[head]
        text = word.text.lower()
        beside = {sentence.words[child].text.lower() for child in sentence.children(head, "advmod", "amod")}
        if beside & {"more", "most", "less", "least"}:
            raise Unfit("a comparison")
        marks = {mark for clause in sentence.children(head, "acl") for mark in sentence.children(clause, "mark")}
        said = {sentence.words[mark].text.lower() for mark in marks}
        if said & {"to", "of", "from"} or (word.kind == "obj" and "that" in said):
            raise Unfit("a part of what is left out")
        if word.tag == "PRON":
            return [self._pronoun(sentence, head)]
        if word.tag != "NOUN" or not text.replace("-", "").isalpha() or (head and word.text[0].isupper()):
            raise Unfit("a name or number in the predicate")
        determiner = self._determiner(sentence, head)
        if not (NAMING if determiner else NAMING | {"ADJ"}) & getAllLemmas(text.rpartition("-")[2]).keys():
            raise Unfit("a word of no dictionary")
        if self._lexicon.gender(word.lemma) or text in self._lexicon.cues:
            raise Unfit("another word tells of Y")
        if text in TIMES or text == "deal" or (word.lemma.lower() in PARTS and sentence.children(head, "nmod")):
            raise Unfit("a part of what is left out")
        self._refuse_what_means_less(sentence, head, determiner)
        if determiner in ("a", "an"):
            determiner = "several" if "Number=Plur" in word.features else article(text)
        return [*determiner.split(), text, *self._of(sentence, head)]

    def _pronoun(self, sentence: Sentence, head: int) -> str:
        word, text = sentence.words[head], sentence.words[head].text.lower()
        if sentence.children(head, "nmod", "acl", "det"):
            raise Unfit("a part of what is left out")
        if text in PLAIN_OBJECTS or text in PEOPLE:
            return text
        if text in self._lexicon.pronouns or "Reflex=Yes" in word.features:
            raise Unfit("another word tells of Y")
        raise Unfit("a pronoun that cannot stay in the predicate")

    def _refuse_what_means_less(self, sentence: Sentence, head: int, determiner: str) -> None:
        """Raise `Unfit` where a noun without what stands beside it says something else: *in bad shape*."""
        word = sentence.words[head]
        bare = not determiner and "Number=Sing" in word.features and preposition(sentence, head) not in ([], ["of"])
        how = determiner in ("a", "an", "") or preposition(sentence, head)
        manner = how and word.lemma.lower() in MANNERS and sentence.children(head, "amod", "compound", "acl")
        with_something = preposition(sentence, head) == ["with"] and determiner in ("a", "an")
        if manner or ((bare or with_something) and sentence.children(head, "amod", "compound")):
            raise Unfit("a part of what is left out")

    def _of(self, sentence: Sentence, head: int) -> list[str]:
        """``of the house``; nothing where it is of a name or number.

        Raises:
            Unfit: It cannot be written, or the noun says nothing without it.
        """
        phrases: list[str] = []
        for child in sentence.children(head, "nmod"):
            can_be_written = sentence.words[child].tag not in NAMES_AND_NUMBERS
            if child > head and can_be_written and preposition(sentence, child) == ["of"]:
                phrases += ["of", *self.noun_phrase(sentence, child)]
        return phrases

    def _determiner(self, sentence: Sentence, head: int) -> str:
        plural = "Number=Plur" in sentence.words[head].features
        whole = ""
        for child in sentence.children(head):
            word = sentence.words[child]
            text = word.text.lower()
            if child > head:
                continue
            if text == "all" and word.kind == "det":
                whole = text
                continue
            if word.relation in ("nmod:poss", "det:poss"):
                return f"{whole} the".strip()
            if word.kind == "nummod":
                return "several" if plural else "one"
            if word.kind == "det" and text in DETERMINERS:
                return f"{whole} {text}".strip()
            if word.kind == "det" and text not in OTHER_DETERMINERS:
                raise Unfit("a word of no dictionary")
        return whole


def _has_bare_relative(sentence: Sentence, noun: int) -> bool:
    """Whether a clause of a noun has no relative word; *he felt the take lacked grace* is read so too."""
    return any(
        not any(sentence.words[index].text.lower() in RELATIVE for index in sentence.subtree(clause))
        for clause in sentence.children(noun, "acl")
    )


def preposition(sentence: Sentence, head: int) -> list[str]:
    """Return what stands before a noun: ``in``, ``because of``."""
    parts = [
        part
        for case in sentence.children(head, "case")
        if case < head
        for part in (case, *sentence.children(case, "fixed"))
    ]
    return [sentence.words[part].text.lower() for part in sorted(parts)]
