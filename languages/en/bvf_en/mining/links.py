"""The words that lead from the clause of a subject to that of the word of Y."""

from bvf_stanza import Lexicon, Sentence, Unfit

from bvf_en.mining.verbs import base, straight

WH = ("what", "how", "why", "where", "when", "who", "whom", "which", "whether", "whatever", "whenever", "wherever")
JOINED = ("and", "but", "or", "so", "yet")
TELLING = ("tell", "inform", "assure", "remind", "convince", "persuade", "notify", "advise", "show", "teach", "warn")
ASKING = ("ask", "wonder", "doubt", "inquire", "enquire", "question", "consider", "debate", "care", "see")
FRONTED_LINKS = (
    *(
        "when",
        "as",
        "while",
        "after",
        "before",
        "because",
        "if",
        "though",
        "although",
        "since",
        "until",
        "till",
        "once",
    ),
    *("unless", "whenever", "whilst", "even if", "even when", "even though", "as soon as", "as long as", "just as"),
    *("now that", "just when", "by the time", "every time", "the moment", "in case", "even as", "even while"),
)
NO_COMPLEMENTS = ("because", "as", "since", "while", "although", "though", "after", "before", "until", "till", "once")
NO_THAT = ("lest", "now", "more", "less", "the", "how", "directly", "once")
KNOWING_WHEN = (
    *("know", "remember", "ask", "wonder", "tell", "see", "decide", "forget", "recall", "understand", "learn", "guess"),
    *("discover", "mind", "care", "find"),
)
FOCUS = (
    *("even", "only", "except", "just", "especially", "particularly", "not", "never"),
    *("but", "or", "than", "and", "that"),
)
NEW_SUBJECTS = ("i", "he", "she", "we", "they")
DEGREES = ("same", "as", "so", "more", "less", "too", "such", "enough", "rather")
WHO = ("who", "whom", "which", "what")
EVEN = ("if", "though", "when")


class Links:
    """Finds the words between clauses.

    Args:
        lexicon: Words of the language.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def to_a_later_clause(self, sentence: Sentence, anchor: int, clause: int) -> list[str]:
        """Return ``that``, ``because``, ``and``; *that* is put after verbs of saying.

        Args:
            sentence: As it was parsed.
            anchor: The verb that the clause hangs on.
            clause: Head of the clause that the word of Y begins.

        Raises:
            Unfit: No plain word leads to it.
        """
        words, kind = sentence.words, sentence.words[clause].kind
        begins = min(sentence.subtree(clause))
        link = self._words_of_link(sentence, anchor, clause)
        if link and "_".join(link) not in self._lexicon.links:
            raise Unfit("no plain word leads to the clause")
        if kind == "ccomp" and not link:
            self._refuse_no_that(sentence, anchor, begins)
            return ["that"]
        if not link or begins < anchor or not self._suits(sentence, anchor, kind, link[0]):
            raise Unfit("no plain word leads to the clause")
        if link[0] in ("as", "than") and self._is_compared(sentence, anchor, begins):
            raise Unfit("a comparison")
        if link == ["that"] and {"so", "such"} & {word.text.lower() for word in words[anchor:begins]}:
            raise Unfit("a comparison")
        if kind == "conj" and any(begins > other > anchor for other in _clauses_with_subject(sentence, anchor)):
            raise Unfit("another clause stands before the word of Y")
        return link

    def _suits(self, sentence: Sentence, anchor: int, kind: str, link: str) -> bool:
        """Whether a word can lead to a clause of this kind after this verb: *knew when*, not *said when*."""
        if kind == "conj":
            return link in JOINED
        if kind == "advcl":
            return link not in (*JOINED[:2], *WHO)
        verb = base(sentence.words[anchor].text.lower())
        knows = verb in self._lexicon.governing or verb in (*ASKING, *TELLING, *KNOWING_WHEN)
        if link in WH and not knows and sentence.words[anchor].tag != "ADJ":
            return False
        return link not in (*NO_COMPLEMENTS, *WHO) and (link != "when" or verb in KNOWING_WHEN)

    def _refuse_no_that(self, sentence: Sentence, anchor: int, begins: int) -> None:
        """Raise `Unfit` where *that* cannot be put before a clause: *said this, she felt*, *read it now she was*."""
        before = sentence.words[begins - 1].text.lower()
        anchored = sentence.words[anchor]
        says = base(anchored.text.lower()) in self._lexicon.governing or anchored.tag == "ADJ"
        if not says or sentence.words[begins - 1].tag == "PUNCT":
            raise Unfit("no plain word leads to the clause")
        told = base(sentence.words[anchor].text.lower()) in (*TELLING, *self._lexicon.addressing)
        asked = {word.text.lower() for word in sentence.words[begins : begins + 4]} & {"how", "what", "which"}
        if asked or before in NO_THAT or (not told and sentence.children(anchor, "obj")):
            raise Unfit("no plain word leads to the clause")
        first = sentence.words[begins]
        if first.text.lower() != "that" and first.tag not in ("PRON", "DET", "ADV"):
            raise Unfit("no plain word leads to the clause")

    def _words_of_link(self, sentence: Sentence, anchor: int, clause: int) -> list[str]:
        """What stands before the word of Y and leads to its clause; *even* with it."""
        begins = min(sentence.subtree(clause))
        pronoun_at = min(index for index in sentence.children(clause, "nsubj"))
        words = sentence.words
        fronted = {
            index
            for inner in sentence.children(clause, "advcl")
            if begins < inner < pronoun_at
            for index in sentence.subtree(inner)
        }
        link = [
            words[index].text.lower()
            for index in sentence.subtree(clause)
            if index < pronoun_at
            and index not in fronted
            and (words[index].kind in ("mark", "cc", "fixed") or words[index].text.lower() in WH)
            and (words[index].head == clause or words[words[index].head].head == clause)
        ]
        said_before = next((word for word in reversed(words[anchor + 1 : begins]) if word.tag != "PUNCT"), None)
        if link and said_before and said_before.text.lower() in (*FOCUS, *NEW_SUBJECTS):
            if said_before.text.lower() != "even" or link[0] not in EVEN:
                raise Unfit("no plain word leads to the clause")
            link = ["even", *link]
        if link and link[0] in EVEN and "even" in (word.text.lower() for word in words[begins:pronoun_at]):
            link = ["even", *link]
        return link

    def _is_compared(self, sentence: Sentence, anchor: int, stop: int) -> bool:
        """Whether a word between the verb and the link asks for *as* or *than*."""
        compared = (anchor, *sentence.children(anchor, "advmod", "xcomp", "obj", "obl"))
        beside = {degree for word in compared for degree in (word, *sentence.children(word, "advmod", "amod", "det"))}
        between = {
            index for index in range(anchor, stop) if sentence.words[index].text.lower() in ("such", "same", "as")
        }
        return bool(between) or any(sentence.words[index].text.lower() in DEGREES for index in beside)

    def before_the_main_clause(self, sentence: Sentence, verb: int, subject: int) -> list[str]:
        """The words that open a clause before the main one: *when*, *even if*, *as soon as*."""
        words = sentence.words
        first, begins = min(sentence.subtree(verb)), min(sentence.subtree(subject))
        link = [word.text.lower() for word in words[first:begins]]
        begins_anew = not first or words[first - 1].tag in ("PUNCT", "CCONJ", "SCONJ")
        if " ".join(link) not in FRONTED_LINKS or not begins_anew:
            raise Unfit("no plain word leads to the clause")
        helpers = [words[index] for index in sentence.children(verb, "aux")]
        earlier = any(helper.lemma == "have" or straight(helper.text) == "'d" for helper in helpers)
        if earlier and link[-1] in ("since", "if", "unless"):
            raise Unfit("no plain past tense")
        return link


def _clauses_with_subject(sentence: Sentence, verb: int) -> tuple[int, ...]:
    """The adverbial clauses of a verb that have a subject of their own."""
    return tuple(index for index in sentence.children(verb, "advcl") if sentence.children(index, "nsubj"))
