"""From a tree to templates: finds the subject and the answer word (*she*), and whether they corefer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bvf_stanza.attributes import Attributes
from bvf_stanza.belief import Belief, Subject, is_spoken_of
from bvf_stanza.lexicon import Gender
from bvf_stanza.resolver import OBJECTS, Resolver
from bvf_stanza.tree import ROOT, Draft, Grammar, Sentence, Unfit

LINKS: tuple[str, ...] = ("ccomp", "advcl", "conj")
INNER = (*LINKS, "parataxis")
RELATIVE = "acl"
IN_PHRASES = ("obj", "obl", "nmod")
FRONTED = "fronted advcl"


@dataclass(frozen=True)
class Reading:
    """A template of a sentence, the indices of its subject and answer word (*she*), and the belief that they corefer.

    Without a pronoun, ``belief`` is None. ``word`` is then the verb; or, if a word of Y before the subject describes
    it, that word, which begins at ``first``. ``link`` is the relation that joins the word or its clause.
    """

    draft: Draft
    subject: int
    word: int
    link: str
    belief: Belief | None
    first: int | None = None


class Reader:
    """Reads the sentences of a document.

    If ``pronouns`` is empty, predicates of persons give templates: those of ``attributes`` before the noun, and others.
    """

    def __init__(self, resolver: Resolver, grammar: Grammar, pronouns: frozenset[str], attributes: Attributes) -> None:
        self.resolver, self.lexicon, self.pronouns = resolver, resolver.lexicon, pronouns
        self._attributes = attributes
        self._grammar = grammar

    def readings(self, sentence: Sentence, before: Sequence[str] = ()) -> list[Reading]:
        """Return a `Reading` per subject that gives a template. ``before`` has the last `JUST_BEFORE` earlier words.

        Raises:
            Unfit: No subject gives a template; the message is the rule that excludes the first.
        """
        readings: list[Reading] = []
        reasons: list[Unfit] = []
        for subject in self.subjects(sentence):
            try:
                self.refuse_other_than_one_person(sentence, subject)
                readings.append(
                    self._pronoun(sentence, subject, before) if self.pronouns else self._predicate(sentence, subject)
                )
            except Unfit as unfit:
                reasons.append(unfit)
        if not readings:
            raise reasons[0] if reasons else Unfit("no subject before its verb")
        return readings

    def _predicate(self, sentence: Sentence, subject: int) -> Reading:
        if sentence.words[subject].tag == "PROPN" and not self.resolver.gender(sentence, subject):
            raise Unfit("the subject is not a person")
        if sentence.words[subject].tag == "PRON":
            raise Unfit("the subject is not a noun")
        if attribute := self._attributes.before(sentence, subject):
            draft = self._grammar.write_before_noun(sentence, subject, attribute.last)
            self._attributes.refuse_another(draft.text.replace("[Y]", "", 1))
            link = sentence.words[attribute.last].kind
            return Reading(draft, subject, attribute.last, link, None, attribute.first)
        verb = sentence.words[subject].head
        if verb not in sentence.roots() and not self.lexicon.any_clause:
            raise Unfit("the subject is not that of the main clause")
        return Reading(self._grammar.write(sentence, subject, None), subject, verb, sentence.words[verb].kind, None)

    def _pronoun(self, sentence: Sentence, subject: int, before: Sequence[str]) -> Reading:
        belief, pronoun, clause = self.later_pronoun(sentence, subject)
        self.refuse_other_cues(sentence, subject, pronoun)
        link = FRONTED if is_fronted(sentence, subject, clause) else sentence.words[clause].kind
        draft = self._grammar.write(sentence, subject, clause)
        words_before = [*before, *(word.text for word in sentence.words[:subject])]
        spoken_of = is_spoken_of(self._gender_of(sentence, pronoun), words_before, self.lexicon)
        belief = replace(belief, is_spoken_of=spoken_of, left_out=draft.left_out)
        return Reading(draft, subject, pronoun, link, belief)

    def _gender_of(self, sentence: Sentence, pronoun: int) -> Gender:
        return self.lexicon.pronouns[sentence.words[pronoun].text.lower()]

    def subjects(self, sentence: Sentence) -> list[int]:
        """Return the heads of subjects that precede their verb. They are in the main clause and perhaps other clauses.

        `Lexicon.any_clause` and `Lexicon.inner_clauses` decide which others.
        """
        verbs = list(sentence.roots())
        if self.lexicon.any_clause:
            verbs = list(range(len(sentence.words)))
        elif self.lexicon.inner_clauses and (self.pronouns or self._attributes.may_be_before):
            verbs += [index for index, word in enumerate(sentence.words) if word.kind in INNER and word.head != ROOT]
        return [index for verb in verbs for index in sentence.children(verb, "nsubj") if index < verb]

    def refuse_other_than_one_person(self, sentence: Sentence, subject: int) -> None:
        """Raise `Unfit` for a subject that is neither noun nor allowed pronoun, is plural, joined or not a person."""
        word = sentence.words[subject]
        is_pronoun = bool(self.pronouns) and self.lexicon.is_pronoun_subject(word.text)
        if word.tag not in self.lexicon.noun_tags and not is_pronoun:
            raise Unfit("the subject is not a noun")
        if self.resolver.is_plural(sentence, subject) or self.resolver.is_joined(sentence, subject):
            raise Unfit("the subject is several")
        if not is_pronoun and not self.resolver.is_person(sentence, subject):
            raise Unfit("the subject is not a person")

    def later_pronoun(self, sentence: Sentence, subject: int) -> tuple[Belief, int, int]:
        """Return the belief about the first fit answer word that begins a clause, its index, and the clause's head.

        Raises:
            Unfit: No answer word (*she*) begins a later clause, or it need not refer to the subject.
        """
        anchors = self.anchors(sentence, sentence.words[subject].head)
        reasons: list[Unfit] = []
        for index in range(subject + 1, len(sentence.words)):
            if sentence.words[index].text.lower() not in self.pronouns:
                continue
            clause = self._clause_begun(sentence, index)
            if clause is None:
                continue
            try:
                return self._meant(sentence, subject, index, clause, anchors), index, clause
            except Unfit as unfit:
                reasons.append(unfit)
                if not self.lexicon.inner_clauses:
                    break
        raise reasons[0] if reasons else Unfit("no word of Y begins a later clause")

    def _meant(self, sentence: Sentence, subject: int, pronoun: int, clause: int, anchors: list[int]) -> Belief:
        self.refuse_doubt_between(sentence, subject, pronoun)
        link = sentence.words[clause]
        links, verb = LINKS, link.head
        if self.lexicon.phrase_clauses:
            links, verb = (*LINKS, RELATIVE), governing_verb(sentence, clause)
        follows = verb in anchors and link.kind in links and pronoun > link.head
        if not follows and not (self.lexicon.fronted_clauses and is_fronted(sentence, subject, clause)):
            raise Unfit("the word of Y is in no clause of the main verb")
        belief = self.resolver.belief(sentence, pronoun)
        if belief is None or belief.meant != subject or (not follows and belief.subject is Subject.NOUN):
            raise Unfit("the word of Y need not mean the subject")
        self._refuse_vessels(sentence, belief, pronoun)
        return belief

    def _refuse_vessels(self, sentence: Sentence, belief: Belief, pronoun: int) -> None:
        """Raise `Unfit` if *she* may be a ship.

        The subject is then a mere name near a vessel, or a pronoun after one.
        """
        feminine = self._gender_of(sentence, pronoun) == "feminine"
        around = sentence.words if belief.is_of_a_mere_name else sentence.words[: belief.meant]
        may_be_one = belief.is_of_a_mere_name or belief.subject is Subject.PRONOUN
        if feminine and may_be_one and any(word.lemma.lower() in self.lexicon.vessels for word in around):
            raise Unfit("the subject is not a person")

    def refuse_doubt_between(self, sentence: Sentence, subject: int, pronoun: int) -> None:
        """Raise `Unfit` if a quotation mark or an object pronoun of that gender lies between: *told her that she*."""
        gender = self._gender_of(sentence, pronoun)
        for word in sentence.words[subject + 1 : pronoun]:
            if word.text in (*self.lexicon.opening, *self.lexicon.closing, *self.lexicon.toggling):
                raise Unfit("a quotation begins or ends before the word of Y")
            if self.lexicon.pronoun_gender(word.text) == gender and word.kind in OBJECTS:
                raise Unfit("the word of Y need not mean the subject")

    def anchors(self, sentence: Sentence, root: int) -> list[int]:
        """Return the verbs that share the root's subject: the root, its conjuncts, and nonfinite verbs below these."""
        verbs = [root]
        for verb in verbs:
            verbs.extend(
                child
                for child in sentence.children(verb, "conj", "xcomp", "advcl")
                if not sentence.children(child, "nsubj", "csubj", "expl")
                and (sentence.words[child].kind != "advcl" or is_nonfinite_clause(sentence, child))
            )
        return verbs

    def refuse_other_cues(self, sentence: Sentence, subject: int, pronoun: int) -> None:
        """Raise `Unfit` if a word between subject and pronoun reveals the gender, or the subject may be an animal.

        Gendered words after the pronoun do no harm, as the template ends there.
        """
        between = set(range(subject + 1, pronoun)).difference(sentence.subtree(subject))
        for index, word in enumerate(sentence.words):
            lower = word.text.lower()
            if lower in self.lexicon.animal_parts:
                raise Unfit("the subject may be an animal")
            if index in between and self.lexicon.shows_gender(lower, word.lemma.lower()):
                raise Unfit("another word tells of Y")

    def _clause_begun(self, sentence: Sentence, index: int) -> int | None:
        """The head of the clause whose subject is the pronoun or its possessed noun; None if there is none."""
        word = sentence.words[index]
        if word.kind == "nsubj":
            return word.head
        owned = sentence.words[word.head] if word.kind == "nmod" or word.relation == "det:poss" else None
        return owned.head if owned is not None and owned.kind == "nsubj" and index < word.head else None


def is_fronted(sentence: Sentence, subject: int, clause: int) -> bool:
    """Whether the subject's clause comes before the clause that it depends on: *when he came, she left*."""
    verb = sentence.words[subject].head
    return verb < clause and sentence.words[verb].kind == "advcl" and sentence.words[verb].head == clause


def governing_verb(sentence: Sentence, clause: int) -> int:
    """Return the word that governs a clause. For a clause in a phrase like *as soon as*, it governs the phrase."""
    head = sentence.words[clause].head
    above = {RELATIVE: IN_PHRASES, "advcl": ("advmod", "obj")}.get(sentence.words[clause].kind, ())
    while sentence.words[head].kind in above:
        head = sentence.words[head].head
    return head


def is_nonfinite_clause(sentence: Sentence, head: int) -> bool:
    """Whether a clause is a present participle or infinitive. It may have one marker (*to*), no auxiliary or copula."""
    features = sentence.words[head].features
    is_participle = "VerbForm=Ger" in features or {"Tense=Pres", "VerbForm=Part"} <= features
    is_nonfinite = is_participle or "VerbForm=Inf" in features
    return is_nonfinite and len(sentence.children(head, "mark")) < 2 and not sentence.children(head, "aux", "cop")
