"""Which objects, complements and adverbs of an English verb are kept, shortened, without names and numbers."""

from collections.abc import Iterator

from bvf_stanza import Lexicon, Sentence, Unfit
from lemminflect import getAllLemmas

from bvf_en.mining import lists
from bvf_en.mining.needs import Needs
from bvf_en.mining.nouns import NounPhrases, preposition
from bvf_en.mining.verbs import DENIALS, base, gerund, inflections, is_gerund, straight


class Phrases:
    """Writes the shortened dependents of a verb. Its methods raise `Unfit`.

    ``with_details`` keeps adjectives, adverbs and *someone* for a person; without it, more templates coincide.
    """

    def __init__(self, lexicon: Lexicon, *, with_details: bool) -> None:
        self._lexicon = lexicon
        self._with_details = with_details
        self._nouns = NounPhrases(lexicon, with_adjectives=with_details)
        self.needs = Needs(lexicon, with_details=with_details)

    def complement(self, sentence: Sentence, head: int) -> list[str]:
        """Return the complement of a copula: ``a teacher``, ``happy``, ``in a hurry``.

        Raises `Unfit` for names, numbers, comparisons, and complements that need more words: *ten years old*.
        """
        word, text = sentence.words[head], sentence.words[head].text.lower()
        case = preposition(sentence, head)
        if text == "so":
            raise Unfit("a part of what is left out")
        if word.tag in ("NOUN", "PRON"):
            return self._noun_of_complement(sentence, head, case)
        if word.tag not in ("ADJ", "VERB", "ADV"):
            raise Unfit("a name or number in the predicate")
        if any(child < head for child in sentence.children(head, *lists.MODIFIERS)):
            raise Unfit("more than the last word of a complement")
        if not getAllLemmas(text):
            raise Unfit("a word of no dictionary")
        is_name = bool(head) and word.text[0].isupper()
        copula = min(sentence.children(head, "cop"), default=head)
        is_led = any(child > copula for child in sentence.children(head, "mark"))
        is_finite = word.tag == "VERB" and not ("VerbForm=Part" in word.features or is_gerund(text))
        if case == ["at"] or sentence.words[head - 1].text == "-" or is_name or is_led or is_finite:
            raise Unfit("more than the last word of a complement")
        return [*case, *self._degree(sentence, head), text]

    def _noun_of_complement(self, sentence: Sentence, head: int, case: list[str]) -> list[str]:
        word = sentence.words[head]
        if case and (case[0] in lists.COMPARED or case in (["of"], ["since"])):
            raise Unfit("more than the last word of a complement")
        cases = sentence.children(head, "case")
        before_case = [child for child in sentence.children(head) if cases and child < cases[0]]
        has_adjective = any(sentence.words[child].tag == "ADJ" for child in before_case)
        if has_adjective or any(child < head for child in sentence.children(head, "obl")):
            raise Unfit("more than the last word of a complement")
        phrase = self._nouns.phrase(sentence, head)
        has_amod = bool(sentence.children(head, "amod")) and self._nouns.determiner(sentence, head) in ("a", "an")
        if not case and has_amod and not self._with_details:
            raise Unfit("a part of what is left out")
        is_bare = len(phrase) == 1 and word.tag == "NOUN" and "ADJ" not in getAllLemmas(phrase[0])
        is_thing = is_bare and not self._lexicon.is_person(phrase[0])
        if (not case or word.lemma == "moment") and (is_thing or word.lemma.lower() in lists.MEASURES):
            raise Unfit("more than the last word of a complement")
        return [*self.adverbs_before(sentence, head), *case, *phrase]

    def _degree(self, sentence: Sentence, head: int) -> list[str]:
        degrees = []
        first = min(sentence.children(head, "cop", "aux"), default=0)
        for child in sentence.children(head, "advmod"):
            if not first <= child < head:
                continue
            text = sentence.words[child].text.lower()
            if text in (*lists.DEGREES, "all", "far", "half"):
                raise Unfit("a comparison")
            stays = self._with_details and not sentence.children(head, "ccomp") and _is_plain_adverb(sentence, child)
            if text in lists.KEPT_DEGREES or stays:
                degrees.append(text)
        return degrees

    def adverbs_before(self, sentence: Sentence, head: int) -> list[str]:
        """Return the kept adverbs just before a verb, or just after a copula: *had often seen*, *was still a child*."""
        copula = sentence.children(head, "cop")
        helpers = (*copula, *(index for index in sentence.children(head, "aux") if index < head))
        beside = range(min(helpers), head) if copula else range(head - 1, -1, -1)
        adverbs: list[str] = []
        for index in (place for place in beside if place not in helpers):
            word = sentence.words[index]
            denies = straight(word.text) in DENIALS
            if word.relation == "advmod" and not denies and self._stays(sentence, head, index):
                adverbs.append(word.text.lower())
            elif not (copula and denies):
                break
        return adverbs if copula else adverbs[::-1]

    def arguments(self, sentence: Sentence, head: int, stop: int) -> list[str]:
        """Return the shortened objects, complements and adverbs of a verb before ``stop``; raises `Unfit`."""
        arguments: list[str] = []
        joined = [child for child in sentence.children(head, "conj") if sentence.words[child].tag == "VERB"]
        for child in sentence.children(head):
            if not head < child < stop:
                continue
            kind = sentence.words[child].kind
            if kind in ("ccomp", "csubj", "parataxis"):
                raise Unfit("another clause stands before the word of Y")
            if kind not in lists.ARGUMENTS:
                continue
            if joined and joined[0] < child:
                raise Unfit("verbs joined by no plain word")
            if kind in ("obj", "obl", "advmod", "xcomp") and self._is_degree(sentence, child):
                raise Unfit("a comparison")
            arguments.extend(self._argument(sentence, head, child, stop))
        return arguments

    def _is_degree(self, sentence: Sentence, head: int) -> bool:
        """Whether a phrase has a degree word that a later clause completes: *such pictures as*, *as light a spirit*."""
        noun = sentence.words[head].tag == "NOUN"
        within = [head, *sentence.children(head, "amod", "det", "advmod")]
        within += [child for word in within[1:] for child in sentence.children(word, "advmod")]
        return any(
            sentence.words[index].text.lower() in (lists.COMPARING if noun else lists.DEGREES)
            and sentence.words[index].kind in ("advmod", "det", "amod")
            for index in within
        )

    def _argument(self, sentence: Sentence, head: int, child: int, stop: int) -> Iterator[str]:
        word = sentence.words[child]
        if word.kind == "xcomp":
            yield from self._open_complement(sentence, child, stop)
        elif word.kind in ("obj", "iobj"):
            yield from self._object(sentence, head, child)
        elif word.relation == "compound:prt" or (word.kind == "advmod" and word.text.lower() in lists.DIRECTIONS):
            is_measured = sentence.words[child - 1].text.lower() in ("right", "all", "half", "far")
            if is_measured or sentence.children(child, "obl", "conj") or _is_here_and_there(sentence, child):
                raise Unfit("a part of what is left out")
            yield word.text.lower()
        elif word.kind == "advmod" and self._stays(sentence, head, child):
            yield word.text.lower()
        elif word.relation == "obl":
            yield from self._oblique(sentence, head, child)
        elif word.kind == "obl" and sentence.children(child, "nmod"):
            raise Unfit("an object stands elsewhere")

    def _stays(self, sentence: Sentence, verb: int, adverb: int) -> bool:
        """Whether an adverb is kept: *smiled sadly*. Mostly not beside verbs of saying, so that templates coincide."""
        says = base(sentence.words[verb].text.lower()) in self._lexicon.governing
        is_guess = sentence.words[adverb].text.lower() in ("probably", "possibly", "presumably", "apparently")
        return self._with_details and (is_guess or not says) and _is_plain_adverb(sentence, adverb)

    def _open_complement(self, sentence: Sentence, head: int, stop: int) -> Iterator[str]:
        """An open complement (xcomp): ``to leave``, ``leaving``, ``rich``, ``a teacher``."""
        if sentence.children(head, "nsubj"):
            raise Unfit("another clause stands before the word of Y")
        if sentence.words[head].tag == "VERB":
            yield from self._open_verb(sentence, head)
            words = self.arguments(sentence, head, stop)
            self.needs.refuse_what_stands_elsewhere(sentence, head, stop, words)
            lemma = base(sentence.words[head].text.lower())
            self.needs.refuse_lost_places(sentence, head, stop, lemma, words, passive=False)
            yield from words
            return
        if sentence.children(head, "cop"):
            be = "being" if sentence.words[sentence.children(head, "cop")[0]].text.lower() == "being" else "be"
            yield from (*sentence.texts(head, "mark"), be, *self.complement(sentence, head))
        else:
            yield from self.complement(sentence, head)
        yield from self.arguments(sentence, head, stop)

    def _open_verb(self, sentence: Sentence, head: int) -> Iterator[str]:
        """The verb of an open complement: ``to leave``, ``not to leave``, ``leaving``, ``badly hurt``."""
        word = sentence.words[head]
        text, lemma = word.text.lower(), base(word.text.lower())
        if word.text[0].isupper():
            raise Unfit("a name or number in the predicate")
        if "VERB" not in getAllLemmas(text) or sentence.words[head - 1].text == "-":
            raise Unfit("a word of no dictionary")
        if sentence.children(head, "aux"):
            raise Unfit("a complement with a helping verb")
        marks = sentence.texts(head, "mark")
        yield from marks
        if any(sentence.words[index].lemma.lower() == "not" for index in sentence.children(head, "advmod")):
            yield "not"
        is_finite = not marks and {"Tense=Pres", "VerbForm=Fin"} <= word.features
        governs_base = base(sentence.words[word.head].text.lower()) in lists.BARE_INFINITIVE
        if (is_finite and not governs_base) or (marks not in ([], ["to"]) and not is_gerund(text)):
            raise Unfit("no verb")
        yield from self._open_form(sentence, head, text, lemma, has_mark=bool(marks))

    def _open_form(self, sentence: Sentence, head: int, text: str, lemma: str, *, has_mark: bool) -> list[str]:
        word = sentence.words[head]
        if is_gerund(text):
            if base(sentence.words[word.head].text.lower()) in lists.LINKING:
                raise Unfit("a part of what is left out")
            return [gerund(lemma)]
        if has_mark or (text == lemma and not {"VerbForm=Ger", "VerbForm=Part"} & word.features):
            return [lemma]
        if text in inflections(lemma, "VBN"):
            return [*self._degree(sentence, head), text]
        raise Unfit("no verb")

    def _object(self, sentence: Sentence, verb: int, head: int) -> list[str]:
        word, verb_lemma = sentence.words[head], base(sentence.words[verb].text.lower())
        if word.tag == "PRON" and word.text.lower() in self._lexicon.pronouns:
            return ["someone"]
        if word.tag == "PROPN":
            if self._is_somebody(sentence, head) or verb_lemma in self._lexicon.addressing:
                return ["someone"]
            raise Unfit("a name or number in the predicate")
        may_be_clause = verb_lemma in self._lexicon.governing and _has_bare_relative(sentence, head)
        if may_be_clause or (verb_lemma in lists.BARE_INFINITIVE and sentence.children(head, "compound")):
            raise Unfit("another clause stands before the word of Y")
        self._refuse_what_is_done_to_it(sentence, verb_lemma, head)
        phrase = [*preposition(sentence, head), *self._nouns.phrase(sentence, head)]
        is_measure = len(phrase) == 1 and word.lemma.lower() in lists.MEASURES
        is_quality = phrase[0] in ("a", "an") and "ADJ" in getAllLemmas(phrase[-1])
        shows = verb_lemma in lists.SHOWING or (is_quality and verb_lemma in (*lists.LINKING, "turn", "grow"))
        if is_measure or shows:
            raise Unfit("a part of what is left out")
        return phrase

    def _refuse_what_is_done_to_it(self, sentence: Sentence, verb_lemma: str, head: int) -> None:
        """Raise `Unfit` if a dropped predicate is about the object: *had rooms made ready*, *felt a blush steal*."""
        first = min(sentence.subtree(head))
        if "PUNCT" in (sentence.words[first].tag, sentence.words[first - 1].tag):
            raise Unfit("an object stands elsewhere")
        word, adjectives = sentence.words[head], sentence.children(head, "amod")
        if verb_lemma == "have":
            is_trait = word.lemma.lower() in lists.TRAITS and adjectives and not self._with_details
            later = [index for index in sentence.children(head, "acl", "nmod") if index > head]
            if is_trait or any(
                sentence.words[index].kind == "acl" or preposition(sentence, index) not in ([], ["of"])
                for index in later
            ):
                raise Unfit("a part of what is left out")
        if verb_lemma in lists.BARE_INFINITIVE and any(
            "ADJ" not in getAllLemmas(sentence.words[index].text.lower()) for index in adjectives
        ):
            raise Unfit("another clause stands before the word of Y")
        after = sentence.words[head + 1].text.lower() if head + 1 < len(sentence.words) else ""
        is_time = after in ("later", "ago", "after", "before", "earlier", "afterwards")
        if is_time and word.lemma in lists.MEASURES:
            raise Unfit("a part of what is left out")

    def _oblique(self, sentence: Sentence, verb: int, head: int) -> list[str]:
        """A prepositional phrase; empty for phrases of names, numbers or dates, which templates leave out."""
        word = sentence.words[head]
        case = preposition(sentence, head)
        is_aside = sentence.words[min(sentence.subtree(head)) - 1].text == ","
        if is_aside or [*case, word.text.lower()] == ["at", "once"]:
            return [] if is_aside else ["at", "once"]
        if set(case) & set(lists.COMPARED) and (case != ["as"] or word.tag == "PROPN"):
            raise Unfit("a comparison")
        if word.tag == "VERB" or case == ["for", "to"]:
            raise Unfit("a part of what is left out")
        beside = word.tag == "PRON" and case not in ([], ["of"], ["as"])
        if self._with_details and (beside or case[:1] in lists.WITH_SOMEBODY) and self._is_somebody(sentence, head):
            return [*case, "someone"]
        if self.needs.is_left_out(sentence, head):
            first = min(sentence.subtree(head))
            if case in (["of"], ["as"]) or sentence.words[first - 1].text.lower() in lists.DIRECTIONS:
                raise Unfit("a part of what is left out")
            return []
        in_a_manner = case == ["to"] and word.lemma in lists.MANNERS
        if in_a_manner and self._nouns.determiner(sentence, head) in ("this", "that"):
            raise Unfit("a comparison")
        if case == ["of"] and base(sentence.words[verb].text.lower()) not in lists.OF:
            raise Unfit("a phrase that belongs to something else")
        return [*case, *self._nouns.phrase(sentence, head)]

    def _is_somebody(self, sentence: Sentence, head: int) -> bool:
        """Whether a phrase is a personal pronoun, or a name whose gender is known."""
        word = sentence.words[head]
        if word.tag == "PRON":
            return word.text.lower() in self._lexicon.pronouns
        return word.tag == "PROPN" and bool(self._lexicon.gender(word.text.rstrip(".")))


def _has_bare_relative(sentence: Sentence, noun: int) -> bool:
    """Whether a noun has a relative clause without a pronoun. *He felt the take lacked grace* is parsed so too."""
    return any(
        not any(sentence.words[index].text.lower() in lists.RELATIVE for index in sentence.subtree(clause))
        for clause in sentence.children(noun, "acl")
    )


def _is_plain_adverb(sentence: Sentence, index: int) -> bool:
    """Whether a word is an adverb of manner, degree or time (*sadly*, *very*; not *therefore*) without dependents."""
    word, text = sentence.words[index], sentence.words[index].text
    is_alone = word.tag == "ADV" and not sentence.children(index) and text.isalpha() and text.islower()
    return is_alone and (text.endswith("ly") or text in lists.PLAIN_ADVERBS) and "ADV" in getAllLemmas(text)


def _is_here_and_there(sentence: Sentence, index: int) -> bool:
    """Whether a direction is joined with another: *here and there*, *up and down*."""
    following = [word.text.lower() for word in sentence.words[index + 1 : index + 3]]
    return len(following) == 2 and following[0] == "and" and following[1] in lists.DIRECTIONS
