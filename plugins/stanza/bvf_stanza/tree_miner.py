"""A miner over dependency trees: what is the same in every language."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bvf.domain.context import Template
from bvf.interfaces.miner import Document, Found, Match, Miner, MiningRequest, Span
from bvf_stanza.lexicon import Lexicon
from bvf_stanza.options import options_of
from bvf_stanza.parser import Parser
from bvf_stanza.resolver import ByChains, Resolver
from bvf_stanza.tree import Sentence

LINKS = ("ccomp", "advcl", "conj")
LEAST_CHARACTERS = 2
LIBRARIES = ("stanza", "torch", "lemminflect")
LEAST_WORDS = 3


class Unfit(Exception):
    """A sentence gives no template; says by which rule, in a few words that name no word of the sentence."""

    @property
    def rule(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Draft:
    """A template as a grammar writes it, with what it is made of: `Match` has the same fields."""

    text: str
    verb: str
    tense: str


class Grammar(ABC):
    """How a language writes what is left of a sentence. Implement `write` and nothing else."""

    @abstractmethod
    def write(self, sentence: Sentence, subject: int, clause: int | None) -> Draft:
        """Return the template of a sentence.

        Args:
            sentence: As it was parsed.
            subject: Head of the subject of its main clause.
            clause: Head of the later clause that ``[Y]`` begins; None: the predicate is kept, ``[Y]`` behind it.

        Raises:
            Unfit: The sentence cannot be written so that it says nothing of Y.
        """


class TreeMiner(Miner):
    """Finds the pronouns of Y that mean the subject of their sentence, or every predicate of a person.

    The shape is *pronoun* if words of the topic's classes are pronouns of the language, else *predicate*.
    """

    def __init__(self, request: MiningRequest, parser: Parser, lexicon: Lexicon, grammar: Grammar) -> None:
        self.request, self.parser, self.lexicon, self._grammar = request, parser, lexicon, grammar
        self.script, self.models, self.libraries = lexicon.script, parser.models, LIBRARIES
        self.resolver = Resolver(lexicon)
        self._antecedent = (ByChains(self.resolver) if options_of(request).coref else self.resolver).antecedent
        listed = {word.lower() for words in request.topic.counted_words().values() for word in words}
        self.pronouns = frozenset(listed & set(lexicon.subject_pronouns))
        self._reads_predicates = not self.pronouns
        self._verbs = frozenset().union(*lexicon.families.values())

    def find(self, documents: Sequence[Document], /) -> Found:
        """Return every match: sentences that cannot have one are passed over before they are parsed."""
        found = Found()
        near: list[tuple[Document, Span]] = []
        for document in documents:
            before = ""
            for span in self.rough_sentences(document.text):
                found.sentences += 1
                text = span.of(document)
                reason = self.passed_over(text) or self._goes_on(before, text)
                before = text
                if reason:
                    found.dropped[reason] += 1
                else:
                    near.append((document, span))
        found.parsed = len(near)
        texts = [_on_one_line(span.of(document)) for document, span in near]
        for (document, span), sentences in zip(near, self.parser.parse(texts), strict=True):
            self._read(document, span, sentences, found)
        return found

    def rough_sentences(self, text: str) -> Iterator[Span]:
        """Yield where sentences are, by their punctuation alone; the parser looks again at those that count."""
        start = 0
        for end in self.lexicon.end_of_sentence.finditer(text):
            yield from _trimmed(text, start, end.end())
            start = end.end()
        yield from _trimmed(text, start, len(text))

    def passed_over(self, text: str) -> str:
        """Return the rule by which a sentence need not be parsed; empty if it must be."""
        words = WORD.findall(text)
        if len(words) > self.request.max_words:
            return "longer than --max-words"
        if len(words) < LEAST_WORDS:
            return "no subject and predicate"
        if not self.lexicon.any_clause and words[0].lower() in self.lexicon.other_pronouns:
            return "begins with a pronoun"
        if self._reads_predicates:
            return self._without_person(words) if self.lexicon.spaced else ""
        if not any(_uncontracted(word) in self.pronouns for word in words[1:]):
            return "no word of Y behind a subject"
        if self.lexicon.any_clause:
            return "" if any(verb in text for verb in self._verbs) else "no verb of saying or thinking"
        return self._far_from_a_match(words)

    def _far_from_a_match(self, words: list[str]) -> str:
        """The rule by which the order of words alone forbids a match; empty if it does not.

        A person must stand before any pronoun that could be the subject, and behind it a word of Y that is a subject
        itself, or follows a word that leads to a clause (*that her*).
        """
        reason = self._without_person(words)
        if reason:
            return reason
        lexicon, lowered = self.lexicon, [_uncontracted(word) for word in words]
        begins_clause = any(
            word in self.pronouns and (word in lexicon.nominatives or before in lexicon.links)
            for before, word in list(pairwise(lowered))[self._first_person(words) :]
        )
        return "" if begins_clause else "no word of Y begins a later clause"

    def _without_person(self, words: list[str]) -> str:
        """The rule by which no person can be the subject; empty if one can."""
        before = words[: self._first_person(words)]
        if len(before) == len(words) or any(_uncontracted(word) in self.lexicon.nominatives for word in before):
            return "no person stands where a subject could"
        return ""

    def _first_person(self, words: list[str]) -> int:
        return next((place for place, word in enumerate(words) if self._may_be_person(word)), len(words))

    def _may_be_person(self, word: str) -> bool:
        lower = word.lower()
        if self.lexicon.is_person(lower):
            return True
        return word[0].isupper() and lower not in self.lexicon.openers and word not in self.lexicon.no_persons

    def _goes_on(self, before: str, text: str) -> str:
        """The rule by which a pronoun may mean somebody of the sentence before; empty if it need not."""
        if self._reads_predicates or not self.lexicon.fresh_pronouns:
            return ""
        own, earlier = ({word.lower() for word in WORD.findall(part)} & self.pronouns for part in (text, before))
        return "the sentence before has the word of Y too" if own & earlier else ""

    def _read(self, document: Document, span: Span, sentences: Sequence[Sentence], found: Found) -> None:
        """Note what comes of a rough sentence: of the parser's sentences in it, one may have a match."""
        rules = []
        for sentence in sentences:
            try:
                found.matches.append(self._match(document, span, sentence))
            except Unfit as unfit:
                rules.append(unfit.rule)
        if len(rules) == len(sentences) and rules:
            found.dropped[rules[0]] += 1

    def _match(self, document: Document, span: Span, sentence: Sentence) -> Match:
        reasons: list[Unfit] = []
        for subject in self.subjects(sentence):
            try:
                self.refuse_other_than_one_person(sentence, subject)
                word, draft = (
                    self._predicate(sentence, subject) if self._reads_predicates else self._pronoun(sentence, subject)
                )
            except Unfit as unfit:
                reasons.append(unfit)
                continue
            return Match(
                template=Template(draft.text),
                document=document,
                sentence=Span(sentence.words[0].span.start, sentence.words[-1].span.stop).shifted(span.start),
                subject=self.phrase(sentence, subject).shifted(span.start),
                word=sentence.words[word].span.shifted(span.start),
                verb=draft.verb,
                family=self.lexicon.family(draft.verb),
                tense=draft.tense,
            )
        raise reasons[0] if reasons else Unfit("no subject before its verb")

    def _predicate(self, sentence: Sentence, subject: int) -> tuple[int, Draft]:
        if sentence.words[subject].tag == "PROPN" and not self.resolver.gender(sentence, subject):
            raise Unfit("the subject is no person")
        return sentence.words[subject].head, self._grammar.write(sentence, subject, None)

    def _pronoun(self, sentence: Sentence, subject: int) -> tuple[int, Draft]:
        pronoun, clause = self.later_pronoun(sentence, subject)
        self.refuse_other_cues(sentence, subject, pronoun)
        return pronoun, self._grammar.write(sentence, subject, clause)

    def subjects(self, sentence: Sentence) -> list[int]:
        """Return the heads of the subjects before their verbs: of the main clause, or of any (`Lexicon.any_clause`)."""
        verbs = range(len(sentence.words)) if self.lexicon.any_clause else sentence.roots()
        return [index for verb in verbs for index in sentence.children(verb, "nsubj") if index < verb]

    def refuse_other_than_one_person(self, sentence: Sentence, subject: int) -> None:
        """Raise `Unfit` where a subject is no noun, several, or no person."""
        word = sentence.words[subject]
        if word.tag not in self.lexicon.noun_tags:
            raise Unfit("the subject is no noun")
        if self.resolver.is_plural(sentence, subject) or self.resolver.is_joined(sentence, subject):
            raise Unfit("the subject is several")
        if not self.resolver.is_person(sentence, subject):
            raise Unfit("the subject is no person")

    def later_pronoun(self, sentence: Sentence, subject: int) -> tuple[int, int]:
        """Return the first word of Y in a later clause, and the head of that clause.

        Raises:
            Unfit: There is none, it does not begin its clause, or it need not mean the subject.
        """
        anchors = self.anchors(sentence, sentence.words[subject].head)
        for index in range(subject + 1, len(sentence.words)):
            if sentence.words[index].text.lower() not in self.pronouns:
                continue
            clause = self._clause_begun(sentence, index)
            if clause is None:
                continue
            self.refuse_doubt_between(sentence, subject, index)
            link = sentence.words[clause]
            if link.head not in anchors or link.kind not in LINKS or index < link.head:
                raise Unfit("the word of Y is in no clause of the main verb")
            if self._antecedent(sentence, index) != subject:
                raise Unfit("the word of Y need not mean the subject")
            return index, clause
        raise Unfit("no word of Y begins a later clause")

    def refuse_doubt_between(self, sentence: Sentence, subject: int, pronoun: int) -> None:
        """Raise `Unfit` where a quotation begins or ends before a pronoun, or one like it stands before: *told her*."""
        meant = self.lexicon.pronouns[sentence.words[pronoun].text.lower()]
        for word in sentence.words[subject + 1 : pronoun]:
            if word.text in (*self.lexicon.opening, *self.lexicon.closing, *self.lexicon.toggling):
                raise Unfit("a quotation begins or ends before the word of Y")
            told = self.lexicon.pronouns.get(word.text.lower())
            if told == meant and word.kind in ("obj", "iobj", "obl"):
                raise Unfit("the word of Y need not mean the subject")

    def anchors(self, sentence: Sentence, root: int) -> list[int]:
        """Return the verbs that share the subject of the root: itself, and those joined to it or governed by it."""
        found = [root]
        for verb in found:
            found.extend(
                child
                for child in sentence.children(verb, "conj", "xcomp")
                if not sentence.children(child, "nsubj", "csubj")
            )
        return found

    def refuse_other_cues(self, sentence: Sentence, subject: int, pronoun: int) -> None:
        """Raise `Unfit` where something besides subject and pronoun tells of Y.

        Behind the pronoun, where no template reaches, that is a cue of the lexicon, what the subject is said to be
        (*that she was a widow*), and whose it is (*that he had left his wife*).
        """
        own = set(sentence.subtree(subject))
        for index, word in enumerate(sentence.words):
            if index in own or index == pronoun:
                continue
            lower = word.text.lower()
            if lower in self.lexicon.cues or (
                self.lexicon.gender(word.lemma.lower())
                and (index < pronoun or self._is_of_the_subject(sentence, index))
            ):
                raise Unfit("another word tells of Y")

    def _is_of_the_subject(self, sentence: Sentence, noun: int) -> bool:
        """Whether a noun is said of somebody, or belongs to a person who is called by a pronoun."""
        owners = (sentence.words[child].text.lower() for child in sentence.children(noun, "nmod", "det"))
        return bool(sentence.children(noun, "cop")) or any(owner in self.lexicon.pronouns for owner in owners)

    def phrase(self, sentence: Sentence, head: int) -> Span:
        """Return where a noun stands with all that belongs to it."""
        words = sentence.subtree(head)
        return Span(sentence.words[words[0]].span.start, sentence.words[words[-1]].span.stop)

    def _clause_begun(self, sentence: Sentence, index: int) -> int | None:
        """The head of the clause whose subject a pronoun is, or owns."""
        word = sentence.words[index]
        if word.kind == "nsubj":
            return word.head
        owned = sentence.words[word.head] if word.kind == "nmod" or word.relation == "det:poss" else None
        return owned.head if owned is not None and owned.kind == "nsubj" and index < word.head else None


HAN = "\u3400-\u9fff"
APOSTROPHE = re.compile("[\u2019']")
WORD = re.compile(rf"[{HAN}]|[^\W_{HAN}]+(?:[\u2019'][^\W_{HAN}]+)?")


def _uncontracted(word: str) -> str:
    """A word in lower case without what is pulled into it: *he* of *he's*."""
    return APOSTROPHE.split(word.lower(), maxsplit=1)[0]


def _trimmed(text: str, start: int, stop: int) -> Iterator[Span]:
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    if stop - start >= LEAST_CHARACTERS:
        yield Span(start, stop)


def _on_one_line(text: str) -> str:
    return text.replace("\n", " ").replace("\r", " ")
