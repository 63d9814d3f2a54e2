"""English sentences whose template would lose what changes their sense, told by their trees alone."""

import re
from itertools import pairwise

from bvf_stanza import Sentence, Unfit

from bvf_en.mining.verbs import NEARLY_NOT, NOT, base, straight

DENYING = (*NOT, *NEARLY_NOT, "without", "no", "nothing", "nobody", "none", "nor", "neither", "nowhere", "cannot")
SCARCE = ("little", "few", "less", "fewer")
DETERMINED = ("a", "an", "the", "this", "that", "my", "our", "their", "your")
UNCERTAIN = ("if", "unless", "whether", "lest", "before", "until", "till", "as")
STOPS = (",", ";", "-")
SAYING_LITTLE = ("DET", "PUNCT", "AUX", "PART", "CCONJ", "SCONJ", "INTJ", "SYM")
SMALL_WORDS = (
    *("the", "a", "an", "was", "were", "be", "been", "had", "did", "not", "and", "but", "or", "so", "yet", "to"),
    *("could", "would", "should", "might", "must", "have", "this", "these", "those", "no", "some", "any", "every"),
    *("that", "if", "as", "because", "though", "although", "while", "when", "until", "till", "since", "for"),
)
NAME = re.compile(r"[^\W\d_]+(?:[-.'\u2019][^\W\d_]*)*")
COMPARING = ("than", "like", "unlike")
WISHING = ("wish", "hope", "fear", "suppose", "imagine", "pretend", "dream")
NOT_QUITE = ("thus", "apparently", "seemingly", "supposedly", "ostensibly", "almost", "nearly")
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
    _refuse_lost_words(sentence, subject, begins, words)
    _refuse_other_clauses(sentence, subject, begins, clause)
    _refuse_link(sentence, clause, begins, words, link)
    _refuse_aside(sentence, subject, _first_word(sentence, clause))
    _refuse_clause_without_its_verb(sentence, clause, begins, pronoun)
    _refuse_words_twice(words)


def refuse_in_fronted(sentence: Sentence, subject: int, pronoun: int, words: list[str]) -> None:
    """Look for every loss where the clause of a subject stands before that of the word of Y.

    Raises:
        Unfit: There is one.
    """
    verb = sentence.words[subject].head
    _refuse_subject_that_is_no_plain_name(sentence, subject)
    _refuse_clause_without_its_verb(sentence, sentence.words[verb].head, pronoun, pronoun)
    _refuse_stops(sentence, subject, pronoun)
    _refuse_lost_negation(sentence, subject, pronoun, words)
    _refuse_lost_words(sentence, subject, pronoun, words)
    kept = {verb, *sentence.children(verb, "conj"), *sentence.subtree(subject)}
    for index in sentence.subtree(verb):
        if index not in kept and _is_clause(sentence, index) and sentence.words[index].kind != "acl":
            raise Unfit("another clause stands before the word of Y")
    _refuse_words_twice(words)


def left_out(sentence: Sentence, subject: int, pronoun: int, words: list[str]) -> int:
    """Return how many words that mean something stand between a subject and the word of Y and not in the template."""
    said = sum(
        word.tag not in SAYING_LITTLE and word.relation != "nmod:poss" and word.lemma not in ("have", "do", "be")
        for word in sentence.words[max(sentence.subtree(subject)) + 1 : pronoun]
    )
    return max(said - sum(word not in SMALL_WORDS for word in words), 0)


def _refuse_words_twice(words: list[str]) -> None:
    if any(one == other for one, other in pairwise(words)):
        raise Unfit("a word stands twice")


def _first_word(sentence: Sentence, clause: int) -> int:
    return min(index for index in sentence.subtree(clause) if sentence.words[index].tag != "PUNCT")


def _refuse_subject_that_is_no_plain_name(sentence: Sentence, subject: int) -> None:
    """*_think_ he said*, *Cardoso's was the slowest*."""
    word = sentence.words[subject]
    if sentence.children(subject, "case") or not NAME.fullmatch(word.text):
        raise Unfit("the subject is no person")
    beside = sentence.children(subject, "conj", "nmod")
    if any(sentence.words[index].tag == "PRON" and sentence.words[index].kind == "conj" for index in beside):
        raise Unfit("the subject is several")
    if any(sentence.words[index].lemma == word.lemma for index in beside):
        raise Unfit("the subject is several")


def _refuse_what_is_only_supposed(sentence: Sentence, subject: int) -> None:
    """*As if he did not feel that she*, *where she lived before she*, *wished that he would go as he*."""
    verb = sentence.words[subject].head
    begins = min(sentence.subtree(subject))
    if any(word.text == "?" for word in sentence.words[-2:]):
        raise Unfit("what is said is only supposed")
    if any(
        index < begins
        and sentence.words[index].text.lower() in QUESTIONS
        and sentence.words[index].text.lower() != "when"
        for index in sentence.subtree(verb)
    ):
        raise Unfit("what is said is only supposed")
    governor = sentence.words[verb].head
    wished = governor >= 0 and base(sentence.words[governor].text.lower()) in WISHING
    if wished and sentence.words[verb].kind in ("ccomp", "advcl", "conj"):
        raise Unfit("what is said is only supposed")
    if any(sentence.words[index].text.lower() == "than" for index in sentence.children(verb, "mark")):
        raise Unfit("a comparison")
    for index in sentence.children(verb, "mark"):
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


def _refuse_lost_words(sentence: Sentence, subject: int, begins: int, words: list[str]) -> None:
    """*Waited for them to go*, *felt rather than saw*, *felt it necessary*."""
    lost = [
        index
        for index in range(subject + 1, begins)
        if not any(sentence.words[above].kind == "acl" for above in (index, *sentence.ancestors(index)))
    ]
    to_do = sum(sentence.words[index].text.lower() == "to" and sentence.words[index].tag == "PART" for index in lost)
    if to_do > words.count("to"):
        raise Unfit("a part of what is left out")
    texts = {sentence.words[index].text.lower(): index for index in lost}
    if any(sentence.words[texts[text]].tag == "ADP" for text in texts.keys() & {"but", "except", "save"}):
        raise Unfit("a part of what is left out")
    few = "only" in texts and sentence.words[texts["only"] + 1].tag in ("DET", "NUM", "ADJ")
    if few or {*NOT_QUITE} & texts.keys():
        raise Unfit("an adverb turns what is said")
    if any(text in COMPARING for text in texts) and not {*COMPARING} & {*words}:
        raise Unfit("a comparison")
    if any(sentence.words[index].kind == "expl" for index in lost):
        raise Unfit("an object stands elsewhere")


def _refuse_other_clauses(sentence: Sentence, subject: int, begins: int, clause: int) -> None:
    """The later clause may hang on one that goes: *sat where the dog lay, as though he*, *glad when it rang and he*."""
    kind = sentence.words[clause].kind
    root = sentence.words[subject].head
    if kind == "conj" and sentence.words[clause].head == root and sentence.words[root].kind == "advcl":
        raise Unfit("the clause may belong to another verb")
    kept = {clause, root, *sentence.ancestors(clause), *sentence.subtree(subject)}
    for index in sentence.subtree(root):
        word = sentence.words[index]
        if index in kept or not subject < index < begins:
            continue
        is_verb = word.tag == "VERB" and word.kind in ("advcl", "conj")
        if kind == "advcl" and (is_verb or _is_clause(sentence, index) or word.text.lower() in QUESTIONS):
            raise Unfit("another clause stands before the word of Y")
        if kind == "conj" and word.kind == "conj" and sentence.children(index, "nsubj"):
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


def _refuse_aside(sentence: Sentence, subject: int, begins: int) -> None:
    """*Remember, the guard said, that he*."""
    first = min(sentence.subtree(subject))
    if first and sentence.words[first - 1].text == "," and sentence.words[begins - 1].text == ",":
        verb = sentence.words[subject].head
        if begins - verb == 2 and sentence.words[begins].text.lower() == "that":
            raise Unfit("what is said stands elsewhere")


def _refuse_clause_without_its_verb(sentence: Sentence, clause: int, begins: int, pronoun: int) -> None:
    """*He kept his fists clenched and his gaze fixed*, *and he to speak*, *and forgot her sorrows*."""
    verbs = (clause, *sentence.children(clause, "aux", "cop"))
    if not any("VerbForm=Fin" in sentence.words[index].features for index in verbs):
        raise Unfit("no verb")
    between = [sentence.words[index] for index in range(begins, pronoun)]
    if any(word.tag == "VERB" and word.kind not in ("acl", "advcl") for word in between):
        raise Unfit("no plain word leads to the clause")


def _refuse_link(sentence: Sentence, clause: int, begins: int, words: list[str], link: list[str]) -> None:
    """*has been there since he*, which no past tense says, and *light and little as his step was*."""
    before = [word for word in sentence.words[:begins] if word.tag != "PUNCT"][-1]
    if link[0] == "where" and before.text.lower() != words[-1]:
        raise Unfit("a part of what is left out")
    if sentence.words[clause].kind == "advcl" and link[0] in ("how", "why", "what", "whether"):
        raise Unfit("no plain word leads to the clause")
    if sentence.words[clause].kind == "ccomp" and sentence.words[_first_word(sentence, clause) - 1].text == ";":
        raise Unfit("what is said stands elsewhere")
    if link[0] == "for" and sentence.words[_first_word(sentence, clause) - 1].tag != "PUNCT":
        raise Unfit("no plain word leads to the clause")
    pronoun = min(index for child in sentence.children(clause, "nsubj") for index in sentence.subtree(child))
    if link[0] == "how" and sentence.words[pronoun - 1].text.lower() != "how":
        raise Unfit("a comparison")
    helpers = sentence.children(sentence.words[clause].head, "aux")
    if link[0] == "since" and any(sentence.words[index].lemma == "have" for index in helpers):
        raise Unfit("no plain past tense")
    if link[0] == "as" and sentence.words[_first_word(sentence, clause)].tag == "ADJ":
        raise Unfit("a comparison")
