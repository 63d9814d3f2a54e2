"""Pronoun resolution by rules over the dependency tree of a sentence.

The rules consider only the subject of the nearest clause that governs the pronoun's own clause: it must be one person,
not of another gender, in the same quotation, and not excluded by binding (*he saw him*); its rivals are counted.
"""

import re
from dataclasses import dataclass
from typing import Literal

from bvf_stanza.belief import FARTHEST, Belief, Subject
from bvf_stanza.lexicon import NO_NAMES, Gender, Lexicon, Names
from bvf_stanza.tree import ROOT, Sentence

PARTS_OF_NAMES = ("flat", "compound", "goeswith", "fixed")
SUBJECTS = ("nsubj", "csubj")
OBJECTS = ("obj", "iobj", "obl")
LOOSE = ("parataxis", "discourse", "list")
TITLE = "nmod:desc"
CAPITALS = re.compile(r"[A-Z]{2,}")
APOSTROPHE = re.compile("^[dDlLoO]?[\u2019'][a-z]")


@dataclass(frozen=True)
class Mention:
    """A noun or name that a pronoun may refer to: its head's index, and its gender (None: unknown)."""

    head: int
    gender: Gender | None


class Resolver:
    """Decides whom a pronoun refers to. It uses word lists, and the names of persons ``known`` from the document."""

    def __init__(self, lexicon: Lexicon, known: Names = NO_NAMES) -> None:
        self.lexicon, self.known = lexicon, known

    def antecedent(self, sentence: Sentence, pronoun: int) -> int | None:
        """Return the index of a pronoun's antecedent (its head). None: there is none, it has rivals, or is too far."""
        belief = self.belief(sentence, pronoun)
        return None if belief is None or belief.competitors or belief.distance > FARTHEST else belief.meant

    def belief(self, sentence: Sentence, pronoun: int) -> Belief | None:
        """Return the subject that a pronoun may refer to, and the evidence for it; None if there is no such subject."""
        subject = self._governing_subject(sentence, pronoun)
        if subject is None or self.is_joined(sentence, subject) or not self._agrees(sentence, subject, pronoun):
            return None
        candidates = self.candidates(sentence, pronoun)
        if subject > pronoun:
            rivals, earlier = len(candidates), 0
        elif subject in self._bound(sentence, pronoun):
            return None
        else:
            owners = self._owners(sentence, subject, pronoun, candidates)
            owners |= self._subjects_above(sentence, subject, pronoun, candidates)
            rivals = len(owners | {mention.head for mention in candidates if mention.head > subject})
            rivals += sum(  # *told him that he*
                self.lexicon.pronoun_gender(word.text) == self._pronoun_gender(sentence, pronoun)
                and word.kind in OBJECTS
                and "Reflex=Yes" not in word.features
                for word in sentence.words[subject + 1 : pronoun]
            )
            earlier = sum(mention.head < subject for mention in candidates if mention.head not in owners)
        return Belief(subject, self._evidence(sentence, subject), pronoun - subject, rivals, earlier)

    def _pronoun_gender(self, sentence: Sentence, index: int) -> Gender | None:
        return self.lexicon.pronoun_gender(sentence.words[index].text)

    def _evidence(self, sentence: Sentence, subject: int) -> Subject:
        word = sentence.words[subject]
        if word.text.lower() in self.lexicon.nominatives:
            return Subject.PRONOUN
        if word.tag != "PROPN" and word.text not in self.known:
            return Subject.NOUN
        has_gender = self.gender(sentence, subject) or self._title(sentence, subject)
        return Subject.GENDERED_NAME if has_gender else Subject.NAME

    def candidates(self, sentence: Sentence, pronoun: int) -> list[Mention]:
        """Return earlier mentions that may be of a pronoun's gender.

        They are in the pronoun's quotation, and binding does not exclude them.
        """
        gender = self._pronoun_gender(sentence, pronoun)
        quoted = self.quotations(sentence)
        bound = self._bound(sentence, pronoun)
        return [
            mention
            for mention in self.mentions(sentence, pronoun)
            if mention.gender in (None, gender)
            and quoted[mention.head] == quoted[pronoun]
            and mention.head not in bound
        ]

    def mentions(self, sentence: Sentence, before: int) -> list[Mention]:
        """Return the singular nouns and names of possible persons before a word. A repeated name is returned once."""
        mentions: list[Mention] = []
        for index, word in enumerate(sentence.words[:before]):
            if word.tag not in self.lexicon.noun_tags or word.kind in (*PARTS_OF_NAMES, "appos"):
                continue
            if word.relation == TITLE:
                continue
            if self.is_plural(sentence, index) or not self.is_person(sentence, index):
                continue
            name = set(self.name(sentence, index))
            if not any(name & set(self.name(sentence, earlier.head)) for earlier in mentions):
                mentions.append(Mention(index, self.gender(sentence, index)))
        return mentions

    def is_person(self, sentence: Sentence, index: int) -> bool:
        """Whether a noun or name may be a person.

        Word lists, its title, article or preposition, or ``known`` decide.
        """
        word = sentence.words[index]
        if self._title(sentence, index) or word.text in self.known:
            return True
        if word.tag != "PROPN":
            return self.lexicon.is_person(self.noun(sentence, index))
        name = self.name(sentence, index)
        if any(part in self.lexicon.no_persons for part in name) or self._is_of_things(sentence, index):
            return False
        return self._is_known(name) or self.lexicon.placing.isdisjoint(sentence.texts(index, "case"))

    def _is_known(self, name: list[str]) -> bool:
        return any(self.lexicon.gender(part.rstrip(".")) or part in self.known for part in name)

    def _is_of_things(self, sentence: Sentence, index: int) -> bool:
        """Whether a name is of a thing: in capitals (*FBI*), with an article, or beginning like *L'a*."""
        name = [part for part in self.name(sentence, index) if part[0].isalpha()]
        if APOSTROPHE.search(sentence.words[index].text[:3]):
            return True
        in_capitals = CAPITALS.fullmatch(sentence.words[index].text) and not self._is_known(name)
        if in_capitals and sum(word.text.isupper() for word in sentence.words) < len(sentence.words) / 2:
            return True
        has_article = not self.lexicon.articles.isdisjoint(sentence.texts(index, "det"))
        return has_article and not any(
            self.lexicon.is_person(part.lower()) or part.lower() in self.lexicon.titles for part in name
        )

    def _title(self, sentence: Sentence, index: int) -> Gender | Literal["any", ""]:
        """The gender of a name's title; empty if there is no title. It is *any* if the title fits both genders.

        Some parsers take the title for the head of the name: *Detective* of *Detective Smith*.
        """
        heads = (index,) if sentence.children(index, "flat") else ()
        parts = (*heads, *sentence.children(index, "flat", "compound", "nmod"))
        titles = (self.lexicon.titles.get(sentence.words[part].text.lower().rstrip(".")) for part in parts)
        return next((title for title in titles if title), "")

    def noun(self, sentence: Sentence, index: int) -> str:
        """Return the base form of a noun. In a language without spaces, it is the whole compound."""
        if self.lexicon.spaced:
            return sentence.words[index].lemma.lower()
        return "".join(self.name(sentence, index))

    def name(self, sentence: Sentence, index: int) -> list[str]:
        """Return the words of a name, in their order."""
        parts = [index, *sentence.children(index, *PARTS_OF_NAMES)]
        return [sentence.words[part].text for part in sorted(parts)]

    def gender(self, sentence: Sentence, index: int) -> Gender | None:
        """The gender of a mention, by its title, name, apposition or noun; None if unknown."""
        title = self._title(sentence, index)
        if title and title != "any":
            return title
        for part in self.name(sentence, index):
            if gender := self.lexicon.gender(part.rstrip(".")) or self.known.get(part):
                return gender
        for other in sentence.children(index, "appos"):
            if gender := self.lexicon.gender(sentence.words[other].lemma):
                return gender
        return self.lexicon.gender(self.noun(sentence, index))

    def is_plural(self, sentence: Sentence, index: int) -> bool:
        """Whether a noun is plural."""
        word = sentence.words[index]
        if word.text in self.known:
            return False
        if "Number=Plur" in word.features or word.text.endswith(self.lexicon.plural_endings):
            return True
        beside = sentence.subtree(index) if self.lexicon.quantities else ()
        return any(sentence.words[other].text in self.lexicon.quantities for other in beside)

    def quotations(self, sentence: Sentence) -> list[int]:
        """Return the number of the quotation around each word: 1, 2, ..., or 0 outside of any."""
        quotations = []
        current = opened = 0
        for word in sentence.words:
            ends = word.text.endswith(self.lexicon.closing)
            toggles = word.text in self.lexicon.toggling
            if word.text.startswith(self.lexicon.opening) or (toggles and not current):
                opened += 1
                current = opened
            quotations.append(current)
            if current and (ends or (toggles and quotations[-2:-1] == [current])):
                current = 0
        return quotations

    def is_joined(self, sentence: Sentence, index: int) -> bool:
        """Whether a noun is coordinated with another one: *Tom and Ann*."""
        word = sentence.words[index]
        joined = list(sentence.children(index, "conj"))
        if word.kind == "conj" and word.head != ROOT:
            joined.append(word.head)
        return any(sentence.words[other].tag in self.lexicon.noun_tags for other in joined)

    def _bound(self, sentence: Sentence, pronoun: int) -> set[int]:
        """The words that binding excludes: an object's subject, a possessive's noun phrase, or a subject's clause."""
        word = sentence.words[pronoun]
        if word.head == ROOT:
            return set()
        if word.kind in SUBJECTS:
            before = {index for clause in self._fronted(sentence, pronoun) for index in sentence.subtree(clause)}
            return set(sentence.subtree(word.head)) - before
        if word.kind == "nmod":
            return set(_phrase_above(sentence, pronoun))
        bound: set[int] = set()
        if word.kind in OBJECTS and "Reflex=Yes" not in word.features:
            verb = word.head
            bound.update(sentence.children(verb, *SUBJECTS))
            while sentence.words[verb].kind in ("xcomp", "conj"):
                verb = sentence.words[verb].head
                bound.update(sentence.children(verb, *SUBJECTS))
        return bound

    def _governing_subject(self, sentence: Sentence, pronoun: int) -> int | None:
        """The subject of the nearest clause above the pronoun in which the pronoun is neither subject nor object.

        The subject may follow the pronoun: *in her speech, the minister said*. None if there is no such subject.
        """
        word = sentence.words[pronoun]
        above = list(sentence.ancestors(pronoun))
        if word.kind in (*SUBJECTS, *OBJECTS) and "Reflex=Yes" not in word.features:
            if sentence.words[word.head].kind in LOOSE:
                return None
            above = above[1:]
        for clause in above:
            subjects = [index for index in sentence.children(clause, "nsubj") if index not in (pronoun, *above)]
            if subjects:
                return subjects[0]
        fronted = [index for clause in self._fronted(sentence, pronoun) for index in sentence.children(clause, "nsubj")]
        return fronted[0] if len(fronted) == 1 else None

    def _fronted(self, sentence: Sentence, pronoun: int) -> list[int]:
        """The adverbial clauses before the pronoun, in the clause of the pronoun or its possessed noun."""
        word = sentence.words[pronoun]
        head = word.head if word.kind != "nmod" or word.head == ROOT else sentence.words[word.head].head
        if not self.lexicon.fronted_clauses or head == ROOT:
            return []
        return [clause for clause in sentence.children(head, "advcl") if clause < pronoun]

    def _owners(self, sentence: Sentence, subject: int, pronoun: int, candidates: list[Mention]) -> set[int]:
        """Other possible antecedents in the subject's phrase: *his brother said*, *the brother of Tom said*.

        A pronoun in a relative clause is not one of them: *Tom, who lost his job, said*.
        """
        gender = self._pronoun_gender(sentence, pronoun)
        others = {mention.head for mention in candidates} - {subject}
        return {
            index
            for index in sentence.subtree(subject)
            if index != subject
            and (
                index in others
                or (
                    self._pronoun_gender(sentence, index) == gender
                    and not any(sentence.words[above].kind == "acl" for above in sentence.ancestors(index))
                )
            )
        }

    def _subjects_above(self, sentence: Sentence, subject: int, pronoun: int, candidates: list[Mention]) -> set[int]:
        """Possible antecedents that are subjects of higher clauses: *the doctor thought Robert knew he was ill*."""
        gender = self._pronoun_gender(sentence, pronoun)
        taken_up = self.lexicon.is_pronoun_subject(sentence.words[subject].text)
        others = {mention.head for mention in candidates}
        return {
            index
            for clause in list(sentence.ancestors(subject))[1:]
            for index in sentence.children(clause, "nsubj")
            if index != pronoun
            and (index in others or (not taken_up and self._pronoun_gender(sentence, index) == gender))
        } - {subject}

    def _agrees(self, sentence: Sentence, index: int, pronoun: int) -> bool:
        """Whether a word can be one person of the pronoun's gender, in the same quotation."""
        quoted = self.quotations(sentence)
        if quoted[index] != quoted[pronoun]:
            return False
        gender = self._pronoun_gender(sentence, pronoun)
        if self.lexicon.is_pronoun_subject(sentence.words[index].text):
            return self._pronoun_gender(sentence, index) == gender
        return (
            sentence.words[index].tag in self.lexicon.noun_tags
            and not self.is_plural(sentence, index)
            and self.is_person(sentence, index)
            and self.gender(sentence, index) in (None, gender)
        )


def _phrase_above(sentence: Sentence, index: int) -> list[int]:
    """The heads above a word, up to the head of the whole noun phrase."""
    nouns = []
    for above in sentence.ancestors(index):
        nouns.append(above)
        if sentence.words[above].kind not in ("nmod", "appos", "flat", "compound"):
            break
    return nouns


class ByChains(Resolver):
    """Decides whom a pronoun refers to by the parser's coreference chains."""

    def belief(self, sentence: Sentence, pronoun: int) -> Belief | None:
        """Return the belief that a pronoun means the first noun or name in a coreference chain; None without one."""
        chains = sentence.words[pronoun].chains
        for index, word in enumerate(sentence.words[:pronoun]):
            if word.tag in self.lexicon.noun_tags and word.kind not in PARTS_OF_NAMES and word.chains & chains:
                return Belief(index, Subject.CHAIN, pronoun - index)
        return None
