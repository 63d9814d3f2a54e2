"""The Chinese miner for topics whose words are pronouns."""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from bvf_stanza import Lexicon, Parser, Sentence, Unfit, note_matches

from bvf import Template
from bvf.interfaces import Document, Found, Match, Miner, MiningRequest, Span
from bvf_zh.mining.chains import Chains
from bvf_zh.scripts import OTHER_SCRIPT, traditional_in

LEAST_CHARACTERS = 2
CHARACTER = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
SPACE = re.compile(r"\s+")


class ChainMiner(Miner):
    """Finds pronouns of Y that refer to a person, the subject of an earlier clause (see `Chains`).

    A match whose subject is a noun is dropped if the previous sentence has the same pronoun, as both may refer to
    somebody else; a match whose subject is that pronoun itself is kept.
    """

    libraries = ("stanza", "torch")

    def __init__(self, request: MiningRequest, parser: Parser, lexicon: Lexicon, pronouns: frozenset[str]) -> None:
        self.request, self.parser, self.lexicon = request, parser, lexicon
        self.script, self.models = lexicon.script, parser.models
        self._chains = Chains(lexicon, pronouns)
        self._pronoun = re.compile(f"[{''.join(sorted(pronouns))}](?!们)")

    def find(self, documents: Sequence[Document], /) -> Found:
        """Return every match. Sentences that cannot have one are not parsed."""
        mined = Found()
        near: list[tuple[Document, Span, frozenset[str]]] = []
        for document in documents:
            before: frozenset[str] = frozenset()
            for span in self._sentences(document.text):
                mined.sentences += 1
                text = span.of(document)
                reason = self._passed_over(text)
                if reason:
                    mined.dropped[reason] += 1
                else:
                    near.append((document, span, before))
                before = frozenset(self._pronoun.findall(text))
        mined.parsed = len(near)
        texts = [SPACE.sub(lambda space: " " * len(space[0]), span.of(document)) for document, span, _ in near]
        for (document, span, before), sentences in zip(near, self.parser.parse(texts), strict=True):
            note_matches(mined, sentences, partial(self._matches, document, span, before))
        return mined

    def _sentences(self, text: str) -> Iterator[Span]:
        """Yield the spans of sentences, split by punctuation."""
        start = 0
        for end in self.lexicon.end_of_sentence.finditer(text):
            rough = text[start : end.end()]
            inner = rough.strip()
            if len(inner) >= LEAST_CHARACTERS:
                begun = start + len(rough) - len(rough.lstrip())
                yield Span(begun, begun + len(inner))
            start = end.end()

    def _passed_over(self, text: str) -> str:
        if len(CHARACTER.findall(text)) > self.request.max_words:
            return "longer than --max-words"
        return OTHER_SCRIPT if traditional_in(text) else self._chains.passed_over(text)

    def _matches(self, document: Document, span: Span, before: frozenset[str], sentence: Sentence) -> list[Match]:
        chain = self._chains.read(sentence)
        words, phrase = sentence.words, sentence.subtree(chain.subject)
        subject, pronoun = words[chain.subject].text, words[chain.pronoun].text
        if pronoun in before and subject != pronoun:
            raise Unfit("the sentence before has the word of Y too")
        match = Match(
            template=Template(chain.text),
            document=document,
            sentence=Span(words[0].span.start, words[-1].span.stop).shifted(span.start),
            subject=Span(words[phrase[0]].span.start, words[phrase[-1]].span.stop).shifted(span.start),
            word=words[chain.pronoun].span.shifted(span.start),
            verb=chain.word,
            family=chain.family,
        )
        return [match]
