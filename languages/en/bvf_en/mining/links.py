"""Links: words between the subject's clause and the clause that ``[Y]`` begins, such as *because*."""

from bvf_stanza import Lexicon, Sentence, Unfit
from bvf_stanza.reader import governing_verb
from bvf_stanza.tree import ROOT

from bvf_en.mining.lists import listed
from bvf_en.mining.verbs import base, straight

WH = listed("what how why where when who whom which whether whatever whenever wherever")
JOINED = ("and", "but", "or", "so", "yet")
TELLING = listed("tell inform assure remind convince persuade notify advise show teach warn")
ASKING = listed("ask wonder doubt inquire enquire question consider debate care see")
FRONTED_LINKS = (
    *listed("when as while after before because if though although since until till once unless whenever whilst"),
    *("even if", "even when", "even though", "as soon as", "as long as", "just as", "now that", "just when"),
    *("by the time", "every time", "the moment", "in case", "even as", "even while"),
)
NO_COMPLEMENTS = listed("because as since while although though after before until till once")
NO_THAT = listed("lest now more less the how directly once")
KNOWING_WHEN = listed("""
    know remember ask wonder tell see decide forget recall understand learn guess discover mind care find
""")
FOCUS = listed("even only except just especially particularly not never but or than and that")
NEW_SUBJECTS = ("i", "he", "she", "we", "they")
DEGREES = listed("same as so more less too such enough rather")
WHO = ("who", "whom", "which", "what")
RELATIVE_LINKS = ("that", "which", "whom", "where", "when", "why")
AT_ONCE = ("immediately", "directly", "instantly", "once", "whenever", "when")
SOON = listed("soon long far fast well quickly often hard quietly closely best much")
PERCEIVING = listed("feel see hear watch find notice make let have")
LOOSE_HEADS = listed("it them me us you him her this that")
MOMENTS = (["the", "moment"], ["the", "instant"], ["the", "minute"], ["every", "time"], ["each", "time"])
EVEN = ("if", "though", "when")


class Links:
    """Finds the link between two clauses. Its methods raise `Unfit` if there is no usable one."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def to_a_later_clause(self, sentence: Sentence, anchor: int, clause: int) -> list[str]:
        """Return the link from a verb to a later clause: *and*, *when*. ``that`` is supplied after verbs of saying."""
        kind = sentence.words[clause].kind
        begins = min(sentence.subtree(clause))
        link = self._words_of_link(sentence, anchor, clause)
        is_now_that = link == ["that"] and sentence.words[first_word(sentence, clause)].text.lower() == "now"
        is_and_when = kind == "conj" and link[1:] in (["when"], ["though"], ["yet"]) and link[0] in JOINED
        if is_now_that or (link and "_".join(link) not in self._lexicon.links and not is_and_when):
            raise Unfit("no plain word leads to the clause")
        if kind == "ccomp" and not link:
            self._refuse_no_that(sentence, anchor, begins)
            _refuse_so(sentence, sentence.words[anchor].head, begins)
            return ["that"]
        if not link or begins < anchor or not self._suits(sentence, anchor, kind, link[0]):
            raise Unfit("no plain word leads to the clause")
        if link[0] in ("as", "than") and self._is_compared(sentence, anchor, begins):
            raise Unfit("a comparison")
        if link == ["that"]:
            _refuse_so(sentence, anchor, begins)
        between = [other for other in sentence.children(anchor, "advcl") if anchor < other < begins]
        if kind == "conj" and any(sentence.children(other, "nsubj") for other in between):
            raise Unfit("another clause stands before the word of Y")
        return link

    def _suits(self, sentence: Sentence, anchor: int, kind: str, link: str) -> bool:
        """Whether a link can introduce this kind of clause after this verb: *knew when*, not *said when*."""
        if kind == "conj":
            return link in JOINED
        if kind == "advcl":
            return link not in (*JOINED[:2], *WHO)
        verb = base(sentence.words[anchor].text.lower())
        knows = verb in self._lexicon.governing or verb in (*ASKING, *TELLING, *KNOWING_WHEN)
        if link in WH and not knows and sentence.words[anchor].tag != "ADJ":
            return False
        return link not in (*NO_COMPLEMENTS, *WHO[:-1]) and (link != "when" or verb in KNOWING_WHEN)

    def _refuse_no_that(self, sentence: Sentence, anchor: int, begins: int) -> None:
        """Raise `Unfit` if *that* cannot be supplied before a clause: *said this, she felt*, *read it now she was*."""
        before, first = sentence.words[begins - 1], sentence.words[begins]
        verb = base(sentence.words[anchor].text.lower())
        says = verb in self._lexicon.governing or sentence.words[anchor].tag == "ADJ"
        feels = verb in PERCEIVING and first.relation == "nmod:poss"
        tells = verb in TELLING or verb in self._lexicon.addressing
        opening = [word.text.lower() for word in sentence.words[begins : begins + 4]]
        asks = opening[0] in WH or bool({*opening} & {"how", "what", "which"})
        takes_that = opening[0] == "that" or first.tag in ("PRON", "DET", "ADV")
        follows = before.tag != "PUNCT" and before.text.lower() not in NO_THAT
        if not (says and takes_that and follows) or feels or asks or (not tells and sentence.children(anchor, "obj")):
            raise Unfit("no plain word leads to the clause")

    def _words_of_link(self, sentence: Sentence, anchor: int, clause: int) -> list[str]:
        """The words that introduce the answer word's clause: *when* in *when she*. A preceding *even* is included."""
        begins = min(sentence.subtree(clause))
        pronoun_at = min(sentence.children(clause, "nsubj"))
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
        """Whether a word before the link, such as *such* or *more*, requires *as* or *than* after it."""
        if {"such", "same", "as"} & {word.text.lower() for word in sentence.words[anchor:stop]}:
            return True
        compared = (anchor, *sentence.children(anchor, "advmod", "xcomp", "obj", "obl"))
        beside = {degree for word in compared for degree in (word, *sentence.children(word, "advmod", "amod", "det"))}
        return any(sentence.words[index].text.lower() in DEGREES for index in beside)

    def to_a_relative_clause(self, sentence: Sentence, anchor: int, clause: int) -> list[str]:
        """Return the link between a noun and the answer word (*she*), such as *in which*; *that* if there is none.

        The link may be missing only if the verb itself cannot take the clause, as it could in *felt the house he had*.
        """
        words = sentence.words
        begins = min(sentence.subtree(clause))
        pronoun = begin_of_subject(sentence, clause)
        link = [word.text.lower() for word in words[begins:pronoun] if word.tag != "PUNCT"]
        is_bare = link in ([], ["that"])
        is_preposition = {word.tag for word in words[begins : pronoun - 1]} == {"ADP"}
        is_predicate = governing_verb(sentence, clause) == words[clause].head
        says = base(words[anchor].text.lower()) in self._lexicon.governing or words[anchor].tag == "ADJ"
        may_be_another = says or is_predicate or _is_opened(sentence, anchor)
        after_stop = words[first_word(sentence, clause) - 1].tag == "PUNCT"
        may = {*sentence.texts(clause, "aux")} & {"might", "may"}
        if (
            (not link and may_be_another)
            or (after_stop and (is_bare or is_predicate))
            or (link and (link[-1] not in RELATIVE_LINKS or (link[1:] and not is_preposition)))
            or words[words[clause].head].text.lower() in LOOSE_HEADS
            or (link == ["that"] and may)
        ):
            raise Unfit("no plain word leads to the clause")
        if is_bare and {"so", "such"} & {word.text.lower() for word in words[:begins]}:
            raise Unfit("a comparison")
        return link or ["that"]

    def of_an_adverb(self, sentence: Sentence, clause: int) -> list[str]:
        """Return a link such as *as soon as* or *why* before the answer word; empty if there is none."""
        pronoun = begin_of_subject(sentence, clause)
        words = sentence.words[max(pronoun - 3, 0) : pronoun]
        link = [word.text.lower() for word in words]
        is_headed = sentence.words[clause].head == pronoun - 1
        if is_headed and link[-1] in WH:
            return link[-1:]
        if is_headed and link[-2:] in MOMENTS:
            return link[-2:]
        if len(link) < 3 or words[1].kind != "advmod" or words[1].tag == "VERB":
            return []
        is_result = (link[0], link[2]) == ("so", "that")
        is_manner = link[1] in SOON or link[1].endswith("ly")
        return link if is_result or ((link[0], link[2]) == ("as", "as") and is_manner) else []

    def before_the_main_clause(self, sentence: Sentence, verb: int, subject: int) -> list[str]:
        """Return the words that introduce a clause before the main one, such as *even if*."""
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


def _is_opened(sentence: Sentence, verb: int) -> bool:
    """Whether a verb's clause may be subordinate to the next clause: *each time he came, he*."""
    if sentence.words[verb].kind == "advcl" or {*sentence.texts(verb, "mark")} - {"that"}:
        return True
    subjects = sentence.children(verb, "nsubj")
    beside = [index for index in sentence.children(verb, "obl", "advmod") if subjects and index < subjects[0]]
    opening = [sentence.words[index] for index in beside]
    return any(word.relation == "obl:unmarked" or word.text.lower() in AT_ONCE for word in opening)


def begin_of_subject(sentence: Sentence, clause: int) -> int:
    """Return the index of the first word of a clause's subject."""
    return min(index for child in sentence.children(clause, "nsubj") for index in sentence.subtree(child))


def first_word(sentence: Sentence, clause: int) -> int:
    """Return the index of the first word of a clause that is not punctuation."""
    return min(index for index in sentence.subtree(clause) if sentence.words[index].tag != "PUNCT")


def _refuse_so(sentence: Sentence, head: int, stop: int) -> None:
    """Raise `Unfit` if *that* depends on a dropped *so*: *spoke so joyfully of it that*; not *so weak that*."""
    begins = min((head, *sentence.children(head, "cop"))) if head != ROOT else 0
    degrees = {index for index in range(begins, stop) if sentence.words[index].text.lower() in ("so", "such")}
    if degrees - {head - 1}:
        raise Unfit("a comparison")


def joined_after(sentence: Sentence, verb: int, stop: int) -> list[int]:
    """Return the verb's conjuncts between it and ``stop``: *shot the arrow, fell back and died*."""
    first = verb
    while sentence.words[first].kind == "conj":
        first = sentence.words[first].head
    joined = [first]
    for one in joined:
        joined += [other for other in sentence.children(one, "conj") if _is_predicate(sentence, one, other)]
    return sorted(other for other in joined if verb < other < stop)


def _is_predicate(sentence: Sentence, one: int, other: int) -> bool:
    """Whether a conjunct of a predicate is itself a predicate that has the same subject: *was wet and cold*."""
    if sentence.children(other, "nsubj", "csubj", "expl"):
        return False
    tag = sentence.words[other].tag
    if tag == sentence.words[one].tag == "ADJ":
        return not sentence.children(other, "case")
    return tag in ("VERB", "AUX") or bool(sentence.children(other, "cop"))
