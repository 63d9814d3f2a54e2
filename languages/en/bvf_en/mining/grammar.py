"""What is left of an English sentence: its verbs in the past tense, bare nouns, and the word that leads to ``[Y]``."""

import re

from bvf_stanza import Draft, Grammar, Lexicon, Sentence, Unfit
from bvf_stanza.reader import is_participle_clause

from bvf_en.mining.phrases import Phrases
from bvf_en.mining.verbs import NEARLY_NOT, NOT, Shape, Verb, base, finite, gerund, straight

WH = ("what", "how", "why", "where", "when", "who", "whom", "which", "whether", "whatever", "whenever", "wherever")
WHO = ("who", "whom", "which", "what")
PLAIN_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
JOINED = ("and", "but", "or", "so", "yet")
NOBODY = ("no", "neither", "few", "nobody", "none")
DEGREES = ("same", "as", "so", "more", "less", "too", "such", "enough", "rather")
SAYING_ALONE = (
    *("answer", "reply", "respond", "cry", "whisper", "shout", "mutter", "plead", "boast", "joke", "lament", "protest"),
    *("explain", "dream", "worry", "wonder", "hope", "read", "write", "listen", "pray", "swear"),
    *("testify", "complain", "confess", "promise", "argue", "object", "agree", "decide", "exclaim"),
)
EVEN = ("if", "though", "when")
FOCUS = ("even", "only", "except", "just", "especially", "particularly", "not", "but", "or", "than")
COMPLEMENTISERS = ("that", "if", "whether", *WH)
TELLING = ("tell", "inform", "assure", "remind", "convince", "persuade", "notify", "advise", "show", "teach", "warn")
ASKING = ("ask", "wonder", "doubt", "inquire", "enquire", "question", "consider", "debate", "care", "see")
WHAT_IS_ASKED = ("ask", "inquire", "enquire", "demand")
MOST_WORDS = 12
STAND_INS = {"[X]": "doctor", "[Y]": "she"}
REST_OF_CLAUSE, REST_OF_PREDICATE = " was there.", "tired."


class English(Grammar):
    """Writes ``The [X] <verb> <objects> <link> [Y]`` and ``The [X], who <verb> <objects>, is [Y]``."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._reporting = lexicon.governing
        self._lexicon = lexicon
        self._phrases = Phrases(lexicon)

    def write(self, sentence: Sentence, subject: int, clause: int | None) -> Draft:
        """Return the template, all verbs in the past tense, names and numbers gone."""
        root = sentence.words[subject].head
        self._refuse_inversion(sentence, subject, root)
        if clause is None:
            return self._whole_predicate(sentence, root)
        anchor = sentence.words[clause].head
        words, verb = self._chain(sentence, root, anchor, clause)
        link = self._link(sentence, anchor, clause)
        self._refuse_lost_negation(sentence, subject, clause, words)
        self._refuse_what_does_not_lead_on(sentence, clause, words, verb, link)
        if len(words) > MOST_WORDS:
            raise Unfit("more than a short predicate")
        return Draft(f"The [X] {_plain([*words, *link])} [Y]", verb.lemma, verb.tense)

    def filled(self, template: str) -> str:
        """Return a template with a noun for ``[X]`` and a word for ``[Y]``, and an end."""
        text = template.replace("[X]", STAND_INS["[X]"])
        if ", is [Y]" in text:
            return text.replace("[Y]", REST_OF_PREDICATE)
        return text.replace("[Y]", STAND_INS["[Y]"]) + REST_OF_CLAUSE

    def reads_as_filled(self, sentence: Sentence) -> bool:
        """Whether the noun that stands for ``[X]`` is the subject of the verb of the sentence."""
        (root,) = sentence.roots()
        subjects = sentence.children(root, "nsubj")
        return any(sentence.words[index].text == STAND_INS["[X]"] for index in subjects)

    def _refuse_lost_negation(self, sentence: Sentence, subject: int, clause: int, words: list[str]) -> None:
        """Raise `Unfit` where the sentence denies before its later clause and the template does not, or the reverse."""
        between = sentence.words[subject + 1 : min(sentence.subtree(clause))]
        said = sum(straight(word.text) in (*NOT, *NEARLY_NOT) for word in between)
        if said != sum(word in (*NOT, *NEARLY_NOT) for word in words):
            raise Unfit("the negation is of something else")

    def _refuse_what_does_not_lead_on(
        self, sentence: Sentence, clause: int, words: list[str], verb: Verb, link: list[str]
    ) -> None:
        """Raise `Unfit` where a verb cannot stand so before its link: *said as*, *told that*, *ran that*, *was and*."""
        alone = len(words) == len(verb.words)
        said = sentence.words[clause].kind == "ccomp" and link[0] in COMPLEMENTISERS
        anchor = sentence.words[sentence.words[clause].head]
        if alone and verb.lemma == "be":
            raise Unfit("nothing is said of the subject")
        speaks = verb.lemma in self._reporting or verb.lemma in WHAT_IS_ASKED
        if alone and speaks and not said and verb.lemma not in SAYING_ALONE:
            raise Unfit("what is said stands elsewhere")
        if alone and said and verb.lemma in TELLING and verb.shape is not Shape.PASSIVE:
            raise Unfit("nobody is told")
        lemma = base(anchor.text.lower())
        governs = lemma in self._reporting or lemma in TELLING or anchor.tag == "ADJ" or "so" in words
        if link == ["that"] and not governs:
            raise Unfit("no plain word leads to the clause")
        asks = verb.lemma in ASKING or anchor.tag == "ADJ" or bool({*NOT, *NEARLY_NOT} & {*words})
        if said and link[0] == "if" and not asks:
            raise Unfit("no plain word leads to the clause")

    def _refuse_inversion(self, sentence: Sentence, subject: int, root: int) -> None:
        """Raise `Unfit` where a verb stands before its subject (*not only did he*), or where that is nobody."""
        if any(index < subject for index in sentence.children(root, "aux", "cop")):
            raise Unfit("the verb stands before its subject")
        if any(sentence.words[index].text.lower() in NOBODY for index in sentence.children(subject, "det", "amod")):
            raise Unfit("the subject is nobody")

    def _whole_predicate(self, sentence: Sentence, root: int) -> Draft:
        self._refuse_what_is_no_person(sentence, root)
        self._refuse_occupations(sentence, root)
        words, verb = self._predicate(sentence, root, len(sentence.words))
        if len(words) == 1 and sentence.words[root].tag == "AUX":
            raise Unfit("nothing is said of the subject")
        return Draft(f"The [X], who {_plain(words)}, is [Y]", verb.lemma, verb.tense)

    def _refuse_occupations(self, sentence: Sentence, root: int) -> None:
        """Raise `Unfit` where the predicate names an occupation, so that it tells of X: *who was a singer*."""
        for index in sentence.subtree(root):
            if index >= root and sentence.words[index].tag == "NOUN" and self._is_occupation(sentence, index):
                raise Unfit("the predicate names an occupation")

    def _is_occupation(self, sentence: Sentence, index: int) -> bool:
        noun = sentence.words[index].lemma.lower()
        return self._lexicon.is_person(noun) and noun not in self._lexicon.no_occupations

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
            (step,) = [child for child in sentence.children(covered) if _is_above(sentence, child, anchor)]
            kind = sentence.words[step].kind
            if kind == "conj":
                linked = [sentence.words[index].text.lower() for index in sentence.children(step, "cc")]
                if len(linked) != 1 or linked[0] not in JOINED:
                    raise Unfit("verbs joined by no plain word")
                more, verb = self._predicate(sentence, step, stop, verb.shape)
                words += [*linked, *more]
            elif kind == "advcl":
                if not is_participle_clause(sentence, step):
                    raise Unfit("verbs joined by no plain word")
                lemma = base(sentence.words[step].text.lower())
                verb = Verb((gerund(lemma),), lemma, verb.tense, Shape.PROGRESSIVE)
                words += [*verb.words, *self._phrases.arguments(sentence, step, stop)]
            covered = step
        return words, verb

    def _predicate(
        self, sentence: Sentence, head: int, stop: int, shared: Shape | None = None
    ) -> tuple[list[str], Verb]:
        """The verb of a clause and what belongs to it before ``stop``."""
        word = sentence.words[head]
        copula = sentence.children(head, "cop")
        if copula:
            verb = finite(sentence, head, copula[0])
            complement = self._phrases.complement(sentence, head)
            return [*verb.words, *complement, *self._phrases.arguments(sentence, head, stop)], verb
        if word.tag not in ("VERB", "AUX"):
            raise Unfit("no verb")
        verb = finite(sentence, head, head, shared)
        arguments = self._phrases.arguments(sentence, head, stop)
        self._phrases.refuse_lost_adverbs(sentence, head, stop, verb, arguments)
        self._phrases.refuse_what_stands_elsewhere(sentence, head, stop, arguments)
        return [*verb.words, *arguments], verb

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
        before = words[begins - 1].text.lower() if found else ""
        if before in FOCUS and begins - 1 > anchor:
            if before != "even" or found[0] not in EVEN:
                raise Unfit("no plain word leads to the clause")
            found = ["even", *found]
        if found and found[0] in EVEN and "even" in (word.text.lower() for word in words[begins:pronoun_at]):
            found = ["even", *found]
        joined = "_".join(found)
        if found and joined not in self._lexicon.links:
            raise Unfit("no plain word leads to the clause")
        kind = words[clause].kind
        if kind == "ccomp" and not found and words[begins - 1].tag == "PUNCT":
            raise Unfit("no plain word leads to the clause")
        if kind == "ccomp" and not found:
            if base(words[anchor].text.lower()) in self._reporting or words[anchor].tag == "ADJ":
                return ["that"]
            raise Unfit("no plain word leads to the clause")
        if not found or begins < anchor or (kind == "conj" and found[0] not in JOINED) or found[0] in WHO:
            raise Unfit("no plain word leads to the clause")
        if found[0] in ("as", "than") and self._is_compared(sentence, anchor, begins):
            raise Unfit("a comparison")
        return found

    def _is_compared(self, sentence: Sentence, anchor: int, stop: int) -> bool:
        """Whether a word between the verb and the link asks for *as* or *than*."""
        compared = (anchor, *sentence.children(anchor, "advmod", "xcomp", "obj", "obl"))
        beside = {degree for word in compared for degree in (word, *sentence.children(word, "advmod", "amod", "det"))}
        between = {
            index for index in range(anchor, stop) if sentence.words[index].text.lower() in ("such", "same", "as")
        }
        return bool(between) or any(sentence.words[index].text.lower() in DEGREES for index in beside)


def _plain(words: list[str]) -> str:
    if not all(PLAIN_WORD.fullmatch(word) for word in words):
        raise Unfit("something that is no word")
    return " ".join(words)


def _is_above(sentence: Sentence, index: int, other: int) -> bool:
    return index == other or index in sentence.ancestors(other)
