"""Shortens English noun phrases: a determiner, a noun, and an *of* phrase."""

from bvf_stanza import Lexicon, Sentence, Unfit
from lemminflect import getAllLemmas

from bvf_en.mining import lists
from bvf_en.rules import article


class NounPhrases:
    """Writes noun phrases: *the old tea table*. ``with_adjectives`` keeps adjectives and the nouns of a compound."""

    def __init__(self, lexicon: Lexicon, *, with_adjectives: bool) -> None:
        self._lexicon = lexicon
        self._with_adjectives = with_adjectives

    def phrase(self, sentence: Sentence, head: int) -> list[str]:
        """Return the shortened phrase. Raises `Unfit` for names, words that reveal gender, and parts (*a kind of*)."""
        word = sentence.words[head]
        self._refuse_what_goes_on(sentence, head)
        if word.tag == "PRON":
            return [self._pronoun(sentence, head)]
        self._refuse_names(sentence, head)
        determiner = self.determiner(sentence, head)
        text = _hyphenated(sentence, head)
        tags = {"NOUN", "VERB"} if determiner else {"NOUN", "VERB", "ADJ"}
        if not tags & getAllLemmas(text.rpartition("-")[2]).keys():
            raise Unfit("a word of no dictionary")
        self._refuse_gender(word.lemma, word.text.lower())
        self._refuse_parts(sentence, head, determiner)
        self._refuse_what_means_less(sentence, head, determiner)
        words = [*self._adjectives(sentence, head), text]
        of_few = determiner == "a" and {"few", "many"} & {*words}
        if determiner in ("a", "an") and not of_few:
            determiner = "several" if "Number=Plur" in word.features else article(words[0])
        return [*determiner.split(), *words, *self._of(sentence, head), *self._joined(sentence, head)]

    def _refuse_gender(self, lemma: str, text: str) -> None:
        if self._lexicon.gender(lemma) or text in self._lexicon.cues or text in self._lexicon.gendered:
            raise Unfit("another word tells of Y")

    def _joined(self, sentence: Sentence, head: int) -> list[str]:
        """A second noun: ``and tenderness``; empty if details are dropped or there is none."""
        others = sentence.children(head, "conj")
        is_bare = len(others) == 1 and not sentence.children(others[0], "cc")
        if is_bare or any(sentence.words[other].text.lower() in ("other", "others", "another") for other in others):
            raise Unfit("a part of what is left out")
        if not self._with_adjectives or len(others) != 1 or sentence.words[others[0]].tag != "NOUN":
            return []
        joining = [index for index in sentence.children(others[0], "cc") if sentence.words[index - 1].tag != "PUNCT"]
        texts = [sentence.words[index].text.lower() for index in joining]
        if texts not in (["and"], ["or"]) or sentence.children(others[0], "case", "cop", "nsubj"):
            return []
        return [*texts, *self.phrase(sentence, others[0])]

    def _adjectives(self, sentence: Sentence, head: int) -> list[str]:
        """The words before a noun that modify it: adjectives, participles, and the nouns of a compound."""
        if not self._with_adjectives:
            return []
        adjectives = []
        for child in sentence.children(head, "amod", "compound"):
            text = sentence.words[child].text
            if child > head or sentence.words[child + 1].text == "-" or text == "own" or not text.islower():
                continue
            text = _hyphenated(sentence, child)
            if not text.replace("-", "").isalpha() or not getAllLemmas(text.rpartition("-")[2]):
                raise Unfit("a word of no dictionary")
            self._refuse_gender(sentence.words[child].lemma, text)
            adjectives += [text, *_joined_adjective(sentence, child)]
        return adjectives

    def _refuse_what_goes_on(self, sentence: Sentence, head: int) -> None:
        """Raise `Unfit` if a noun needs dropped words: *more books than*, *a reason to go*, *the fact that*."""
        beside = {*sentence.texts(head, "advmod", "amod")}
        if beside & {"more", "most", "less", "least"}:
            raise Unfit("a comparison")
        if any(child < head and sentence.words[child].relation == "nmod" for child in sentence.children(head)):
            raise Unfit("a phrase that belongs to something else")
        marks = {mark for clause in sentence.children(head, "acl") for mark in sentence.texts(clause, "mark")}
        if marks & {"to", "of", "from"} or (sentence.words[head].kind == "obj" and "that" in marks):
            raise Unfit("a part of what is left out")

    def _refuse_names(self, sentence: Sentence, head: int) -> None:
        word = sentence.words[head]
        is_plain = word.tag == "NOUN" and word.text.replace("-", "").isalpha() and not (head and word.text[0].isupper())
        if not is_plain or any(sentence.words[child].tag == "PROPN" for child in sentence.children(head, "compound")):
            raise Unfit("a name or number in the predicate")

    def _refuse_parts(self, sentence: Sentence, head: int, determiner: str) -> None:
        """Raise `Unfit` if a noun is a part of a dropped noun, or *no* negates it: *half a mile*, *no old books*."""
        word, text = sentence.words[head], sentence.words[head].text.lower()
        lost = ("acl",) if self._with_adjectives else ("amod", "acl", "compound")
        if determiner == "no" and sentence.children(head, *lost):
            raise Unfit("the negation is of something else")
        is_hyphened = not determiner and head and sentence.words[head - 1].text == "-"
        beside = [child for other in sentence.children(head) if other < head for child in sentence.subtree(other)]
        is_half = any(sentence.words[child].text.lower() == "half" for child in beside)
        is_part = word.lemma.lower() in lists.PARTS and sentence.children(head, "nmod") and not self._of(sentence, head)
        if is_hyphened or is_half or is_part or text in lists.TIMES or text == "deal":
            raise Unfit("a part of what is left out")

    def _pronoun(self, sentence: Sentence, head: int) -> str:
        word, text = sentence.words[head], sentence.words[head].text.lower()
        if sentence.children(head, "nmod", "acl", "det", "amod"):
            raise Unfit("a part of what is left out")
        if text in lists.PLAIN_OBJECTS or text in lists.PEOPLE:
            return text
        if text in self._lexicon.pronouns or "Reflex=Yes" in word.features:
            raise Unfit("another word tells of Y")
        raise Unfit("a pronoun that cannot stay in the predicate")

    def _refuse_what_means_less(self, sentence: Sentence, head: int, determiner: str) -> None:
        """Raise `Unfit` if a noun means something else without its dropped modifiers: *in bad shape*."""
        word = sentence.words[head]
        case, lemma = preposition(sentence, head), word.lemma.lower()
        narrowed = bool(sentence.children(head, "amod", "compound")) and not self._with_adjectives
        has_of = any(preposition(sentence, child) == ["of"] for child in sentence.children(head, "nmod"))
        is_owned = any(sentence.words[child].relation == "nmod:poss" for child in sentence.children(head))
        bare = not determiner and "Number=Sing" in word.features and case not in ([], ["of"])
        with_something = case == ["with"] and determiner in ("a", "an", "")
        in_a_manner = (determiner in ("a", "an", "") or bool(case)) and lemma in lists.MANNERS
        of_a_kind = case == ["of"] and lemma in (*lists.MANNERS, *lists.KINDS)
        if (
            (narrowed and (bare or with_something or in_a_manner or of_a_kind))
            or ((in_a_manner or case == ["with"]) and sentence.children(head, "acl"))
            or (case and lemma in lists.NEEDS_MORE and not has_of)
            or (is_owned and word.text.lower() in lists.OWNED)
        ):
            raise Unfit("a part of what is left out")

    def _of(self, sentence: Sentence, head: int) -> list[str]:
        """``of the house``; empty if it has a name or number that the noun does not need."""
        phrases: list[str] = []
        for child in sentence.children(head, "nmod"):
            can_be_written = sentence.words[child].tag not in lists.NAMES_AND_NUMBERS
            if child < head or preposition(sentence, child) != ["of"]:
                continue
            if not can_be_written and sentence.words[head].lemma.lower() in lists.OF_SOMEBODY:
                raise Unfit("a part of what is left out")
            if can_be_written and not any(head < other < child for other in sentence.children(head, "conj")):
                phrases += ["of", *self.phrase(sentence, child)]
        return phrases

    def determiner(self, sentence: Sentence, head: int) -> str:
        """Return the template's determiner, mostly the phrase's own; '' for none. Raises `Unfit` for unusable ones.

        *the* replaces a possessor other than *my, your, our, their*, and *several* or *one* a numeral.
        """
        if sum(sentence.words[child].text.lower() in lists.DETERMINERS for child in sentence.children(head, "det")) > 1:
            raise Unfit("a word of no dictionary")
        whole = ""
        for child in sentence.children(head):
            word = sentence.words[child]
            text = word.text.lower()
            if child > head:
                continue
            if text == "all" and word.kind == "det":
                whole = text
                continue
            if word.relation in ("nmod:poss", "det:poss"):
                if any(child < case < head for case in sentence.children(head, "case", "det")):
                    raise Unfit("an object stands elsewhere")
                return f"{whole} {text if text in lists.OWNERS else 'the'}".strip()
            if word.kind == "nummod":
                return "several" if "Number=Plur" in sentence.words[head].features else "one"
            if word.kind == "det" and text in lists.DETERMINERS:
                return f"{whole} {text}".strip()
            if word.kind == "det" and text not in lists.OTHER_DETERMINERS:
                raise Unfit("a word of no dictionary")
        return whole


def _joined_adjective(sentence: Sentence, adjective: int) -> list[str]:
    """A joined adjective: ``and readiest`` of *the coolest and readiest manner*; empty if there is none."""
    others = sentence.children(adjective, "conj")
    if len(others) != 1:
        return []
    other, text = sentence.words[others[0]], sentence.words[others[0]].text
    is_plain = text.islower() and text.isalpha() and sentence.words[others[0] - 1].text != "-"
    joining = [sentence.words[index].text for index in sentence.children(others[0], "cc")]
    return ["and", text] if is_plain and other.tag == "ADJ" and joining == ["and"] else []


def _hyphenated(sentence: Sentence, head: int) -> str:
    """The noun with its hyphenated words: ``chimney-piece``. The parser reads it as three words."""
    text = sentence.words[head].text.lower()
    first, hyphen = sentence.words[head - 2], sentence.words[head - 1]
    if head > 2 and hyphen.text == sentence.words[head - 3].text == "-":
        raise Unfit("a word of no dictionary")
    if head < 2 or hyphen.text != "-" or not (first.text.isalpha() and first.text.islower()):
        return text
    return f"{first.text}-{text}"


def preposition(sentence: Sentence, head: int) -> list[str]:
    """Return the words of the preposition before a noun: ``in``, ``because of``; empty if there is none."""
    cases = [case for case in sentence.children(head, "case") if case < head]
    parts = sorted(part for case in cases for part in (case, *sentence.children(case, "fixed")))
    return [sentence.words[part].text.lower() for part in parts]
