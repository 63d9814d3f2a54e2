"""English predicates: one verb, or several joined ones."""

from dataclasses import replace

from bvf_stanza import Sentence, Unfit
from bvf_stanza.reader import is_nonfinite_clause

from bvf_en.mining.links import JOINED, joined_after
from bvf_en.mining.lists import listed
from bvf_en.mining.phrases import Phrases
from bvf_en.mining.verbs import MODALS, TURNING, Shape, Verb, base, finite, gerund, straight

SAYING_ALONE = listed("""
    answer reply respond cry whisper shout mutter plead boast joke lament protest explain dream worry wonder hope
    read write listen pray swear testify complain confess promise argue object agree decide exclaim
""")
INTRANSITIVE = listed("""
    sit stand lie come go walk enter run wait rise kneel lean smile leave depart return turn retire withdraw nod bow
    laugh sigh sob weep hesitate pause tremble sleep die live work frown shiver shudder blush fall arrive
""")
BEFORE_NONFINITE = listed("to without by after before on in while when")


class Predicates:
    """Writes predicates in the past tense: verbs and their dependents. Its methods raise `Unfit`."""

    def __init__(self, phrases: Phrases) -> None:
        self._phrases = phrases

    def chain(self, sentence: Sentence, root: int, anchor: int, stop: int) -> tuple[list[str], Verb]:
        """Return the words before ``stop`` of the predicates root to anchor (*stood up and said*) and the last verb."""
        words, verb = self.predicate(sentence, root, stop)
        covered = root
        while covered != anchor:
            (step,) = [child for child in sentence.children(covered) if _is_above(sentence, child, anchor)]
            kind = sentence.words[step].kind
            if step < covered or (kind == "advcl" and sentence.words[covered].kind == "advcl" and covered != root):
                raise Unfit("verbs joined by no plain word")
            if kind == "conj":
                more, verb = self._joined(sentence, step, stop, verb)
                words += more
            elif kind == "advcl":
                more, verb = self._nonfinite(sentence, step, stop, verb, alone=words[-1] in verb.words)
                words[-1] += "," if sentence.words[min(sentence.subtree(step))].text == "," else ""
                words += more
            covered = step
        for step in joined_after(sentence, anchor, stop):
            more, verb = self._joined(sentence, step, stop, verb)
            words += more
        return words, verb

    def _nonfinite(
        self, sentence: Sentence, step: int, stop: int, before: Verb, *, alone: bool
    ) -> tuple[list[str], Verb]:
        """The words and verb of a nonfinite predicate: *to say*. ``alone``: no word follows the previous verb."""
        marks = sentence.texts(step, "mark")
        if not is_nonfinite_clause(sentence, step) or not {*marks} <= {*BEFORE_NONFINITE}:
            raise Unfit("verbs joined by no plain word")
        if any(straight(sentence.words[index].text) in TURNING for index in sentence.children(step, "advmod")):
            raise Unfit("an adverb turns what is said")
        if alone and not marks and before.lemma not in (*INTRANSITIVE, *SAYING_ALONE):
            raise Unfit("an object stands elsewhere")
        lemma = base(sentence.words[step].text.lower())
        form = lemma if marks == ["to"] else gerund(lemma)
        verb = Verb((*marks, form), lemma, before.tense, Shape.PROGRESSIVE)
        return [*verb.words, *self._phrases.arguments(sentence, step, stop)], verb

    def _joined(self, sentence: Sentence, step: int, stop: int, before: Verb) -> tuple[list[str], Verb]:
        """The words and the verb of a conjunct with the subject of the previous predicate: *and said*."""
        joining = sentence.children(step, "cc")
        linked = sentence.texts(step, "cc") or ["and"]
        beside = [index for index in sentence.children(step) if sentence.words[index].tag != "PUNCT"]
        is_led = not joining or beside[0] == joining[0]
        if not is_led or len(linked) != 1 or linked[0] not in JOINED or sentence.children(step, "nsubj"):
            raise Unfit("verbs joined by no plain word")
        if sentence.words[step].tag == "ADJ" and not sentence.children(step, "cop"):
            complement = self._phrases.complement(sentence, step)
            return [*linked, *complement, *self._phrases.arguments(sentence, step, stop)], before
        words, verb = self.predicate(sentence, step, stop, before.shape)
        return [*linked, *words], verb

    def predicate(
        self, sentence: Sentence, head: int, stop: int, shared: Shape | None = None
    ) -> tuple[list[str], Verb]:
        """Return the words of a predicate before ``stop``, and its verb."""
        word = sentence.words[head]
        copula = sentence.children(head, "cop")
        if copula:
            verb = finite(sentence, head, copula[0])
            complement = self._phrases.complement(sentence, head)
            self._phrases.needs.refuse_more_that_is_denied(sentence, head, stop, verb, complement)
            self._phrases.needs.refuse_lost_clauses(sentence, head, stop)
            return [*verb.words, *complement, *self._phrases.arguments(sentence, head, stop)], verb
        if word.tag not in ("VERB", "AUX") or (word.tag == "AUX" and straight(word.text) in MODALS):
            raise Unfit("no verb")
        verb = finite(sentence, head, head, shared)
        verb = replace(verb, words=(*verb.words[:-1], *self._phrases.adverbs_before(sentence, head), *verb.words[-1:]))
        if verb.lemma == "do" and sentence.children(head, "xcomp"):
            raise Unfit("no plain past tense")
        arguments = self._phrases.arguments(sentence, head, stop)
        self._phrases.needs.refuse(sentence, head, stop, verb, arguments)
        return [*verb.words, *arguments], verb


def _is_above(sentence: Sentence, index: int, other: int) -> bool:
    return index == other or index in sentence.ancestors(other)
