"""The Chinese miner for topics whose words are pronouns: chains of clauses, and their templates.

Links begin the later clause, openers precede the earlier one or follow its subject, times end it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bvf_stanza import Lexicon, Parser, ParsingMiner, Resolver, Sentence, Unfit, Word
from bvf_stanza.cues import name_of_cues, without_cues
from bvf_stanza.options import options_of

from bvf import Template
from bvf.interfaces import Document, Match, MiningRequest, Span
from bvf_zh.rules import CLAUSE, OTHER_SCRIPT, Chinese, traditional_in

LINKS = {
    **dict.fromkeys(("因为", "由于", "是因为", "只因", "只因为"), "cause"),
    **dict.fromkeys(("所以", "因此", "于是", "结果"), "result"),
    **dict.fromkeys(("但是", "但", "可是", "可", "然而", "不过", "只是"), "contrast"),
    **dict.fromkeys(("虽然", "尽管", "即使"), "concession"),
    **dict.fromkeys(("如果", "要是", "除非", "只要", "否则"), "condition"),
    **dict.fromkeys(("而且", "并且", "同时", "甚至", "何况", "况且", "其实"), "addition"),
    **dict.fromkeys(("好像", "似乎", "仿佛"), "seeming"),
    **dict.fromkeys(("直到", "然后", "后来"), "time"),
}
OPENERS = {
    **dict.fromkeys(("虽然", "虽", "尽管", "即使", "无论", "不管"), "concession"),
    **dict.fromkeys(("如果", "要是", "假如", "倘若", "既然", "只要", "除非", "一旦"), "condition"),
    **dict.fromkeys(("因为", "由于"), "cause"),
    **dict.fromkeys(("当", "等", "自从", "每当"), "time"),
}
TIMES = ("的时候", "时候", "时", "后", "以后", "之后", "之前", "以前")
PEOPLE = ("我们", "我", "你们", "你", "大家", "人家", "别人", "咱们", "记者", "警方")
SPOUSES = (
    *("女人", "男人", "妻子", "丈夫", "老婆", "老公", "太太", "夫人", "媳妇", "男友", "女友", "男朋友", "女朋友"),
    *("前妻", "新娘", "未婚妻", "未婚夫"),
)
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
NO_LEAD = "no verb of saying and no link leads to the word of Y"
PHRASE = re.compile("[\u4e00-\u9fffＡ-ｚA-Za-z·]{1,16}")
CHARACTER = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")


@dataclass(frozen=True)
class Lead:
    """A verb of saying (family ``reporting``) or a conjunction (``cause``, ``contrast``) before a pronoun.

    ``start`` is its position in the sentence in characters, ``text`` what the template has in its place.
    """

    start: int
    text: str
    word: str
    family: str


@dataclass(frozen=True)
class Chain:
    """A template, the indices of the subject's head and the pronoun, and the verb or conjunction and its family."""

    subject: int
    pronoun: int
    text: str
    word: str
    family: str


class Chains:
    """Finds chains of clauses in a sentence: a person, a predicate, and a pronoun that refers to the person.

    The parser finds the subject; the template consists of the words between subject and pronoun.
    """

    def __init__(self, lexicon: Lexicon, pronouns: frozenset[str]) -> None:
        self._lexicon, self._pronouns = lexicon, pronouns
        self._resolver = Resolver(lexicon)
        self.pronoun = Chinese().alone(pronouns)
        verbs = sorted(frozenset().union(*lexicon.families.values()), key=len, reverse=True)
        self._saying = re.compile(rf"(?P<verb>{'|'.join(verbs)}){ASPECT}(?P<told>{'|'.join(PEOPLE)})?，?$")

    def read(self, sentence: Sentence) -> Chain:
        """Return the first chain of a sentence. Raises `Unfit` with the rule that excludes its first pronoun."""
        if QUESTION.search(_text(sentence.words)):
            raise Unfit("a question")
        reasons: list[Unfit] = []
        for pronoun in self._taking_up(sentence):
            try:
                return self._chain(sentence, pronoun)
            except Unfit as unfit:
                reasons.append(unfit)
        raise reasons[0] if reasons else Unfit("no word of Y begins a later clause")

    def passed_over(self, text: str) -> str:
        """Return the rule by which a sentence is skipped without parsing; empty if it must be parsed."""
        starts = [text[: pronoun.start()] for pronoun in self.pronoun.finditer(text, 1)]
        if not starts:
            return "no word of Y after a subject"
        for before in starts:
            lead = self.lead(before)
            if lead and (lead.family or any(opener in before for opener in OPENERS)):
                return ""
        return NO_LEAD

    def lead(self, before: str) -> Lead | None:
        """Return the lead at the end of ``before``; None if there is none. ``before`` is the text left of a pronoun."""
        if link := LEAD.search(before):
            word = link["link"].replace("象", "像")
            return Lead(link.start(), f"，{word}", word, LINKS[word])
        if saying := self._saying.search(before):
            verb, told = saying["verb"], saying["told"] or ""
            family = self._lexicon.family(verb)
            if (told and verb not in self._lexicon.addressing) or (before.endswith("，") and family == "perceiving"):
                return None
            return Lead(saying.start(), verb + told, verb, family)
        if before.endswith("，"):
            time = TIME.search(before)
            return Lead(len(before) - 1, "，", time["time"] if time else "", "time" if time else "")
        return None

    def _taking_up(self, sentence: Sentence) -> Iterator[int]:
        """The pronouns inside the sentence that are subjects or possess one. Those in relative clauses are left out."""
        for index, word in enumerate(sentence.words[1:-1], start=1):
            if word.text not in self._pronouns or sentence.words[index + 1].tag == "PUNCT":
                continue
            owns = word.kind in ("nmod", "det") and index < word.head
            subject = sentence.words[word.head] if owns else word
            if subject.kind == "nsubj" and sentence.words[subject.head].kind != "acl":
                yield index

    def _chain(self, sentence: Sentence, pronoun: int) -> Chain:
        text = _text(sentence.words)
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
        """The subject, if it is the only person before the pronoun: a noun, a name, or the same pronoun."""
        quotes = (*self._lexicon.opening, *self._lexicon.closing, "：", ":")
        if any(word.text in quotes for word in sentence.words[1:pronoun]):
            raise Unfit("a quotation begins or ends before the word of Y")
        same = sentence.words[pronoun].text
        persons = [mention.head for mention in self._resolver.mentions(sentence, pronoun)]
        persons += [index for index in range(pronoun) if _is_somebody(sentence, index)]
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
        gender = self._resolver.gender(sentence, candidates[0])
        if {*persons, *like} != {candidates[0]} or gender not in (None, self._lexicon.pronouns[same]):
            raise Unfit("the word of Y need not mean the subject")
        return candidates[0]

    def _why_no_person(self, sentence: Sentence, subjects: list[int]) -> str:
        nouns = [index for index in subjects if sentence.words[index].tag in self._lexicon.noun_tags]
        if not nouns:
            return "the subject is not a noun"
        several = any(self._resolver.is_plural(sentence, index) for index in nouns)
        return "the subject is several" if several else "the subject is not a person"

    def _opener(self, sentence: Sentence, first: int, before: str) -> str:
        """The conjunction left of the subject, or empty. Refuses other words there than adverbs and earlier clauses."""
        if opener := OPENER.search(before):
            return opener["opener"]
        loose = sentence.words[:first]
        loose = loose[1:] if loose and loose[0].text in self._lexicon.opening else loose
        while loose and loose[-1].tag in ("ADV", "CCONJ", "SCONJ"):
            loose = loose[:-1]
        if loose and loose[-1].text != "，":
            raise Unfit("something else stands before the subject")
        return ""

    def _refuse_another(self, sentence: Sentence, between: range, lead: Lead, *, taken_up: bool) -> None:
        """Raise `Unfit` if another pronoun becomes the subject before this one, or if a name or number occurs."""
        for index in between:
            word = sentence.words[index]
            if word.tag == "PROPN" or any(char.isdigit() for char in word.text):
                raise Unfit("a name or number in the predicate")
            is_new = word.kind in ("nsubj", "csubj") and word.tag == "PRON" and _stop(sentence, index) <= lead.start
            if is_new and not (taken_up and "，" not in _text(sentence.words[between.start : index])):
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
        perceives = lead.family == "perceiving" and not (taken_up or NEGATION.search(middle))
        if perceives or (lead.word in self._lexicon.addressing and lead.text == lead.word):
            raise Unfit("no verb of saying or thinking governs the clause of the word of Y")

    def _refuse_cues(self, sentence: Sentence, phrase: set[int], pronoun: int) -> None:
        """Raise `Unfit` if a word other than subject and pronoun reveals the gender."""
        for index, word in enumerate(sentence.words):
            if index in phrase or index == pronoun:
                continue
            has_gender = self._lexicon.gender(word.text) and (index < pronoun or sentence.children(index, "cop"))
            if has_gender or word.text in self._lexicon.cues or (index > pronoun and word.text in SPOUSES):
                raise Unfit("another word tells of Y")


def _is_somebody(sentence: Sentence, index: int) -> bool:
    """Whether a word is 人 in the sense of somebody: 一个人."""
    phrase = "".join(sentence.words[place].text for place in sentence.subtree(index))
    return sentence.words[index].text == "人" and phrase.startswith(("一个人", "有个人", "某个人"))


def _is_noun_phrase(sentence: Sentence, words: tuple[int, ...]) -> bool:
    """Whether words are contiguous, end with the noun, and include no auxiliary or punctuation."""
    is_together = words[-1] - words[0] < len(words)
    has_noun = sentence.words[words[-1]].kind in ("nsubj", "flat", "appos")
    return is_together and has_noun and not any(sentence.words[index].tag in ("AUX", "PUNCT") for index in words)


def _opener_in(text: str) -> str:
    """The conjunction in the text after a subject. One of a single character (当, 等) counts only at its start."""
    return next((word for word in OPENERS if text.startswith(word) or (len(word) > 1 and word in text)), "")


def _text(words: Sequence[Word]) -> str:
    return "".join(word.text for word in words)


def _start(sentence: Sentence, index: int) -> int:
    return len(_text(sentence.words[:index]))


def _stop(sentence: Sentence, index: int) -> int:
    return _start(sentence, index + 1)


class ChainMiner(ParsingMiner[frozenset[str]]):
    """Finds pronouns of Y that refer to a person, the subject of an earlier clause (see `Chains`).

    A match whose subject is a noun is dropped if the previous sentence has the same pronoun, as both may refer to
    somebody else; a match whose subject is that pronoun itself is kept.
    """

    libraries = ("stanza", "torch")
    spaces = re.compile(r"\s")

    def __init__(self, request: MiningRequest, parser: Parser, lexicon: Lexicon, pronouns: frozenset[str]) -> None:
        super().__init__(request, parser, lexicon)
        self.cues = name_of_cues(request.topic.language, lexicon)
        self._chains = Chains(lexicon, pronouns)

    def looked_at(self, document: Document) -> Iterator[tuple[Span, str, frozenset[str]]]:
        """Yield the rough sentences with the pronouns of the sentence before."""
        before: frozenset[str] = frozenset()
        for span in self.lexicon.rough_sentences(document.text):
            text = span.of(document)
            yield span, self._passed_over(text), before
            before = frozenset(self._chains.pronoun.findall(text))

    def _passed_over(self, text: str) -> str:
        if len(CHARACTER.findall(text)) > self.request.max_words:
            return "longer than --max-words"
        return OTHER_SCRIPT if traditional_in(text) else self._chains.passed_over(text)

    def matches_in(self, document: Document, span: Span, known: frozenset[str], sentence: Sentence) -> list[Match]:
        """Return the match in a sentence, or raise `Unfit`; ``known`` are the pronouns of the sentence before."""
        chain = self._chains.read(sentence)
        subject, pronoun = sentence.words[chain.subject].text, sentence.words[chain.pronoun].text
        if pronoun in known and subject != pronoun:
            raise Unfit("the sentence before has the word of Y too")
        match = Match(
            template=Template(chain.text),
            document=document,
            sentence=sentence.span().shifted(span.start),
            subject=sentence.phrase(chain.subject).shifted(span.start),
            word=sentence.words[chain.pronoun].span.shifted(span.start),
            verb=chain.word,
            family=chain.family,
        )
        return without_cues([match], self.lexicon, options_of(self.request))
