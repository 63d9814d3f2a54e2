"""What is left of an English sentence: its verbs in the past tense, bare nouns, and the word that leads to ``[Y]``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bvf_stanza import Draft, Grammar, Lexicon, Sentence, Unfit, Word
from lemminflect import getInflection, getLemma

from bvf_en.rules import article

MODALS = {"can": "could", "will": "would", "shall": "should", "may": "might", "must": "must", "ought": "ought"}
MODALS |= {past: past for past in ("could", "would", "should", "might")} | {
    "ca": "could",
    "wo": "would",
    "'ll": "would",
}
WH = ("what", "how", "why", "where", "when", "who", "whom", "which", "whether", "whatever", "whenever", "wherever")
DETERMINERS = (
    "the",
    "a",
    "an",
    "some",
    "any",
    "no",
    "every",
    "each",
    "another",
    "this",
    "that",
    "these",
    "those",
    "all",
)
DIRECTIONS = (
    "back",
    "away",
    "home",
    "out",
    "up",
    "down",
    "off",
    "in",
    "forward",
    "abroad",
    "together",
    "aside",
    "over",
)
PLAIN_OBJECTS = (
    "it",
    "them",
    "me",
    "us",
    "you",
    "something",
    "nothing",
    "everything",
    "anything",
    "this",
    "that",
    "one",
)
PEOPLE = ("someone", "everyone", "anyone", "somebody", "everybody", "anybody", "nobody", "others")
WHO = ("who", "whom", "which", "what")
PLAIN_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
JOINED = ("and", "but", "or", "so", "yet")
DEGREES = ("same", "as", "so", "more", "less", "too", "such", "enough", "rather")
ARGUMENTS = ("obj", "iobj", "obl", "xcomp", "advmod", "compound")
CLAUSES = ("ccomp", "csubj", "parataxis")


@dataclass(frozen=True)
class Verb:
    """The words of a finite verb, and what it was in the text."""

    words: tuple[str, ...]
    lemma: str
    tense: str


class English(Grammar):
    """Writes ``The [X] <verb> <objects> <link> [Y]`` and ``The [X], who <verb> <objects>, is [Y]``."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._reporting = lexicon.governing
        self._lexicon = lexicon

    def write(self, sentence: Sentence, subject: int, clause: int | None) -> Draft:
        """Return the template, all verbs in the past tense, names and numbers gone."""
        root = sentence.words[subject].head
        if clause is None:
            self._refuse_what_is_no_person(sentence, root)
            words, verb = self._predicate(sentence, root, len(sentence.words))
            if len(words) == 1 and sentence.words[root].tag == "AUX":
                raise Unfit("nothing is said of the subject")
            return Draft(f"The [X], who {_plain(words)}, is [Y]", verb.lemma, verb.tense)
        anchor = sentence.words[clause].head
        words, verb = self._chain(sentence, root, anchor, clause)
        link = self._link(sentence, anchor, clause)
        return Draft(f"The [X] {_plain([*words, *link])} [Y]", verb.lemma, verb.tense)

    def _refuse_what_is_no_person(self, sentence: Sentence, root: int) -> None:
        """Raise `Unfit` where the subject is called a thing: *Casablanca is a film*."""
        word = sentence.words[root]
        called = word.tag == "NOUN" and sentence.children(root, "cop") and not sentence.children(root, "case")
        if called and not self._lexicon.is_person(word.lemma.lower()):
            raise Unfit("the subject is called no person")

    def _chain(self, sentence: Sentence, root: int, anchor: int, clause: int) -> tuple[list[str], Verb]:
        """The predicates from the root to the verb that the clause hangs on: ``stood up and said``."""
        stop = min(sentence.subtree(clause))
        words, verb = self._predicate(sentence, root, stop)
        covered = root
        while covered != anchor:
            below = [child for child in sentence.children(covered) if _is_above(sentence, child, anchor)]
            (step,) = below
            if sentence.words[step].kind == "conj":
                linked = [sentence.words[index].text.lower() for index in sentence.children(step, "cc")]
                if len(linked) != 1 or linked[0] not in JOINED:
                    raise Unfit("verbs joined by no plain word")
                more, verb = self._predicate(sentence, step, stop)
                words += [*linked, *more]
            covered = step
        return words, verb

    def _predicate(self, sentence: Sentence, head: int, stop: int) -> tuple[list[str], Verb]:
        """The verb of a clause and what belongs to it before ``stop``."""
        word = sentence.words[head]
        copula = sentence.children(head, "cop")
        if copula:
            verb = self._finite(sentence, head, copula[0])
            return [*verb.words, *self._complement(sentence, head), *self._arguments(sentence, head, stop)], verb
        if word.tag not in ("VERB", "AUX"):
            raise Unfit("no verb")
        verb = self._finite(sentence, head, head)
        return [*verb.words, *self._arguments(sentence, head, stop)], verb

    def _finite(self, sentence: Sentence, head: int, verb: int) -> Verb:
        """The verb in the past tense with its modal, its negation, its passive or progressive."""
        word = sentence.words[verb]
        helpers = [sentence.words[index] for index in sentence.children(head, "aux") if index < max(head, verb)]
        negated = any(
            sentence.words[index].lemma.lower() in ("not", "n't") for index in sentence.children(head, "advmod")
        )
        never = any(sentence.words[index].text.lower() == "never" for index in sentence.children(head, "advmod"))
        no = ("not",) if negated else ()
        ever = ("never",) if never else ()
        modal = next((MODALS[aux.text.lower()] for aux in helpers if aux.text.lower() in MODALS), "")
        passive = any(aux.relation == "aux:pass" for aux in helpers)
        progressive = "VerbForm=Ger" in word.features or word.text.endswith("ing")
        tense = _tense(word, helpers, modal)
        lemma = base(word.text.lower())
        was = (modal, *no, *ever, "be") if modal else ("was", *no, *ever)
        words: tuple[str, ...]
        if lemma == "be":
            words = was
        elif passive or (progressive and any(aux.lemma == "be" for aux in helpers)):
            words = (*was, word.text.lower())
        elif modal:
            words = (modal, *no, *ever, *(("to",) if modal == "ought" else ()), lemma)
        elif negated:
            words = ("did", "not", lemma)
        elif {"Tense=Past", "VerbForm=Fin"} <= word.features:
            words = (*ever, word.text.lower())
        else:
            words = (*ever, past(lemma))
        return Verb(words, lemma, tense)

    def _arguments(self, sentence: Sentence, head: int, stop: int) -> list[str]:
        """Objects and complements between a verb and ``stop``, each as short as it can be."""
        found: list[str] = []
        for child in sentence.children(head):
            if not head < child < stop:
                continue
            word = sentence.words[child]
            if word.kind in CLAUSES:
                raise Unfit("another clause stands before the word of Y")
            if word.kind in ARGUMENTS:
                found.extend(self._argument(sentence, head, child, stop))
        return found

    def _argument(self, sentence: Sentence, head: int, child: int, stop: int) -> Iterator[str]:
        word = sentence.words[child]
        if word.kind == "xcomp":
            yield from self._open_complement(sentence, child, stop)
        elif word.kind in ("obj", "iobj"):
            yield from self._object(sentence, head, child)
        elif word.relation == "compound:prt" or (word.kind == "advmod" and word.text.lower() in DIRECTIONS):
            yield word.text.lower()
        elif word.relation == "obl":
            yield from self._oblique(sentence, head, child)

    def _open_complement(self, sentence: Sentence, head: int, stop: int) -> Iterator[str]:
        """``to leave``, ``leaving``, ``rich``, ``a teacher``."""
        word = sentence.words[head]
        marks = [sentence.words[index].text.lower() for index in sentence.children(head, "mark")]
        if word.tag == "VERB":
            as_it_is = word.text.endswith("ing") or {"VerbForm=Ger", "VerbForm=Part"} & word.features
            yield from marks
            if any(sentence.words[index].lemma.lower() == "not" for index in sentence.children(head, "advmod")):
                yield "not"
            if sentence.children(head, "aux"):
                raise Unfit("a complement with a helping verb")
            yield word.text.lower() if as_it_is else base(word.text.lower())
        elif sentence.children(head, "cop"):
            yield from (*marks, "be", *self._complement(sentence, head))
        else:
            yield from self._complement(sentence, head)
        yield from self._arguments(sentence, head, stop)

    def _complement(self, sentence: Sentence, head: int) -> list[str]:
        """What a copula says of the subject: ``a teacher``, ``happy``, ``in a hurry``."""
        word = sentence.words[head]
        case = _preposition(sentence, head)
        if word.tag == "ADJ":
            return [*case, word.text.lower()]
        if word.tag == "VERB":
            return [*case, word.text.lower()]
        if word.tag in ("NOUN", "PRON"):
            return [*case, *self._noun_phrase(sentence, head)]
        if word.tag == "ADV":
            return [*case, word.text.lower()]
        raise Unfit("a name or number in the predicate")

    def _object(self, sentence: Sentence, verb: int, head: int) -> list[str]:
        word = sentence.words[head]
        if word.tag == "PROPN":
            if base(sentence.words[verb].text.lower()) in self._lexicon.addressing:
                return ["someone"]
            raise Unfit("a name or number in the predicate")
        return self._noun_phrase(sentence, head)

    def _oblique(self, sentence: Sentence, verb: int, head: int) -> list[str]:
        """A phrase with its preposition; one of a name, a number or a date is left out."""
        word = sentence.words[head]
        case = _preposition(sentence, head)
        if word.tag in ("PROPN", "NUM", "SYM", "X") or sentence.children(head, "nummod") or not case:
            return []
        if word.tag == "PRON" and word.text.lower() in self._lexicon.pronouns:
            return []
        return [*case, *self._noun_phrase(sentence, head)]

    def _noun_phrase(self, sentence: Sentence, head: int) -> list[str]:
        """Determiner and noun; a possessor becomes *the*, a number *several*."""
        word = sentence.words[head]
        text = word.text.lower()
        if word.tag == "PRON":
            if text in PLAIN_OBJECTS or text in PEOPLE:
                return [text]
            if text in self._lexicon.pronouns or "Reflex=Yes" in word.features:
                raise Unfit("another word tells of Y")
            raise Unfit("a pronoun that cannot stay in the predicate")
        if word.tag != "NOUN" or not text.replace("-", "").isalpha():
            raise Unfit("a name or number in the predicate")
        if self._lexicon.gender(word.lemma) or text in self._lexicon.cues:
            raise Unfit("another word tells of Y")
        determiner = self._determiner(sentence, head)
        if determiner in ("a", "an"):
            determiner = "several" if "Number=Plur" in word.features else article(text)
        return [determiner, text] if determiner else [text]

    def _determiner(self, sentence: Sentence, head: int) -> str:
        plural = "Number=Plur" in sentence.words[head].features
        for child in sentence.children(head):
            word = sentence.words[child]
            text = word.text.lower()
            if child > head:
                continue
            if word.relation in ("nmod:poss", "det:poss"):
                return "the"
            if word.kind == "nummod":
                return "several" if plural else "one"
            if word.kind == "det" and text in DETERMINERS:
                return text
        return ""

    def _link(self, sentence: Sentence, anchor: int, clause: int) -> list[str]:
        """The words that lead to the clause: ``that``, ``because``, ``and``; *that* is put after reporting verbs."""
        begins = min(sentence.subtree(clause))
        pronoun_at = min(index for index in sentence.children(clause, "nsubj"))
        words = sentence.words
        found = [
            words[index].text.lower()
            for index in sentence.subtree(clause)
            if index < pronoun_at
            and (words[index].kind in ("mark", "cc") or words[index].text.lower() in WH)
            and (words[index].head == clause or words[words[index].head].head == clause)
        ]
        joined = "_".join(found)
        if found and joined not in self._lexicon.links:
            raise Unfit("no plain word leads to the clause")
        kind = words[clause].kind
        if kind == "ccomp" and not found:
            if base(words[anchor].text.lower()) in self._reporting or words[anchor].tag == "ADJ":
                return ["that"]
            raise Unfit("no plain word leads to the clause")
        if not found or begins < anchor or (kind == "conj" and found[0] not in JOINED) or found[0] in WHO:
            raise Unfit("no plain word leads to the clause")
        if found[0] in ("as", "than") and self._is_compared(sentence, anchor):
            raise Unfit("a comparison")
        return found

    def _is_compared(self, sentence: Sentence, anchor: int) -> bool:
        compared = (anchor, *sentence.children(anchor, "advmod", "xcomp", "obj", "obl"))
        return any(
            sentence.words[degree].text.lower() in DEGREES
            for word in compared
            for degree in (word, *sentence.children(word, "advmod", "amod", "det"))
        )


def past(verb: str) -> str:
    """Return the past tense of a verb in its base form.

    Raises:
        Unfit: It is unknown, and so probably none.

    >>> past("say"), past("put")
    ('said', 'put')
    """
    known = getInflection(verb, tag="VBD", inflect_oov=False)
    if not known:
        raise Unfit("no verb")
    return str(known[0])


def base(verb: str) -> str:
    """Return the base form of a verb; itself if it is unknown.

    >>> base("says"), base("told"), base("was"), base("blorf")
    ('say', 'tell', 'be', 'blorf')
    """
    known = getLemma(verb, upos="VERB", lemmatize_oov=False) or getLemma(verb, upos="AUX", lemmatize_oov=False)
    return str(known[0]) if known else verb


def _tense(word: Word, helpers: list[Word], modal: str) -> str:
    if modal:
        return "Modal"
    for one in (*helpers, word):
        for feature in sorted(one.features):
            if feature.startswith("Tense="):
                return str(feature.removeprefix("Tense="))
    return ""


def _plain(words: list[str]) -> str:
    if not all(PLAIN_WORD.fullmatch(word) for word in words):
        raise Unfit("something that is no word")
    return " ".join(words)


def _preposition(sentence: Sentence, head: int) -> list[str]:
    """What stands before a noun: ``in``, ``because of``."""
    parts = [
        part
        for case in sentence.children(head, "case")
        if case < head
        for part in (case, *sentence.children(case, "fixed"))
    ]
    return [sentence.words[part].text.lower() for part in sorted(parts)]


def _is_above(sentence: Sentence, index: int, other: int) -> bool:
    return index == other or index in sentence.ancestors(other)
