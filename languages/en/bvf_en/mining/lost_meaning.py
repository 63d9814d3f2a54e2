"""Refuses English sentences whose template would lose a negation, wish or doubt, or what else changes the meaning."""

import re
from collections.abc import Sequence
from itertools import pairwise

from bvf_stanza import Sentence, Unfit, Word
from bvf_stanza.reader import governing_verb
from bvf_stanza.resolver import PARTS_OF_NAMES

from bvf_en.mining.links import begin_of_subject, first_word, joined_after
from bvf_en.mining.lists import listed
from bvf_en.mining.verbs import DENIALS, NOT, base, straight

DENYING = (*DENIALS, "without", "no", "nothing", "nobody", "none", "nor", "neither", "nowhere", "cannot")
TWICE_DENIED = re.compile(r"\b(?:not|never) (?:(?!and|but|or)\w+ )*no\b")
SCARCE = ("little", "few", "less", "fewer")
DETERMINED = listed("a an the this that my our their your")
UNCERTAIN = listed("if unless whether lest before until till as")
OPENING = listed("that because since although though while whilst when after for once so where")
STOPS = (",", ";", "-")
SAYING_LITTLE = listed("DET PUNCT AUX PART CCONJ SCONJ INTJ SYM")
SMALL_WORDS = listed("""
    the a an was were be been had did not and but or so yet to could would should might must have this these those
    no some any every without by after before own however therefore indeed moreover besides then now also too
    accordingly meanwhile that if as because though although while when until till since for
""")
NAME = re.compile(r"[^\W\d_]+(?:[-.'\u2019][^\W\d_]*)*")
COMPARING = ("than", "like", "unlike")
WISHING = ("wish", "hope", "fear", "suppose", "imagine", "pretend", "dream")
NOT_QUITE = listed("""
    thus apparently seemingly supposedly ostensibly almost nearly perhaps maybe probably possibly presumably
    alternately erroneously
""")
QUESTIONS = listed("where when who whom which whose why how what")
SUBORDINATE = ("acl", "advcl", "ccomp", "parataxis")
ADVERBIAL = ("mark", "nsubj", "aux")
"""A finite verb with such a dependent is adverbial, unlike that of *and at last said, he should*."""


def refuse(sentence: Sentence, subject: int, clause: int, words: list[str], link: list[str]) -> None:
    """Raise `Unfit` if the template loses meaning between subject and answer word (*she*)."""
    begins = min(sentence.subtree(clause))
    pronoun = min(sentence.children(clause, "nsubj"))
    _refuse_subject_that_is_no_plain_name(sentence, subject)
    _refuse_what_is_only_supposed(sentence, subject)
    _refuse_stops(sentence, subject, pronoun)
    _refuse_lost_negation(sentence, subject, pronoun, words)
    _refuse_lost_words(sentence, subject, begins, words)
    _refuse_other_clauses(sentence, subject, begins, clause)
    _refuse_another_link(sentence, clause, pronoun)
    _refuse_link(sentence, clause, begins, words, link)
    _refuse_aside(sentence, subject, first_word(sentence, clause))
    _refuse_clause_without_its_verb(sentence, clause, begins, pronoun)
    _refuse_words_twice(words)
    _refuse_exceptions(sentence, sentence.words[subject + 1 : begins], words, link)


def refuse_in_fronted(sentence: Sentence, subject: int, pronoun: int, words: list[str]) -> None:
    """Raise `Unfit` if a template that begins with the subject's subordinate clause loses meaning."""
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
    """Return the number of content words between subject and answer word (*she*) that the template leaves out."""
    full = sum(
        word.tag not in SAYING_LITTLE
        and word.text.lower() not in SMALL_WORDS
        and word.relation != "nmod:poss"
        and not (word.tag == "PROPN" and word.kind in PARTS_OF_NAMES)
        and word.lemma not in ("have", "do", "be")
        for word in sentence.words[max(sentence.subtree(subject)) + 1 : pronoun]
    )
    return max(full - sum(word not in SMALL_WORDS for word in words), 0)


def _refuse_words_twice(words: list[str]) -> None:
    if any(one == other for one, other in pairwise(words)):
        raise Unfit("a word stands twice")


def _refuse_exceptions(sentence: Sentence, between: Sequence[Word], words: list[str], link: list[str]) -> None:
    """Raise `Unfit` if *but* means except (*all the keys but one*), or would be read so (*was nothing, but*)."""
    nouns = ("NOUN", "PROPN", "PRON", "NUM")
    excepts = any(word.text.lower() == "but" and sentence.words[word.head].tag in nouns for word in between)
    if excepts or (words[-1] in ("nothing", "anything", "everything", "thing", "none", "all") and link == ["but"]):
        raise Unfit("a part of what is left out")


def _refuse_another_link(sentence: Sentence, clause: int, pronoun: int) -> None:
    """Raise `Unfit` if the clause may belong to a later verb: *would never open; and then while she*."""
    verb = governing_verb(sentence, clause)
    if any(verb < index < pronoun for index in sentence.children(verb, "cc")):
        raise Unfit("the clause may belong to another verb")


def _refuse_subject_that_is_no_plain_name(sentence: Sentence, subject: int) -> None:
    """Raise `Unfit` for a subject with marks or a case (*Cardoso's was the slowest*), or joined with others."""
    word = sentence.words[subject]
    if sentence.children(subject, "case") or not NAME.fullmatch(word.text):
        raise Unfit("the subject is not a person")
    beside = [sentence.words[index] for index in sentence.children(subject, "conj", "nmod")]
    if any(other.lemma == word.lemma or (other.tag == "PRON" and other.kind == "conj") for other in beside):
        raise Unfit("the subject is several")


def _refuse_what_is_only_supposed(sentence: Sentence, subject: int) -> None:
    """Raise `Unfit` if the predicate is hypothetical or a question: *as if he felt that*, *wished that he would*."""
    words = sentence.words
    verb = words[subject].head
    governor, kind = words[verb].head, words[verb].kind
    begins = min(sentence.subtree(subject))
    questions = {words[index].text.lower() for index in sentence.subtree(verb) if index < begins} & {*QUESTIONS}
    asks_how = begins > 1 and words[begins - 2].text.lower() == "how"
    is_asked = asks_how or bool(questions - {"when"}) or "?" in [word.text for word in words[-2:]]
    is_unsaid = governor >= 0 and kind == "ccomp" and _is_unsaid(sentence, governor)
    is_governed = governor >= 0 and kind in ("ccomp", "advcl", "conj")
    if is_asked or is_unsaid or (is_governed and base(words[governor].text.lower()) in WISHING):
        raise Unfit("what is said is only supposed")
    if "than" in sentence.texts(verb, "mark"):
        raise Unfit("a comparison")
    if _is_conditional(sentence, verb, begins):
        raise Unfit("what is said is only supposed")
    may = {*sentence.texts(verb, "aux")} & {"may", "might", "should"}
    for index in sentence.children(verb, "mark"):
        text, before = words[index].text.lower(), words[max(index - 1, 0)].text.lower()
        is_purpose = kind == "advcl" and (text in ("that", "for") or (text == "so" and may))
        is_uncertain = text in UNCERTAIN or text not in OPENING or (text, before) == ("though", "as")
        if index < subject and (is_uncertain or is_purpose):
            raise Unfit("what is said is only supposed")


def _is_unsaid(sentence: Sentence, verb: int) -> bool:
    """Whether a verb is negated or has the auxiliary *need*, so that its clause is not asserted."""
    adverbs = {straight(sentence.words[index].text) for index in sentence.children(verb, "advmod")}
    needs = any(sentence.words[index].lemma == "need" for index in sentence.children(verb, "aux"))
    return needs or bool(adverbs & {*DENIALS})


def _is_conditional(sentence: Sentence, verb: int, begins: int) -> bool:
    """Whether *if* or *it was* precedes: *if she loved him she would say*, *it was not for himself, he rebelled*."""
    clauses = [clause for clause in sentence.children(verb, "advcl") if clause < begins]
    if any({"if", "unless"} & {*sentence.texts(clause, "mark")} for clause in clauses):
        return True
    governor = sentence.words[verb].head
    of_it = governor >= 0 and governor < begins and sentence.words[verb].kind not in ("conj", "parataxis")
    return (
        of_it
        and bool(sentence.children(governor, "cop", "expl"))
        and "it" in sentence.texts(governor, "nsubj", "expl")
        and sentence.words[governor].tag != "ADJ"
    )


def _refuse_stops(sentence: Sentence, subject: int, pronoun: int) -> None:
    """Raise `Unfit` for *day by day*, an apostrophe at a word's end, or punctuation other than , ; and single -."""
    between = sentence.words[subject:pronoun]
    if any(
        one.text == other.text and one.tag == other.tag == "NOUN"
        for one, other in zip(between, between[2:], strict=False)
    ):
        raise Unfit("a word stands twice")
    if any(word.tag != "PART" and word.text[1:].endswith(("'", "\u2019")) for word in between):
        raise Unfit("a word of no dictionary")
    stops = [word.text for word in between if word.tag == "PUNCT"]
    dashes = any(one.text == other.text == "-" for one, other in pairwise(between))
    if dashes or not set(stops) <= {*STOPS}:
        raise Unfit("more than a comma stands before the word of Y")


def _refuse_lost_negation(sentence: Sentence, subject: int, pronoun: int, words: list[str]) -> None:
    """Raise `Unfit` if the template drops a negation (*without knowing that she*, *little sunshine*) or doubles it."""
    between = range(subject + 1, pronoun)
    denials = sum(straight(sentence.words[index].text) in DENYING or _is_scarce(sentence, index) for index in between)
    if denials != sum(word in DENYING for word in words) or TWICE_DENIED.search(" ".join(words)):
        raise Unfit("the negation is of something else")


def _is_scarce(sentence: Sentence, index: int) -> bool:
    """Whether a word nearly negates its noun: *little food*, *few friends*; not *a little house*."""
    if sentence.words[index].text.lower() not in SCARCE:
        return False
    before = sentence.words[index - 1]
    return before.text.lower() not in DETERMINED and before.relation != "nmod:poss"


def _refuse_lost_words(sentence: Sentence, subject: int, begins: int, words: list[str]) -> None:
    """Raise `Unfit` if the template drops a word that changes the meaning of the rest: *waited for them to go*."""
    lost = [
        index
        for index in range(subject + 1, begins)
        if not any(sentence.words[above].kind == "acl" for above in (index, *sentence.ancestors(index)))
    ]
    to_do = sum(sentence.words[index].text.lower() == "to" and sentence.words[index].tag == "PART" for index in lost)
    followed = [index for index in lost if sentence.words[index + 1].tag == "PUNCT"]
    stranded = [sentence.words[index].text.lower() for index in followed if sentence.words[index].tag == "ADP"]
    texts = [sentence.words[index].text.lower() for index in lost]
    last = {text: index for text, index in zip(texts, lost, strict=True)}
    if (
        to_do > words.count("to")
        or any(texts.count(word) > words.count(word) for word in stranded)
        or any(sentence.words[last[text]].tag == "ADP" for text in last.keys() & {"but", "except", "save"})
    ):
        raise Unfit("a part of what is left out")
    few = "only" in last and sentence.words[last["only"] + 1].tag in ("DET", "NUM", "ADJ")
    if few or {*NOT_QUITE} & last.keys() - {*words}:
        raise Unfit("an adverb turns what is said")
    if last.keys() & {*COMPARING} and not {*COMPARING} & {*words}:
        raise Unfit("a comparison")
    if any(sentence.words[index].kind in ("expl", "vocative", "dislocated") for index in lost):
        raise Unfit("an object stands elsewhere")


def _refuse_other_clauses(sentence: Sentence, subject: int, begins: int, clause: int) -> None:
    """Raise `Unfit` if the later clause may depend on a dropped clause: *sat where the dog lay, as though he*."""
    kind = sentence.words[clause].kind
    root = sentence.words[subject].head
    if kind == "conj" and sentence.words[clause].head == root and sentence.words[root].kind == "advcl":
        raise Unfit("the clause may belong to another verb")
    kept = {clause, root, *sentence.ancestors(clause), *sentence.subtree(subject)}
    kept.update(joined_after(sentence, governing_verb(sentence, clause), begins))
    for index in sentence.subtree(root):
        word = sentence.words[index]
        if index in kept or not subject < index < begins:
            continue
        is_verb = word.tag == "VERB" and word.kind in ("advcl", "conj")
        opens = is_verb or _is_clause(sentence, index) or word.text.lower() in QUESTIONS
        first = sentence.words[min(sentence.subtree(index))]
        leads_on = word.kind == "advcl" and (first.tag == "SCONJ" or first.text.lower() in QUESTIONS)
        is_joined = word.kind == "conj" and sentence.children(index, "nsubj")
        if (kind in ("advcl", "acl") and opens) or (kind == "conj" and (is_joined or leads_on)):
            raise Unfit("another clause stands before the word of Y")


def _is_clause(sentence: Sentence, index: int) -> bool:
    word = sentence.words[index]
    is_finite = "VerbForm=Fin" in word.features or bool(sentence.children(index, "nsubj", "cop"))
    return is_finite and word.kind in (*SUBORDINATE, "conj")


def _refuse_aside(sentence: Sentence, subject: int, begins: int) -> None:
    """Raise `Unfit` if the verb is an aside in its own content clause: *Remember, the guard said, that he*."""
    first = min(sentence.subtree(subject))
    if first and sentence.words[first - 1].text == "," and sentence.words[begins - 1].text == ",":
        verb = sentence.words[subject].head
        if begins - verb == 2 and sentence.words[begins].text.lower() == "that":
            raise Unfit("what is said stands elsewhere")


def _refuse_clause_without_its_verb(sentence: Sentence, clause: int, begins: int, pronoun: int) -> None:
    """Raise `Unfit` if the clause lacks a finite verb of its own: *he kept his fists clenched and his gaze fixed*."""
    if len(sentence.children(clause, "nsubj")) > 1:
        raise Unfit("no plain word leads to the clause")
    verbs = (clause, *sentence.children(clause, "aux", "cop"))
    if not any("VerbForm=Fin" in sentence.words[index].features for index in verbs):
        raise Unfit("no verb")
    between = {index: sentence.words[index] for index in range(begins, pronoun)}
    verb_places = [index for index, word in between.items() if word.tag == "VERB"]
    if any(between[index].kind not in ("acl", "advcl") for index in verb_places):
        raise Unfit("no plain word leads to the clause")
    finite = [index for index in verb_places if "VerbForm=Fin" in between[index].features]
    if any(between[index].kind == "advcl" and not sentence.children(index, *ADVERBIAL) for index in finite):
        raise Unfit("another clause stands before the word of Y")
    aside = {index for part in sentence.children(clause, "advcl") for index in sentence.subtree(part)}
    helping = [word for index, word in between.items() if word.tag == "AUX" and index not in aside]
    if any(sentence.words[word.head].kind != "acl" for word in helping):
        raise Unfit("no plain word leads to the clause")


def _refuse_link(sentence: Sentence, clause: int, begins: int, words: list[str], link: list[str]) -> None:
    """Raise `Unfit` if the link does not fit the words kept: *went to Deptford, where he*, *said; he left*."""
    if sentence.words[sentence.words[clause].head].text.lower() == link[0]:
        return
    kind, begin = sentence.words[clause].kind, first_word(sentence, clause)
    before, first = sentence.words[begin - 1], sentence.words[begin]
    if link == ["where"] and _is_elsewhere(sentence, clause, begins, words):
        raise Unfit("a part of what is left out")
    root = next((index for index in sentence.ancestors(clause) if sentence.words[index].kind != "conj"), clause)
    is_of_the_whole = before.text == "," and sentence.words[root].kind == "advcl" and link == ["that"]
    if kind == "ccomp" and (before.text == ";" or is_of_the_whole):
        raise Unfit("what is said stands elsewhere")
    pronoun = begin_of_subject(sentence, clause)
    if (
        (kind == "advcl" and (link[0] in ("how", "why", "what", "whether") or first.tag == "CCONJ"))
        or (kind == "conj" and [word.text.lower() for word in sentence.words[pronoun - 2 : pronoun]] == [link[-1], ","])
        or (first.tag == "ADP" and [word.text.lower() for word in sentence.words[begin + 1 : begin + 2]] == link[:1])
        or (link == ["whatever"] and before.text == ",")
        or (link == ["for"] and before.tag != "PUNCT")
    ):
        raise Unfit("no plain word leads to the clause")
    _refuse_comparisons(sentence, clause, words, link)


def _is_elsewhere(sentence: Sentence, clause: int, begins: int, words: list[str]) -> bool:
    """Whether *where* may refer to a place that is not last in the template: *to Deptford he went, where he*."""
    verb = governing_verb(sentence, clause)
    last = [word.text.lower() for word in sentence.words[:begins] if word.tag != "PUNCT"][-1:]
    return last != words[-1:] or any(index < verb for index in sentence.children(verb, "obl"))


def _refuse_comparisons(sentence: Sentence, clause: int, words: list[str], link: list[str]) -> None:
    """Raise `Unfit` for a link of degree (*the less he*, *with what care he*), or *since* after a perfect."""
    pronoun, first = begin_of_subject(sentence, clause), first_word(sentence, clause)
    nearest = sentence.words[pronoun - 1]
    is_degree = link[-1] in ("how", "what", "which") and nearest.text.lower() != link[-1]
    if is_degree or "Degree=Cmp" in nearest.features or (link == ["as"] and {*NOT} & {*words}):
        raise Unfit("a comparison")
    helpers = sentence.children(sentence.words[clause].head, "aux")
    if link[0] == "since" and any(sentence.words[index].lemma == "have" for index in helpers):
        raise Unfit("no plain past tense")
    aside = sentence.words[first - 1].tag == "ADJ" and sentence.words[first - 2].text == ","
    if link[0] == "as" and (aside or sentence.words[first].tag == "ADJ"):
        raise Unfit("a comparison")
