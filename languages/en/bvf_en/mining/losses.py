"""English sentences whose template would lose what changes their sense, told by their trees alone."""

import re
from itertools import pairwise

from bvf_stanza import Sentence, Unfit

from bvf_en.mining.verbs import NEARLY_NOT, NOT, straight

DENYING = (*NOT, *NEARLY_NOT, "without", "no", "nothing", "nobody", "none", "nor", "neither", "nowhere", "cannot")
SCARCE = ("little", "few", "less", "fewer")
DETERMINED = ("a", "an", "the", "this", "that", "my", "our", "their", "your")
UNCERTAIN = ("if", "unless", "whether", "lest", "before")
STOPS = (",", ";", "-")
NAME = re.compile(r"[^\W\d_]+(?:[-.'\u2019][^\W\d_]*)*")
QUESTIONS = ("where", "when", "who", "whom", "which", "whose", "why", "how", "what")
SUBORDINATE = ("acl", "advcl", "ccomp", "parataxis")


def refuse(sentence: Sentence, subject: int, clause: int, words: list[str], link: list[str]) -> None:
    """Look for every loss between a subject and the word of Y.

    Args:
        sentence: As it was parsed.
        subject: Head of the subject.
        clause: Head of the clause that the word of Y begins.
        words: What the template says before the link.
        link: The words that lead to the clause.

    Raises:
        Unfit: There is one.
    """
    begins = min(sentence.subtree(clause))
    pronoun = min(sentence.children(clause, "nsubj"))
    _refuse_subject_that_is_no_plain_name(sentence, subject)
    _refuse_what_is_only_supposed(sentence, subject)
    _refuse_stops(sentence, subject, pronoun)
    _refuse_lost_negation(sentence, subject, pronoun, words)
    _refuse_other_clauses(sentence, subject, begins, clause)
    _refuse_link(sentence, clause, begins, link)
    if any(one == other for one, other in pairwise(words)):
        raise Unfit("a word stands twice")


def _refuse_subject_that_is_no_plain_name(sentence: Sentence, subject: int) -> None:
    """*_think_ he said*, *Cardoso's was the slowest*."""
    if sentence.children(subject, "case") or not NAME.fullmatch(sentence.words[subject].text):
        raise Unfit("the subject is no person")


def _refuse_what_is_only_supposed(sentence: Sentence, subject: int) -> None:
    """*As if he did not feel that she*."""
    for index in sentence.children(sentence.words[subject].head, "mark"):
        text, before = sentence.words[index].text.lower(), sentence.words[max(index - 1, 0)].text.lower()
        if index < subject and (text in UNCERTAIN or (text, before) == ("though", "as")):
            raise Unfit("what is said is only supposed")


def _refuse_stops(sentence: Sentence, subject: int, pronoun: int) -> None:
    """*Quesnel,' said he*, *Miss Cass, should say -- she*, *think yo' he*."""
    between = sentence.words[subject:pronoun]
    if any(word.tag != "PART" and word.text[1:].endswith(("'", "\u2019")) for word in between):
        raise Unfit("a word of no dictionary")
    stops = [word.text for word in between if word.tag == "PUNCT"]
    dashes = any(one.text == other.text == "-" for one, other in pairwise(between))
    if dashes or not set(stops) <= {*STOPS}:
        raise Unfit("more than a comma stands before the word of Y")


def _refuse_lost_negation(sentence: Sentence, subject: int, pronoun: int, words: list[str]) -> None:
    """*knew not how he*, *without knowing that she*, *furnished little sunshine*, and what is denied twice."""
    between = range(subject + 1, pronoun)
    said = sum(straight(sentence.words[index].text) in DENYING or _is_scarce(sentence, index) for index in between)
    if said != sum(word in DENYING for word in words):
        raise Unfit("the negation is of something else")


def _is_scarce(sentence: Sentence, index: int) -> bool:
    """*little food*, *few friends*; not *a little house*."""
    if sentence.words[index].text.lower() not in SCARCE:
        return False
    before = sentence.words[index - 1]
    return before.text.lower() not in DETERMINED and before.relation != "nmod:poss"


def _refuse_other_clauses(sentence: Sentence, subject: int, begins: int, clause: int) -> None:
    """The later clause may hang on one that goes: *sat where the dog lay, as though he*, *glad when it rang and he*."""
    kind = sentence.words[clause].kind
    root = sentence.words[subject].head
    kept = {clause, root, *sentence.ancestors(clause), *sentence.subtree(subject)}
    for index in sentence.subtree(root):
        word = sentence.words[index]
        if index in kept or not subject < index < begins:
            continue
        if kind == "advcl" and (_is_clause(sentence, index) or word.text.lower() in QUESTIONS):
            raise Unfit("another clause stands before the word of Y")
        if kind == "conj" and word.kind == "advcl" and _leads_on(sentence, index):
            raise Unfit("another clause stands before the word of Y")


def _is_clause(sentence: Sentence, index: int) -> bool:
    word = sentence.words[index]
    is_finite = "VerbForm=Fin" in word.features or bool(sentence.children(index, "nsubj", "cop"))
    return is_finite and word.kind in (*SUBORDINATE, "conj")


def _leads_on(sentence: Sentence, index: int) -> bool:
    """Whether a clause begins with *when*, *because* and the like; *to see it* does not."""
    first = sentence.words[min(sentence.subtree(index))]
    return first.tag == "SCONJ" or first.text.lower() in QUESTIONS


def _refuse_link(sentence: Sentence, clause: int, begins: int, link: list[str]) -> None:
    """*has been there since he*, which no past tense says, and *light and little as his step was*."""
    helpers = sentence.children(sentence.words[clause].head, "aux")
    if link[0] == "since" and any(sentence.words[index].lemma == "have" for index in helpers):
        raise Unfit("no plain past tense")
    if link[0] == "as" and sentence.words[begins].tag == "ADJ":
        raise Unfit("a comparison")
