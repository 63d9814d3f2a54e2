"""Miners over dependency trees: the code that all languages share."""

import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Generic, TypeVar

from bvf import Template
from bvf.interfaces import Document, Found, Match, Miner, MiningRequest, Span
from bvf_stanza.attributes import Attributes
from bvf_stanza.belief import JUST_BEFORE
from bvf_stanza.cues import name_of_cues, without_cues
from bvf_stanza.lexicon import NO_NAMES, WORD, Lexicon, names_in
from bvf_stanza.options import options_of
from bvf_stanza.reader import Reader, Reading
from bvf_stanza.resolver import ByChains, Resolver
from bvf_stanza.sieve import Sieve
from bvf_stanza.tree import Grammar, Parser, Sentence, Unfit, note_matches

CHARACTERS_BEFORE = 400
LONGEST_TITLE = 20
PASSAGE = 5_000
ANIMALS_IN_A_PASSAGE = 14
BEFORE = "before the noun"
T = TypeVar("T")


class ParsingMiner(Miner, Generic[T]):
    """Parses the sentences that may have a match. Implement `looked_at` and `matches_in`.

    ``spaces`` finds the white space that is a space for the parser.
    """

    spaces = re.compile("[\n\r]")

    def __init__(self, request: MiningRequest, parser: Parser, lexicon: Lexicon) -> None:
        self.request, self.parser, self.lexicon = request, parser, lexicon
        self.script, self.models = lexicon.script, parser.models

    def find(self, documents: Sequence[Document], /) -> Found:
        """Return every match. Sentences that cannot have one are not parsed."""
        mined = Found()
        near: list[tuple[Document, Span, T]] = []
        for document in documents:
            for span, reason, known in self.looked_at(document):
                mined.sentences += 1
                if reason:
                    mined.dropped[reason] += 1
                else:
                    near.append((document, span, known))
        mined.parsed = len(near)
        texts = [self.spaces.sub(" ", span.of(document)) for document, span, _ in near]
        for (document, span, known), sentences in zip(near, self.parser.parse(texts), strict=True):
            note_matches(mined, sentences, partial(self.matches_in, document, span, known))
        return mined

    @abstractmethod
    def looked_at(self, document: Document) -> Iterator[tuple[Span, str, T]]:
        """Yield each rough sentence, the rule by which it is not parsed (empty: it is), and what `matches_in` needs."""

    @abstractmethod
    def matches_in(self, document: Document, span: Span, known: T, sentence: Sentence) -> list[Match]:
        """Return the matches in a parsed sentence of a rough one, or raise `Unfit`."""


class TreeMiner(ParsingMiner[Reader]):
    """Finds answer words (*she*) that refer to their sentence's subject, or every predicate of a person.

    It finds pronouns if words of the topic's classes are subject pronouns of the language, else predicates, with or
    without a word of Y before the subject.
    """

    def __init__(self, request: MiningRequest, parser: Parser, lexicon: Lexicon, grammar: Grammar) -> None:
        super().__init__(request, parser, lexicon)
        self._grammar, self.libraries = grammar, ("stanza", "torch", "lemminflect")
        options = options_of(request)
        self._resolver = ByChains if options.coref else Resolver
        self.resolver = self._resolver(lexicon)
        listed = {word.lower() for words in request.topic.counted_words().values() for word in words}
        self.pronouns = frozenset(listed & set(lexicon.subject_pronouns))
        self.cues = name_of_cues(request.topic.language, lexicon) if self.pronouns else ""
        self.attributes = Attributes(listed, lexicon, options.attribute)
        least = 0.0 if options.coref else request.min_confidence
        self.sieve = Sieve(lexicon, self.pronouns, self.attributes, request.max_words, least)
        self._reads_well: dict[str, bool] = {}

    def find(self, documents: Sequence[Document], /) -> Found:
        """Return every match of which the template reads well."""
        return self._only_grammatical(super().find(documents))

    def looked_at(self, document: Document) -> Iterator[tuple[Span, str, Reader]]:
        """Yield the rough sentences with a reader that knows the names in the document."""
        known = names_in(document.text, self.lexicon) if self.lexicon.spaced else NO_NAMES
        reader = Reader(self._resolver(self.lexicon, known), self._grammar, self.pronouns, self.attributes)
        for span in self.lexicon.rough_sentences(document.text):
            text = span.of(document)
            reason = self.sieve.passed_over(text) or self.sieve.means_nobody(
                text, _words_before(document.text, span.start), known
            )
            yield span, reason, reader

    def matches_in(self, document: Document, span: Span, known: Reader, sentence: Sentence) -> list[Match]:
        """Return the matches of at least ``min_confidence``, one per subject. Raises `Unfit` if there is none."""
        before = _words_before(document.text, span.start + sentence.words[0].span.start)
        least = self.request.min_confidence
        sure = [
            reading
            for reading in known.readings(sentence, before)
            if (1.0 if reading.belief is None else reading.belief.confidence) >= least
        ]
        if not sure:
            raise Unfit("the word of Y need not mean the subject")
        around = document.text[max(span.start - PASSAGE, 0) : span.start + PASSAGE]
        if sum(word.lower() in self.lexicon.animals for word in WORD.findall(around)) >= ANIMALS_IN_A_PASSAGE:
            raise Unfit("the subject may be an animal")
        for reading in sure:
            self._refuse_what_is_cut_off(document.text, span.start, sentence, reading)
        matches = [self._match(document, span, sentence, reading) for reading in sure]
        return without_cues(matches, self.lexicon, options_of(self.request)) if self.pronouns else matches

    def _match(self, document: Document, span: Span, sentence: Sentence, reading: Reading) -> Match:
        draft, belief = reading.draft, reading.belief
        first = reading.word if reading.first is None else reading.first
        match = Match(
            template=Template(draft.text),
            document=document,
            sentence=sentence.span().shifted(span.start),
            subject=sentence.phrase(reading.subject).shifted(span.start),
            word=sentence.span(first, reading.word).shifted(span.start),
            verb=draft.verb,
            family=self.lexicon.family(draft.verb),
            tense=draft.tense,
        )
        if belief is None:
            return match if reading.first is None else replace(match, rule=f"{BEFORE}, {reading.link}")
        return replace(
            match,
            confidence=belief.confidence,
            rule=f"{belief.subject}, {reading.link}",
            distance=belief.distance,
            competitors=belief.competitors + belief.earlier,
        )

    def _refuse_what_is_cut_off(self, text: str, begin: int, sentence: Sentence, reading: Reading) -> None:
        """Raise `Unfit` if the parser cut off a title (*Mr.*), unless only that title is lost and fits the pronoun."""
        start = begin + sentence.words[0].span.start
        before = text[max(start - LONGEST_TITLE, 0) : start].split()
        title = before[-1].lower().rstrip(".") if before and before[-1].endswith(".") else ""
        if title not in self.lexicon.short_titles:
            return
        meant = self.lexicon.pronoun_gender(sentence.words[reading.word].text)
        is_alone = len(text[begin:start].split()) == 1
        if not is_alone or reading.subject or self.lexicon.titles.get(title) not in (meant, "any"):
            raise Unfit("the sentence is cut off")

    def _only_grammatical(self, mined: Found) -> Found:
        """Drop the matches whose filled template does not have [X] as the subject. Each template is parsed once."""
        new = sorted({match.template.text for match in mined.matches} - self._reads_well.keys())
        filled = {template: self._grammar.filled(template) for template in new}
        parsed_again = [template for template in new if filled[template]]
        self._reads_well |= dict.fromkeys(new, True)
        parsed = self.parser.parse([filled[template] for template in parsed_again])
        for template, sentences in zip(parsed_again, parsed, strict=True):
            self._reads_well[template] = len(sentences) == 1 and self._grammar.reads_as_filled(sentences[0])
        kept = [match for match in mined.matches if self._reads_well[match.template.text]]
        if len(kept) < len(mined.matches):
            mined.dropped["the template reads as something else"] += len(mined.matches) - len(kept)
        return replace(mined, matches=kept)


def _words_before(text: str, place: int) -> list[str]:
    return WORD.findall(text[max(place - CHARACTERS_BEFORE, 0) : place])[-JUST_BEFORE:]
