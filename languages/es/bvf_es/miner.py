"""A miner of rules: it finds clauses in which a word says the gender of a person, without a parser.

The words of the topic decide the shape: an adjective or participle (*la criada estaba cansada*), or the article
(*entonces entró el médico*). For pronouns rules find too little: see the README of the pack.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files

from bvf import BvfError, Template
from bvf.files import parse_toml, read_text
from bvf.interfaces import Document, Found, Match, Miner, MiningRequest, Span
from bvf_es.rules import FUNCTION_WORD, Spanish, plural

LEXICON = parse_toml(read_text(files(__package__) / "mining.toml"), "mining.toml")
WORDS: dict[str, str] = LEXICON["words"]
PAIRS = [pair.split("/") for pair in LEXICON["persons"].split()]
GENDER = {noun: gender for pair in PAIRS for noun, gender in zip(pair, "mf", strict=True)}
NOUNS = {*GENDER, *LEXICON["common"].split()}
PERSONS = {*NOUNS, *map(plural, NOUNS), *LEXICON["others"].split()}
CUES, DATED = {*LEXICON["cues"].split()}, {*LEXICON["dated"].split()}
VERBS = {form: verb for verb, forms in LEXICON["verbs"].items() for form in forms.split()}
SAID_OF_ANYBODY = {"ser"}
"""Verbs after which words of other topics stand, such as *viejo*, and hardly *cansado*."""
ARTICLES = {
    **dict.fromkeys(("el", "al", "del", "un", "aquel", "este", "ese", "él"), "m"),
    **dict.fromkeys(("la", "a la", "de la", "una", "aquella", "esta", "esa", "ella"), "f"),
}
"""The gender of what stands before a noun, and of pronouns."""
ENDINGS = {"o": "m", "a": "f"}
POSSESSIVES = {"su", "mi", "cada"}
AS_MASCULINE = {"la": "el", "una": "un", **dict.fromkeys(("este", "ese", "aquel", "esta", "esa", "aquella"), "el")}
NAME = "(?:[Dd]on |[Dd]oña )?[A-ZÁÉÍÓÚ][a-záéíóúñ]+(?: [A-ZÁÉÍÓÚ][a-záéíóúñ]+)?"
GOVERNED = re.compile(rf"\b(?:{WORDS['prepositions']}) $", re.I)
BEFORE_NAMES = re.compile(rf"(?:^|, |\b(?:{WORDS['before names']}|{WORDS['finite']}|\w+(?:ó|aba)) )$", re.I)
CLAUSE = re.compile(r"(?P<opens>[¿¡]?)(?P<text>[^.!?…;:\n—\u2013«»\"“”()\[\]¡¿_*]+)(?P<ends>[?!]?)")
JOINED = re.compile(rf"[\s,-]*(?:(?:{WORDS['joins']})\b[\s,]*)*", re.IGNORECASE)
WORD = re.compile(r"[^\W_]+")
PARTICIPLE = r"(?!(?:cuidado|estado|pasado|lado|rápido)\b)\w{2,}(?:ad|id|uest|ech|iert|uelt)[oa]"
POINTING = "(?:[eé]s(?:t?[ea])|aquel(?:la)?)(?= (?:es|era|fue|que))"
AGREES = re.compile(rf"(?<!\w)(?P<before>\w+ )?(?P<word>{PARTICIPLE}s?|\w+os[oa]s?|{WORDS['agreeing']}|{POINTING})\b")
NOT_OF_THE_PERSON = re.compile(
    "(?:ha|han|he|hemos|había|habían|hubo|habrá|haber|[ad]?el|al|la|una?|su|mi|de|en|con|a) "
)
ANOTHER = re.compile(r"\b(?:él|ellos|ellas?|les?)\b|\b(?:lo|la|los|las) \w+(?:ó|aba|ía|aron|ieron|aban|ían)\b")
OLD_FORM = re.compile(
    r"\b\w+(?:ó|[aá]ban?|ían?|aron|ieron|é|[aeáé]ndo|i?[ae]ra|iese)(?:se|les?|l[oa]s?|me|nos)\b|\b\w{3,}ose\b"
)
NOT_COPIED = re.compile(r"\d|\s-|-\s|(?<!^)[A-ZÁÉÍÓÚÑ]")
FINITE = rf"(?:{WORDS['finite']}|\w+(?:ó|aron|ieron|aban|\w\w+aba|(?<!qu)é))"
NO_NAME = re.compile(rf"{FUNCTION_WORD.pattern}|{FINITE}|{WORDS['before names']}|\w+mente", re.IGNORECASE)
END = rf"(?=,|$| (?:{WORDS['after']})\b)"
ADVERBS = rf"(?: (?:{WORDS['adverbs']}|\w+mente))*"
MOST_WORDS, EACH_WORD = 12, 0.01


class Unfit(Exception):
    """The reason why a clause makes no template."""


def either(words: Iterable[str]) -> str:
    """Return an expression for any of these words, the longest first."""
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))})"


def gender_of(word: str) -> str:
    """Return m or f for a word of a topic, and nothing for one that has one form.

    >>> [gender_of(word) for word in ("cansada", "al", "a la", "joven")]
    ['f', 'm', 'f', '']
    """
    return ARTICLES.get(word) or ENDINGS.get(word[-1], "")


class RuleMiner(Miner):
    """Finds the templates of one topic. A second person, a name or another word that agrees excludes a clause."""

    script = "LATIN"
    models = "rules"
    cues = "bvf_es/mining.toml"

    def __init__(self, request: MiningRequest) -> None:
        self._most, self._least = request.max_words, request.min_confidence
        self._forms = bool(request.topic.words_agree_with)
        words = {word for listed in request.topic.counted_words().values() for word in listed}
        if words & {"él", "ella"}:
            raise BvfError("the miner of rules finds no pronouns", "topics of adjectives, or gender-article")
        self._article = words <= {*ARTICLES}
        self._shapes = dict(article_shape(words) if self._article else self._predicates(words))

    def _predicates(self, words: set[str]) -> Iterator[tuple[str, re.Pattern[str]]]:
        """Yield the shapes of an adjective. Where the classes are the genders, every adjective is a word of Y."""
        verbs = either(form for form, verb in VERBS.items() if self._forms or verb not in SAID_OF_ANYBODY)
        asked = either({*words, *(Spanish().word_form(word, {"gender": "feminine"}) for word in words)})
        of_gender = not self._forms and all(map(gender_of, words))
        asked = f"(?:{asked}|(?:{WORDS['adjectives']})[oa])" if of_gender else asked
        self._of_people = re.compile(asked)
        asked = f"(?:{asked}|{PARTICIPLE})" if of_gender else asked
        articles = either({*POSSESSIVES, *ARTICLES} - {"él", "ella"} - (set() if self._forms else {"un", "una"}))
        noun = f"(?P<article>(?i:{articles})) (?P<noun>{either(NOUNS)})"
        person = rf"\b(?P<subject>{noun}|{NAME}|(?i:él|ella))\b"
        word, verb = rf"{ADVERBS} (?P<word>{asked}){END}", f"(?P<verb>(?i:{verbs}))"
        yield "subject first", re.compile(rf"{person}(?:, [^,]+,)?(?: (?:{WORDS['clitics']}))* {verb}{word}")
        yield "verb first", re.compile(rf"\b{verb} {person}{word}")
        yield "apposition", re.compile(rf"\b(?i:{FINITE}) {person},{word}")

    def find(self, documents: Sequence[Document], /) -> Found:
        """Return every match, and how many clauses each rule drops."""
        found = Found()
        for document in documents:
            for clause in CLAUSE.finditer(document.text):
                found.sentences += bool(clause["text"].strip())
                try:
                    found.matches.extend(self._matches(document, clause))
                except Unfit as unfit:
                    found.dropped[str(unfit)] += 1
        found.parsed = found.sentences
        return found

    def _matches(self, document: Document, clause: re.Match[str]) -> Iterator[Match]:
        """Yield the match of the first shape that a clause has. Raises `Unfit` if it has one and cannot be used."""
        skipped = JOINED.match(clause["text"])
        begin = skipped.end() if skipped else 0
        text, start = clause["text"][begin:], clause.start("text") + begin
        tried = ((name, shape.search(text)) for name, shape in self._shapes.items())
        name, found = next((each for each in tried if each[1]), ("", None))
        if found is None:
            return
        if clause["opens"] or clause["ends"]:
            raise Unfit("a question or an exclamation")
        if self._article:
            before, between = text[: found.start("word")], ""
            made = f"{before}[Y] [X]"
        else:
            before, between = text[: found.start("subject")], text[found.end("subject") : found.start("word")]
            made = f"{before}{self._standing(found)} [X]{between}[Y]"
            subject(before, found)
            if not (found["article"] or self._of_people.fullmatch(found["word"])):
                raise Unfit("a word that is said of places too")
        nothing_tells(before, between)
        names(text, found, document)
        distance = len(WORD.findall(between))
        confidence = 1 - EACH_WORD * distance
        if len(text.split()) > self._most or len(made.split()) > MOST_WORDS or confidence < self._least:
            raise Unfit("too long")
        yield Match(
            template=Template(respelled(made)),
            document=document,
            sentence=Span(start, clause.end("text")),
            subject=Span(*found.span("subject")).shifted(start),
            word=Span(*found.span("word")).shifted(start),
            verb=VERBS.get(found.groupdict().get("verb", "").lower(), ""),
            family=name,
            confidence=confidence,
            distance=distance,
        )

    def _standing(self, found: re.Match[str]) -> str:
        """Return what the template has before ``[X]``: groups of one form for both genders have no article."""
        article = (found["article"] or "").lower()
        if self._forms:
            return AS_MASCULINE.get(article, article) or "el"
        return article if article in POSSESSIVES else "su"


def article_shape(words: set[str]) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the shape of an article after a verb."""
    verb = rf"\b(?i:{FINITE})(?: (?:{WORDS['before articles']}))?"
    yield "article", re.compile(rf"{verb} (?P<word>{either(words)}) (?P<subject>{either(NOUNS)}){END}")


def subject(before: str, found: re.Match[str]) -> None:
    """Check that the noun is a subject, and that it, its article and the word can have one gender."""
    article = (found["article"] or found["subject"]).lower()
    if article in ("al", "del", "a la", "de la") or GOVERNED.search(before):
        raise Unfit("the noun is no subject")
    if not found["article"] and not BEFORE_NAMES.search(before):
        raise Unfit("the name follows a noun")
    genders = {GENDER.get(found["noun"] or "", ""), ARTICLES.get(article, ""), gender_of(found["word"])}
    if len(genders - {""}) > 1:
        raise Unfit("the word does not agree with the noun")


def names(text: str, found: re.Match[str], document: Document) -> None:
    """Check the first word of a clause: it is a name if it is in no list and nowhere in the document written small."""
    first = WORD.match(text)
    if first is None or first[0].islower() or first[0] in ("Don", "Doña"):
        return
    named = not NO_NAME.fullmatch(first[0]) and not re.search(rf"\b{first[0].lower()}\b", document.text)
    if found.start("subject") > 0 and named:
        raise Unfit("a name")
    if re.fullmatch(NAME, found["subject"]) and found.start("subject") == 0 and not named:
        raise Unfit("no person before the word")


def nothing_tells(before: str, between: str) -> None:
    """Check the words that the template keeps: no other person, no name, no other word that agrees or tells of Y."""
    if NOT_COPIED.search(f"{before}... {between}"):
        raise Unfit("a name, a digit or a dash")
    kept = f"{before}... {between}".lower()
    words = {*WORD.findall(kept)}
    if others := PERSONS & words:
        raise Unfit(f"another person: {min(others)}")
    if ANOTHER.search(kept):
        raise Unfit("a pronoun of another person")
    if telling := CUES & words:
        raise Unfit(f"tells Y: {min(telling)}")
    for found in AGREES.finditer(kept):
        if not NOT_OF_THE_PERSON.fullmatch(found["before"] or ""):
            raise Unfit(f"another word that agrees: {found['word']}")
    if DATED & words or OLD_FORM.search(kept):
        raise Unfit("no longer written")


def respelled(template: str) -> str:
    """Return a template in the spelling of today, with single spaces and a capital."""
    for old, new in LEXICON["respelled"].items():
        template = re.sub(rf"\b{old}\b", new, template)
    text = " ".join(template.split())
    return f"{text[0].upper()}{text[1:]}"
