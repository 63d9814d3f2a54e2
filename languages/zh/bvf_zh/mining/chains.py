"""Chains of clauses: where Chinese takes up a subject by a pronoun, and how what stands before it is written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bvf_stanza import Lexicon, Resolver, Sentence, Unfit

from bvf_zh.mining.words import LINKS, OPENERS, PEOPLE, SPOUSES, TIMES
from bvf_zh.rules import CLAUSE

ASPECT = "[了过着]?"
LEAD = re.compile(rf"(?<!一)，?(?P<link>{'|'.join(sorted(LINKS, key=len, reverse=True))}|好象)，?$")
TIME = re.compile(rf"(?P<time>{'|'.join(TIMES)})，$")
OPENER = re.compile(rf"(?:^|，)(?P<opener>{'|'.join(sorted(OPENERS, key=len, reverse=True))})$")
SPEECH = re.compile("[\u4e00-\u9fff]{0,3}[：:“「『]")
MIDDLE = re.compile("[\u4e00-\u9fff]+(?:，[\u4e00-\u9fff]+)?")
NEGATION = re.compile("[不没未]")
QUESTION = re.compile("吗[？?]")
OTHERS = re.compile("[他她它您咱]")
FOLLOWING = ("就", "便")
LONGEST = 10
POINTING = ("一个人", "有个人", "某个人")
SUBJECTS = ("nsubj", "csubj")
ENDS = ("nsubj", "flat", "appos")
NO_LEAD = "no verb of saying and no link leads to the word of Y"
PHRASE = re.compile("[\u4e00-\u9fffＡ-ｚA-Za-z·]{1,16}")


@dataclass(frozen=True)
class Lead:
    """What leads to the clause that a pronoun begins.

    Args:
        start: Where it begins in the sentence, in characters; what the subject does stands before it.
        text: As it is written in a template.
        word: The verb of saying, or the word that joins the clauses.
        family: What it says: ``reporting``, ``cause``, ``contrast``, ...
    """

    start: int
    text: str
    word: str
    family: str


@dataclass(frozen=True)
class Chain:
    """A template, and what it was read from.

    Args:
        subject: Index of the head of the subject.
        pronoun: Index of the pronoun that takes it up.
        text: The template.
        word: The verb of saying, or the word that joins the clauses.
        family: What that says.
    """

    subject: int
    pronoun: int
    text: str
    word: str
    family: str


class Chains:
    """Reads a sentence as a chain of clauses: a person, what is said of the person, and a pronoun that goes on.

    The parser says who is the subject; how the template reads is the sentence's own words between the two.
    """

    def __init__(self, lexicon: Lexicon, pronouns: frozenset[str]) -> None:
        self._lexicon, self._pronouns = lexicon, pronouns
        self._resolver = Resolver(lexicon)
        self._pronoun = re.compile(f"[{''.join(sorted(pronouns))}](?!们)")
        verbs = sorted(frozenset().union(*lexicon.families.values()), key=len, reverse=True)
        self._saying = re.compile(rf"(?P<verb>{'|'.join(verbs)}){ASPECT}(?P<told>{'|'.join(PEOPLE)})?，?$")

    def read(self, sentence: Sentence) -> Chain:
        """Return the first chain of a sentence.

        Raises:
            Unfit: No pronoun surely goes on about a person whom the sentence names; with the reason of the first.
        """
        if QUESTION.search(_text(sentence)):
            raise Unfit("a question")
        reasons: list[Unfit] = []
        for pronoun in self._taking_up(sentence):
            try:
                return self._chain(sentence, pronoun)
            except Unfit as unfit:
                reasons.append(unfit)
        raise reasons[0] if reasons else Unfit("no word of Y begins a later clause")

    def passed_over(self, text: str) -> str:
        """Return the rule by which a text need not be parsed; empty if it must be."""
        places = [pronoun.start() for pronoun in self._pronoun.finditer(text, 1)]
        if not places:
            return "no word of Y after a subject"
        return "" if any(self._may_lead(text[:place]) for place in places) else NO_LEAD

    def _may_lead(self, before: str) -> bool:
        lead = self.lead(before)
        return lead is not None and bool(lead.family or any(opener in before for opener in OPENERS))

    def lead(self, before: str) -> Lead | None:
        """Return what leads to a clause whose first word stands right of ``before``; None: nothing that is known."""
        link = LEAD.search(before)
        if link:
            word = link["link"].replace("象", "像")
            return Lead(link.start(), f"，{word}", word, LINKS[word])
        saying = self._saying.search(before)
        if saying:
            verb, told = saying["verb"], saying["told"] or ""
            if told and verb not in self._lexicon.addressing:
                return None
            family = self._lexicon.family(verb)
            if before.endswith("，") and family == "perceiving":
                return None
            return Lead(saying.start(), verb + told, verb, family)
        if before.endswith("，"):
            time = TIME.search(before)
            return Lead(len(before) - 1, "，", time["time"] if time else "", "time" if time else "")
        return None

    def _taking_up(self, sentence: Sentence) -> Iterator[int]:
        """The pronouns that begin a clause, as its subject or as whose the subject is, with words on both sides."""
        for index, word in enumerate(sentence.words[1:-1], start=1):
            if word.text not in self._pronouns or sentence.words[index + 1].tag == "PUNCT":
                continue
            begun = self._begun(sentence, index)
            if begun is not None and sentence.words[begun].kind != "acl":
                yield index

    def _begun(self, sentence: Sentence, pronoun: int) -> int | None:
        word = sentence.words[pronoun]
        if word.kind == "nsubj":
            return word.head
        owned = sentence.words[word.head] if word.kind in ("nmod", "det") else None
        return owned.head if owned is not None and owned.kind == "nsubj" and pronoun < word.head else None

    def _chain(self, sentence: Sentence, pronoun: int) -> Chain:
        text = _text(sentence)
        before = text[: _start(sentence, pronoun)]
        lead = self.lead(before)
        if lead is None:
            raise Unfit(NO_LEAD)
        subject = self._subject(sentence, pronoun, lead)
        phrase = sentence.subtree(subject)
        start, stop = _start(sentence, phrase[0]), _stop(sentence, phrase[-1])
        if not _is_noun_phrase(sentence, phrase) or not PHRASE.fullmatch(text[start:stop]):
            raise Unfit("the subject is more than a noun and its words")
        opener = self._opener(sentence, phrase[0], text[:start])
        middle = text[stop : lead.start]
        if middle.startswith(FOLLOWING) and not opener:
            raise Unfit("the clause before it is left out")
        taken_up = sentence.words[subject].text in self._pronouns
        self._refuse_another(sentence, range(phrase[-1] + 1, pronoun), lead, taken_up=taken_up)
        self._refuse_doubt(lead, opener, middle, taken_up=taken_up)
        if SPEECH.match(text, _stop(sentence, pronoun)):
            raise Unfit("a quotation begins or ends before the word of Y")
        self._refuse_cues(sentence, set(phrase), pronoun)
        word = lead.word or opener or _opener_in(middle)
        family = lead.family or OPENERS[word]
        return Chain(subject, pronoun, f"{opener}[X]{middle}{lead.text}[Y]{CLAUSE}", word, family)

    def _subject(self, sentence: Sentence, pronoun: int, lead: Lead) -> int:
        """The one person of the sentence so far, who is a subject: a noun, a name, or the same pronoun."""
        quotes = (*self._lexicon.opening, *self._lexicon.closing, "：", ":")
        if any(word.text in quotes for word in sentence.words[1:pronoun]):
            raise Unfit("a quotation begins or ends before the word of Y")
        same = sentence.words[pronoun].text
        persons = [mention.head for mention in self._resolver.mentions(sentence, pronoun)]
        persons += [index for index in range(pronoun) if self._is_somebody(sentence, index)]
        like = [index for index, word in enumerate(sentence.words[:pronoun]) if OTHERS.search(word.text)]
        subjects = [
            index
            for index, word in enumerate(sentence.words[:pronoun])
            if word.kind == "nsubj" and _stop(sentence, index) <= lead.start
        ]
        candidates = [index for index in subjects if index in persons or sentence.words[index].text == same]
        if not candidates:
            raise Unfit(self._why_no_person(sentence, subjects))
        if self._resolver.is_joined(sentence, candidates[0]):
            raise Unfit("the subject is several")
        if {*persons, *like} != {candidates[0]}:
            raise Unfit("the word of Y need not mean the subject")
        told = self._resolver.gender(sentence, candidates[0])
        if told and told != self._lexicon.pronouns[same]:
            raise Unfit("the word of Y need not mean the subject")
        return candidates[0]

    def _is_somebody(self, sentence: Sentence, index: int) -> bool:
        """Whether a word is 人 that means one, whoever it is: 一个人."""
        phrase = "".join(sentence.words[place].text for place in sentence.subtree(index))
        return sentence.words[index].text == "人" and phrase.startswith(POINTING)

    def _why_no_person(self, sentence: Sentence, subjects: list[int]) -> str:
        nouns = [index for index in subjects if sentence.words[index].tag in self._lexicon.noun_tags]
        if not nouns:
            return "the subject is no noun"
        several = any(self._resolver.is_plural(sentence, index) for index in nouns)
        return "the subject is several" if several else "the subject is no person"

    def _opener(self, sentence: Sentence, first: int, before: str) -> str:
        """The conjunction left of the subject; whatever ends before it, and words of time and order, are left out."""
        opener = OPENER.search(before)
        if opener:
            return opener["opener"]
        loose = sentence.words[:first]
        loose = loose[1:] if loose and loose[0].text in self._lexicon.opening else loose
        while loose and loose[-1].tag in ("ADV", "CCONJ", "SCONJ"):
            loose = loose[:-1]
        if loose and loose[-1].text != "，":
            raise Unfit("something else stands before the subject")
        return ""

    def _refuse_another(self, sentence: Sentence, between: range, lead: Lead, *, taken_up: bool) -> None:
        """Raise `Unfit` where I, you or they become the subject before the pronoun, or a name or number stands."""
        for index in between:
            word = sentence.words[index]
            if word.tag == "PROPN" or any(char.isdigit() for char in word.text):
                raise Unfit("a name or number in the predicate")
            new = word.kind in SUBJECTS and word.tag == "PRON" and _stop(sentence, index) <= lead.start
            if new and not (taken_up and "，" not in _between(sentence, between.start, index)):
                raise Unfit("another subject stands before the word of Y")

    def _refuse_doubt(self, lead: Lead, opener: str, middle: str, *, taken_up: bool) -> None:
        if len(middle) > LONGEST or (middle and not MIDDLE.fullmatch(middle)):
            raise Unfit("more than a short predicate")
        if lead.family in self._lexicon.families:
            self._refuse_saying(lead, opener, middle, taken_up=taken_up)
        elif not middle:
            raise Unfit("no predicate")
        elif lead.family == "time" and not (opener or taken_up):
            raise Unfit("the word of Y need not mean the subject")
        elif not lead.family and not opener and not _opener_in(middle):
            raise Unfit(NO_LEAD)

    def _refuse_saying(self, lead: Lead, opener: str, middle: str, *, taken_up: bool) -> None:
        if opener or "，" in middle or middle.endswith("一"):
            raise Unfit("more than a short predicate")
        if lead.family == "perceiving" and not (taken_up or NEGATION.search(middle)):
            raise Unfit("no verb of saying or thinking governs the clause of the word of Y")
        if lead.word in self._lexicon.addressing and lead.text == lead.word:
            raise Unfit("no verb of saying or thinking governs the clause of the word of Y")

    def _refuse_cues(self, sentence: Sentence, phrase: set[int], pronoun: int) -> None:
        """Raise `Unfit` where something besides subject and pronoun tells of Y."""
        for index, word in enumerate(sentence.words):
            if index in phrase or index == pronoun:
                continue
            told = self._lexicon.gender(word.text)
            said = told and (index < pronoun or sentence.children(index, "cop"))
            if said or word.text in self._lexicon.cues or (index > pronoun and word.text in SPOUSES):
                raise Unfit("another word tells of Y")


def _is_noun_phrase(sentence: Sentence, words: tuple[int, ...]) -> bool:
    """Whether words stand together and end with a noun."""
    together = words[-1] - words[0] < len(words)
    return (
        together
        and sentence.words[words[-1]].kind in ENDS
        and not any(sentence.words[index].tag in ("AUX", "PUNCT") for index in words)
    )


def _opener_in(text: str) -> str:
    """The conjunction after a subject; a single character (当, 等) may be a part of another word further on."""
    return next((word for word in OPENERS if text.startswith(word) or (len(word) > 1 and word in text)), "")


def _text(sentence: Sentence) -> str:
    """The words of a sentence with nothing between them."""
    return "".join(word.text for word in sentence.words)


def _between(sentence: Sentence, start: int, stop: int) -> str:
    return "".join(word.text for word in sentence.words[start:stop])


def _start(sentence: Sentence, index: int) -> int:
    return sum(len(word.text) for word in sentence.words[:index])


def _stop(sentence: Sentence, index: int) -> int:
    return _start(sentence, index + 1)
