"""What is left of an English sentence: its verbs in the past tense, bare nouns, and the word that leads to ``[Y]``."""

import re

from bvf_stanza import Draft, Grammar, Lexicon, Sentence, Unfit
from bvf_stanza.reader import is_fronted, is_participle_clause

from bvf_en.mining import losses
from bvf_en.mining.links import ASKING, JOINED, TELLING, WH, Links
from bvf_en.mining.phrases import Phrases
from bvf_en.mining.verbs import MODALS, NEARLY_NOT, NOT, TURNING, Shape, Verb, base, finite, gerund, straight

PLAIN_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
NOBODY = ("no", "neither", "few", "nobody", "none")
SAYING_ALONE = (
    *("answer", "reply", "respond", "cry", "whisper", "shout", "mutter", "plead", "boast", "joke", "lament", "protest"),
    *("explain", "dream", "worry", "wonder", "hope", "read", "write", "listen", "pray", "swear"),
    *("testify", "complain", "confess", "promise", "argue", "object", "agree", "decide", "exclaim"),
)
QUOTES = ('"', "'", "\u201d", "\u2019")
BREAKS = ("-", "--", "\u2013", "\u2014", ";", ":")
COMPLEMENTISERS = ("that", "if", "whether", *WH)
WHAT_IS_ASKED = ("ask", "inquire", "enquire", "demand")
SURE = (
    *("sure", "certain", "glad", "afraid", "aware", "unaware", "sorry", "confident", "proud", "happy", "convinced"),
    *("surprised", "anxious", "doubtful", "conscious", "unconscious", "positive", "grateful", "thankful", "angry"),
    *("delighted", "pleased", "satisfied", "hopeful", "fearful", "ashamed", "careful", "amazed", "astonished"),
    *("disappointed", "determined", "adamant", "insistent", "mindful", "relieved", "worried", "annoyed", "uncertain"),
    *("clear", "unhappy", "unsure", "fortunate", "lucky", "optimistic", "eager", "content", "resolved", "scared"),
)
NO_NEWS = ("person", "someone", "somebody", "one", "character")
INTRANSITIVE = (
    *("sit", "stand", "lie", "come", "go", "walk", "enter", "run", "wait", "rise", "kneel", "lean", "smile", "leave"),
    *("depart", "return", "turn", "retire", "withdraw", "nod", "bow", "laugh", "sigh", "sob", "weep", "hesitate"),
    *("pause", "tremble", "sleep", "die", "live", "work", "frown", "shiver", "shudder", "blush", "fall", "arrive"),
)
MOST_WORDS = 15
STAND_INS = {"[X]": "doctor", "[Y]": "she"}
REST_OF_CLAUSE, REST_OF_PREDICATE = " was there.", "tired."


class English(Grammar):
    """Writes ``The [X] <verb> <objects> <link> [Y]`` and ``The [X], who <verb> <objects>, is [Y]``."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._reporting = lexicon.governing
        self._lexicon = lexicon
        self._phrases = Phrases(lexicon, with_details=True)
        self._links = Links(lexicon)
        self._bare_phrases = Phrases(lexicon, with_details=False)

    def write(self, sentence: Sentence, subject: int, clause: int | None) -> Draft:
        """Return the template, all verbs in the past tense, names and numbers gone."""
        root = sentence.words[subject].head
        self._refuse_inversion(sentence, subject, root)
        if clause is None:
            return self._whole_predicate(sentence, root)
        if is_fronted(sentence, subject, clause):
            return self._fronted(sentence, subject, clause)
        anchor = sentence.words[clause].head
        self._refuse_quotations(sentence, subject, anchor, sentence.words[clause].kind == "ccomp")
        if sentence.words[anchor].kind == sentence.words[clause].kind == "advcl" and anchor != root:
            raise Unfit("the clause may belong to another verb")
        words, verb = self._chain(sentence, root, anchor, min(sentence.subtree(clause)))
        link = self._links.to_a_later_clause(sentence, anchor, clause)
        losses.refuse(sentence, subject, clause, words, link)
        self._refuse_clause_of_another_verb(sentence, clause)
        self._refuse_owner_of_no_noun(sentence, subject, clause)
        self._refuse_what_does_not_lead_on(sentence, clause, words, verb, link)
        self._refuse_long_or_telling(words)
        begins = min(sentence.subtree(clause))
        said = sentence.words[clause].kind == "ccomp"
        lost = 0 if said and anchor == root else losses.left_out(sentence, subject, begins, words)
        return Draft(f"The [X] {_plain([*words, *link])} [Y]", verb.lemma, verb.tense, lost)

    def _fronted(self, sentence: Sentence, subject: int, clause: int) -> Draft:
        """``When the [X] came in, [Y]``: the clause of the subject stands before the one of the word of Y."""
        verb_at = sentence.words[subject].head
        pronoun = min(sentence.children(clause, "nsubj"))
        last = max(sentence.subtree(verb_at))
        pronoun = min(sentence.subtree(pronoun))
        link = self._links.before_the_main_clause(sentence, verb_at, subject)
        if any(sentence.words[index].text != "," for index in range(last + 1, pronoun)):
            raise Unfit("more than a comma stands before the word of Y")
        joined = [index for index in sentence.children(verb_at, "conj") if index > verb_at]
        words, verb = self._chain(sentence, verb_at, joined[-1] if joined else verb_at, last + 1)
        losses.refuse_in_fronted(sentence, subject, pronoun, words)
        if words[-1] in self._lexicon.links - {"that", "what", "so", "since", "before", "after"}:
            raise Unfit("another clause stands before the word of Y")
        if len(words) == len(verb.words) and (verb.lemma == "be" or verb.lemma in self._reporting):
            raise Unfit("nothing is said of the subject")
        self._refuse_long_or_telling(words)
        opening = _plain(link).capitalize()
        lost = losses.left_out(sentence, subject, pronoun, words)
        return Draft(f"{opening} the [X] {_plain(words)}, [Y]", verb.lemma, verb.tense, lost)

    def _refuse_long_or_telling(self, words: list[str]) -> None:
        """Raise `Unfit` where a predicate is long, or has a pronoun that tells of Y."""
        if len(words) > MOST_WORDS:
            raise Unfit("more than a short predicate")
        if self._lexicon.pronouns.keys() & {*words}:
            raise Unfit("another word tells of Y")

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
        fronted = [clause for clause in sentence.children(root, "advcl") if clause < min(subjects, default=0)]
        subjects = (*subjects, *(index for clause in fronted for index in sentence.children(clause, "nsubj")))
        return any(sentence.words[index].text == STAND_INS["[X]"] for index in subjects)

    def _refuse_quotations(self, sentence: Sentence, subject: int, anchor: int, says: bool) -> None:
        """Raise `Unfit` where what somebody says is quoted: *"Yes," he added, turning round, as he left*."""
        root = sentence.words[subject].head
        lemma = base(sentence.words[root].text.lower())
        reports = self._lexicon.family(lemma) == "reporting" and lemma not in SAYING_ALONE
        begins = min(sentence.subtree(subject))
        after_a_quotation = begins > 0 and sentence.words[begins - 1].text.endswith(QUOTES)
        if after_a_quotation and self._lexicon.family(lemma) == "reporting" and anchor == root and not says:
            raise Unfit("what is said stands elsewhere")
        if reports and anchor != root and not sentence.children(root, "obj", "iobj", "xcomp", "ccomp"):
            raise Unfit("what is said stands elsewhere")

    def _refuse_clause_of_another_verb(self, sentence: Sentence, clause: int) -> None:
        """Raise `Unfit` where the clause may open the next one: *he wired -- when no word came he thought that*."""
        if sentence.words[clause].kind != "advcl":
            return
        clause_words = sentence.subtree(clause)
        first = min(index for index in clause_words if sentence.words[index].tag != "PUNCT")
        if sentence.words[first - 1].text in BREAKS:
            raise Unfit("the clause may belong to another verb")
        rest = [
            index for index in range(max(clause_words) + 1, len(sentence.words)) if sentence.words[index].tag != "PUNCT"
        ]
        for index in rest:
            word = sentence.words[index]
            if word.kind == "nsubj" and word.head not in clause_words and min(sentence.subtree(index)) == rest[0]:
                raise Unfit("the clause may belong to another verb")

    def _refuse_owner_of_no_noun(self, sentence: Sentence, subject: int, clause: int) -> None:
        """Raise `Unfit` where *her* is read as the owner of what is no noun: *greeted her warmly*."""
        for word in sentence.words[subject + 1 : min(sentence.subtree(clause))]:
            if word.relation == "nmod:poss" and sentence.words[word.head].tag not in ("NOUN", "PROPN", "ADJ"):
                raise Unfit("an object stands elsewhere")

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
        says_what = bool(sentence.children(sentence.words[clause].head, "obj", "iobj", "xcomp"))
        reports = (
            speaks if alone else self._lexicon.family(verb.lemma) == "reporting" and verb.shape is not Shape.PASSIVE
        )
        if reports and not said and not says_what and verb.lemma not in SAYING_ALONE:
            raise Unfit("what is said stands elsewhere")
        told = words[len(verb.words) :] if words[: len(verb.words)] == [*verb.words] else []
        if not said and verb.lemma in (*TELLING, *WHAT_IS_ASKED) and len(told) == 1:
            raise Unfit("what is said stands elsewhere")
        if link[0] == "as" and alone and self._lexicon.family(verb.lemma) == "thinking":
            raise Unfit("what is said stands elsewhere")
        nobody_told = words[-1] in verb.words and verb.shape is not Shape.PASSIVE
        if said and verb.lemma in TELLING and nobody_told:
            raise Unfit("nobody is told")
        lemma = base(anchor.text.lower())
        governs = said and (lemma in self._reporting or lemma in TELLING or anchor.text.lower() in SURE)
        if link == ["that"] and not governs and "so" not in words:
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
        words, verb = self._predicate(self._bare_phrases, sentence, root, len(sentence.words))
        if len(words) == 1 and sentence.words[root].tag == "AUX":
            raise Unfit("nothing is said of the subject")
        if len(words) == 1 and verb.lemma in self._reporting:
            raise Unfit("what is said stands elsewhere")
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
        if sentence.children(root, "cop") and word.lemma.lower() in NO_NEWS:
            raise Unfit("nothing is said of the subject")
        called = word.tag == "NOUN" and sentence.children(root, "cop") and not sentence.children(root, "case")
        if called and not self._lexicon.is_person(word.lemma.lower()):
            raise Unfit("the subject is called no person")

    def _chain(self, sentence: Sentence, root: int, anchor: int, stop: int) -> tuple[list[str], Verb]:
        """The predicates before ``stop``, from the root to the verb that a clause hangs on: ``stood up and said``."""
        words, verb = self._predicate(self._phrases, sentence, root, stop)
        covered = root
        while covered != anchor:
            (step,) = [child for child in sentence.children(covered) if _is_above(sentence, child, anchor)]
            kind = sentence.words[step].kind
            if step < covered or (kind == "advcl" and sentence.words[covered].kind == "advcl" and covered != root):
                raise Unfit("verbs joined by no plain word")
            if kind == "conj":
                linked = [sentence.words[index].text.lower() for index in sentence.children(step, "cc")]
                if len(linked) != 1 or linked[0] not in JOINED or sentence.children(step, "nsubj"):
                    raise Unfit("verbs joined by no plain word")
                more, verb = self._predicate(self._phrases, sentence, step, stop, verb.shape)
                words += [*linked, *more]
            elif kind == "advcl":
                if not is_participle_clause(sentence, step):
                    raise Unfit("verbs joined by no plain word")
                if any(straight(sentence.words[index].text) in TURNING for index in sentence.children(step, "advmod")):
                    raise Unfit("an adverb turns what is said")
                lemma = base(sentence.words[step].text.lower())
                if words[-1] in verb.words and verb.lemma not in (*INTRANSITIVE, *SAYING_ALONE):
                    raise Unfit("an object stands elsewhere")
                verb = Verb((gerund(lemma),), lemma, verb.tense, Shape.PROGRESSIVE)
                words += [*verb.words, *self._phrases.arguments(sentence, step, stop)]
            covered = step
        return words, verb

    def _predicate(
        self, phrases: Phrases, sentence: Sentence, head: int, stop: int, shared: Shape | None = None
    ) -> tuple[list[str], Verb]:
        """The verb of a clause and what belongs to it before ``stop``."""
        word = sentence.words[head]
        copula = sentence.children(head, "cop")
        if copula:
            verb = finite(sentence, head, copula[0])
            complement = phrases.complement(sentence, head)
            phrases.refuse_more_that_is_denied(sentence, head, stop, verb, complement)
            self._refuse_lost_complements(sentence, head, stop)
            return [*verb.words, *complement, *phrases.arguments(sentence, head, stop)], verb
        if word.tag not in ("VERB", "AUX") or (word.tag == "AUX" and straight(word.text) in MODALS):
            raise Unfit("no verb")
        verb = finite(sentence, head, head, shared)
        arguments = phrases.arguments(sentence, head, stop)
        phrases.refuse_lost_adverbs(sentence, head, stop, verb, arguments)
        phrases.refuse_what_stands_elsewhere(sentence, head, stop, arguments)
        phrases.refuse_lost_places(sentence, head, stop, verb, arguments)
        phrases.refuse_more_that_is_denied(sentence, head, stop, verb, arguments)
        return [*verb.words, *arguments], verb

    def _refuse_lost_complements(self, sentence: Sentence, head: int, stop: int) -> None:
        """Raise `Unfit` where an adjective is cut off from what it is about: *was fond of reading*."""
        clauses = [child for child in sentence.children(head, "advcl") if head < child < stop]
        if sentence.words[head].tag == "ADJ" and clauses:
            raise Unfit("a part of what is left out")


def _plain(words: list[str]) -> str:
    if not all(PLAIN_WORD.fullmatch(word) for word in words):
        raise Unfit("something that is no word")
    return " ".join(words)


def _is_above(sentence: Sentence, index: int, other: int) -> bool:
    return index == other or index in sentence.ancestors(other)
