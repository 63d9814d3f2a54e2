"""English templates: verbs in the past tense, shortened noun phrases, and a link that leads to ``[Y]``."""

import re

from bvf_stanza import Draft, Grammar, Lexicon, Sentence, Unfit
from bvf_stanza.reader import RELATIVE, governing_verb, is_fronted

from bvf_en.mining import lists, lost_meaning
from bvf_en.mining.links import ASKING, TELLING, WH, Links, begin_of_subject
from bvf_en.mining.lists import listed
from bvf_en.mining.phrases import Phrases
from bvf_en.mining.predicates import SAYING_ALONE, Predicates
from bvf_en.mining.verbs import DENIALS, MODALS, NOT, Shape, Verb, base, straight

PLAIN_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*,?")
NOBODY = listed("no neither few nobody none every each any")
QUOTES = ('"', "'", "\u201d", "\u2019")
BREAKS = ("-", "--", "\u2013", "\u2014", ";", ":")
COMPLEMENTISERS = ("that", "if", "whether", *WH)
WHAT_IS_ASKED = ("ask", "inquire", "enquire", "demand")
SURE = listed("""
    sure certain glad afraid aware unaware sorry confident proud happy convinced surprised anxious doubtful
    conscious unconscious positive grateful thankful angry delighted pleased satisfied hopeful fearful ashamed
    careful amazed astonished disappointed determined adamant insistent mindful relieved worried annoyed uncertain
    clear unhappy unsure fortunate lucky optimistic eager content resolved scared
""")
NO_NEWS = ("person", "someone", "somebody", "one", "character")
COMPLETING = ("obj", "iobj", "xcomp", "ccomp", "compound")
OF_WHAT_IS_SAID = ("for", "though", "although", "till", "as if", "as though")
OF_THE_MAIN_CLAUSE = (*OF_WHAT_IS_SAID, "until", "as", "if", "while")
REQUESTING = listed("request require demand order command beg entreat forbid insist urge")
MOST_WORDS = 15
STAND_IN, DESCRIBED_AS = "doctor", "good"
BEFORE_NOUN = "The [Y] [X]"


class English(Grammar):
    """Writes ``The [X] <verb> <objects> <link> [Y]``, ``The [X], who <verb>, is [Y]`` and ``The [Y] [X] <verb>``."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._links = Links(lexicon)
        self._predicates = Predicates(Phrases(lexicon, with_details=True))
        self._bare_predicates = Predicates(Phrases(lexicon, with_details=False))

    def write(self, sentence: Sentence, subject: int, clause: int | None) -> Draft:
        """Return the template of a sentence; raises `Unfit`.

        Verbs are in the past tense, names and numbers are left out.
        """
        root = sentence.words[subject].head
        self._refuse_inversion(sentence, subject, root)
        if clause is None:
            return self._whole_predicate(sentence, root)
        if is_fronted(sentence, subject, clause):
            return self._fronted(sentence, subject, clause)
        anchor, kind = sentence.words[clause].head, sentence.words[clause].kind
        adverb = self._links.of_an_adverb(sentence, clause)
        if adverb or kind == RELATIVE:
            return self._of_a_phrase(sentence, subject, clause, adverb)
        if anchor != governing_verb(sentence, clause):
            raise Unfit("a comparison")
        self._refuse_quotations(sentence, subject, anchor, kind == "ccomp")
        begins = min(sentence.subtree(clause))
        written, verb = self._predicates.chain(sentence, root, anchor, begins)
        words = _without_commas(written)
        link = self._links.to_a_later_clause(sentence, anchor, clause)
        self._refuse_another_verb_above(sentence, root, clause, link)
        lost_meaning.refuse(sentence, subject, clause, words, link)
        self._refuse_clause_of_another_verb(sentence, clause)
        self._refuse_owner_of_no_noun(sentence, subject, clause)
        self._refuse_what_does_not_lead_on(sentence, clause, words, verb, link)
        self._refuse_long_or_telling(words)
        is_whole = kind == "ccomp" and anchor == root
        lost = 0 if is_whole else lost_meaning.left_out(sentence, subject, begins, words)
        return Draft(f"The [X] {_plain([*written, *link])} [Y]", verb.lemma, verb.tense, lost)

    def _fronted(self, sentence: Sentence, subject: int, clause: int) -> Draft:
        """The template of a fronted clause: ``When the [X] came in, [Y]``.

        The subject's clause is subordinate to that of ``[Y]``.
        """
        verb_at = sentence.words[subject].head
        last = max(sentence.subtree(verb_at))
        pronoun = min(sentence.subtree(min(sentence.children(clause, "nsubj"))))
        link = self._links.before_the_main_clause(sentence, verb_at, subject)
        if any(sentence.words[index].text != "," for index in range(last + 1, pronoun)):
            raise Unfit("more than a comma stands before the word of Y")
        written, verb = self._predicates.chain(sentence, verb_at, verb_at, last + 1)
        words = _without_commas(written)
        lost_meaning.refuse_in_fronted(sentence, subject, pronoun, words)
        if words[-1] in self._lexicon.links - {"that", "what", "so", "since", "before", "after"}:
            raise Unfit("another clause stands before the word of Y")
        lost = lost_meaning.left_out(sentence, subject, pronoun, words)
        if len(words) == len(verb.words) and (lost or verb.lemma == "be" or verb.lemma in self._lexicon.governing):
            raise Unfit("nothing is said of the subject")
        self._refuse_long_or_telling(words)
        return Draft(f"{_plain(link).capitalize()} the [X] {_plain(written)}, [Y]", verb.lemma, verb.tense, lost)

    def _of_a_phrase(self, sentence: Sentence, subject: int, clause: int, adverb: list[str]) -> Draft:
        """The template in which ``[Y]`` begins a noun's or adverb's clause: ``The [X] read the letter that [Y]``."""
        verb_at = governing_verb(sentence, clause)
        self._refuse_what_completes_it(sentence, verb_at, clause)
        link = adverb or self._links.to_a_relative_clause(sentence, verb_at, clause)
        begins = begin_of_subject(sentence, clause) - len(adverb) if adverb else min(sentence.subtree(clause))
        if verb_at >= begins or any(word.head >= begins for word in sentence.words[:begins]):
            raise Unfit("the clause may belong to another verb")
        before = Sentence(sentence.words[:begins])
        written, verb = self._predicates.chain(before, sentence.words[subject].head, verb_at, begins)
        words = _without_commas(written)
        last = max(index for index in range(begins) if sentence.words[index].tag != "PUNCT")
        if not adverb and words[-1].rpartition("-")[2] != sentence.words[last].text.lower():
            raise Unfit("a part of what is left out")
        lost_meaning.refuse(sentence, subject, clause, words, link)
        if not adverb and _follows_stop(sentence, sentence.words[clause].head) and _follows_stop(sentence, subject):
            raise Unfit("an object stands elsewhere")
        self._refuse_owner_of_no_noun(sentence, subject, clause)
        self._refuse_long_or_telling(words)
        lost = lost_meaning.left_out(sentence, subject, begins, words)
        return Draft(f"The [X] {_plain([*written, *link])} [Y]", verb.lemma, verb.tense, lost)

    def _refuse_what_completes_it(self, sentence: Sentence, verb: int, clause: int) -> None:
        """Raise `Unfit` if a verb's complement follows the clause (*said in a voice that*), or is missing for *say*."""
        if any(child > clause for child in sentence.children(verb, *COMPLETING)):
            raise Unfit("an object stands elsewhere")
        is_denied = any(straight(sentence.words[index].text) in NOT for index in sentence.children(verb, "advmod"))
        if is_denied and any(child > clause for child in sentence.children(verb, "obl", "advmod")):
            raise Unfit("the negation is of something else")
        reports = self._lexicon.family(base(sentence.words[verb].text.lower())) == "reporting"
        if reports and not sentence.children(verb, "obj", "xcomp"):
            raise Unfit("what is said stands elsewhere")

    def _refuse_long_or_telling(self, words: list[str]) -> None:
        """Raise `Unfit` if the words of a predicate are too many, or include a pronoun that reveals the gender."""
        if len(words) > MOST_WORDS:
            raise Unfit("more than a short predicate")
        if self._lexicon.pronouns.keys() & {*words}:
            raise Unfit("another word tells of Y")

    def filled(self, template: str) -> str:
        """Return a template as a full sentence: a noun replaces ``[X]``, a word ``[Y]``, and an ending is added."""
        text = template.replace("[X]", STAND_IN)
        if template.startswith(BEFORE_NOUN):
            return f"{text.replace('[Y]', DESCRIBED_AS)}."
        return text.replace("[Y]", "tired.") if ", is [Y]" in text else f"{text.replace('[Y]', 'she')} was there."

    def reads_as_filled(self, sentence: Sentence) -> bool:
        """Whether the noun that fills ``[X]`` is the subject of the main verb or of a clause before it."""
        (root,) = sentence.roots()
        subjects = sentence.children(root, "nsubj")
        fronted = [clause for clause in sentence.children(root, "advcl") if clause < min(subjects, default=0)]
        subjects = (*subjects, *(index for clause in fronted for index in sentence.children(clause, "nsubj")))
        return any(sentence.words[index].text == STAND_IN for index in subjects)

    def _refuse_quotations(self, sentence: Sentence, subject: int, anchor: int, says: bool) -> None:
        """Raise `Unfit` if a verb of saying belongs to a quotation: *"Yes," he added, turning round, as he left*."""
        root = sentence.words[subject].head
        lemma = base(sentence.words[root].text.lower())
        if self._lexicon.family(lemma) != "reporting":
            return
        begins = min(sentence.subtree(subject))
        after_a_quotation = begins > 0 and sentence.words[begins - 1].text.endswith(QUOTES)
        says_nothing = lemma not in SAYING_ALONE and not sentence.children(root, "obj", "iobj", "xcomp", "ccomp")
        is_main = anchor == root
        if (is_main and after_a_quotation and not says) or (not is_main and says_nothing):
            raise Unfit("what is said stands elsewhere")

    def _refuse_another_verb_above(self, sentence: Sentence, root: int, clause: int, link: list[str]) -> None:
        """Raise `Unfit` if the clause may depend on a higher verb: *did not know she was here till she*."""
        if sentence.words[clause].kind != "advcl":
            return
        anchor = sentence.words[clause].head
        kind = sentence.words[root].kind
        led_alike = kind == "advcl" and link[0] in sentence.texts(root, "mark")
        of_the_whole = " ".join(link) in {"ccomp": OF_WHAT_IS_SAID, "advcl": OF_THE_MAIN_CLAUSE}.get(kind, ())
        seems = _seems(base(sentence.words[anchor].text.lower()), link)
        of_what_is_meant = kind == "ccomp" and link == ["if"] and _has_modal(sentence, sentence.words[root].head)
        of_another = sentence.words[anchor].kind == "advcl" and anchor != root
        if led_alike or of_what_is_meant or of_another or (of_the_whole and not seems):
            raise Unfit("the clause may belong to another verb")
        to_do = [child for child in sentence.children(anchor, "advcl") if sentence.children(child, "mark")]
        is_passive = any(sentence.words[index].relation == "aux:pass" for index in sentence.children(anchor, "aux"))
        completing = (*sentence.children(anchor, *COMPLETING), *(to_do if is_passive else ()))
        if any(child > clause for child in completing):
            raise Unfit("an object stands elsewhere")

    def _refuse_clause_of_another_verb(self, sentence: Sentence, clause: int) -> None:
        """Raise `Unfit` if the clause may depend on a later one: *he wired -- when no word came he thought that*."""
        if sentence.words[clause].kind != "advcl":
            return
        clause_words = sentence.subtree(clause)
        first = min(index for index in clause_words if sentence.words[index].tag != "PUNCT")
        if sentence.words[first - 1].text in BREAKS:
            raise Unfit("the clause may belong to another verb")
        after = range(max(clause_words) + 1, len(sentence.words))
        rest = [index for index in after if sentence.words[index].tag != "PUNCT"]
        for index in rest:
            word = sentence.words[index]
            if word.kind == "nsubj" and word.head not in clause_words and min(sentence.subtree(index)) == rest[0]:
                raise Unfit("the clause may belong to another verb")

    def _refuse_owner_of_no_noun(self, sentence: Sentence, subject: int, clause: int) -> None:
        """Raise `Unfit` if *her* is parsed as the possessor of a word that is not a noun: *greeted her warmly*."""
        for word in sentence.words[subject + 1 : min(sentence.subtree(clause))]:
            if word.relation == "nmod:poss" and sentence.words[word.head].tag not in ("NOUN", "PROPN", "ADJ"):
                raise Unfit("an object stands elsewhere")

    def _refuse_what_does_not_lead_on(
        self, sentence: Sentence, clause: int, words: list[str], verb: Verb, link: list[str]
    ) -> None:
        """Raise `Unfit` if the predicate cannot precede its link: *said as*, *told that*, *ran that*, *was and*."""
        alone = len(words) == len(verb.words)
        if alone and verb.lemma == "be":
            raise Unfit("nothing is said of the subject")
        if _seems(verb.lemma, link):
            return
        is_said = sentence.words[clause].kind == "ccomp" and link[0] in COMPLEMENTISERS
        if (not is_said and self._says_elsewhere(sentence, clause, words, verb)) or (
            link[0] == "as" and alone and self._lexicon.family(verb.lemma) == "thinking"
        ):
            raise Unfit("what is said stands elsewhere")
        is_active = verb.shape is not Shape.PASSIVE
        if is_said and is_active and verb.lemma in TELLING and words[-1] in verb.words:
            raise Unfit("nobody is told")
        anchor = sentence.words[sentence.words[clause].head]
        lemma = base(anchor.text.lower())
        governs = lemma in self._lexicon.governing or lemma in TELLING or anchor.text.lower() in SURE
        if link == ["that"] and (words[-1] == "this" or not ("so" in words or (is_said and governs))):
            raise Unfit("no plain word leads to the clause")
        if is_said and lemma in REQUESTING:
            raise Unfit("the word of Y need not mean the subject")
        asks = {verb.lemma, lemma} & {*ASKING} or anchor.tag == "ADJ" or {*DENIALS} & {*words}
        if is_said and link[0] == "if" and not asks:
            raise Unfit("no plain word leads to the clause")

    def _says_elsewhere(self, sentence: Sentence, clause: int, words: list[str], verb: Verb) -> bool:
        """Whether the content of a verb of saying is missing: *told him when*. The later clause does not supply it."""
        anchor, lexicon = sentence.words[clause].head, self._lexicon
        if verb.lemma in lexicon.governing and _is_aside(sentence, anchor):
            return True
        if len(words) == len(verb.words):
            reports = verb.lemma in lexicon.governing or verb.lemma in WHAT_IS_ASKED
        else:
            reports = lexicon.family(verb.lemma) == "reporting" and verb.shape is not Shape.PASSIVE
        if reports and verb.lemma not in SAYING_ALONE and not sentence.children(anchor, "obj", "iobj", "xcomp"):
            return True
        has_one_word = len(words) == len(verb.words) + 1 and words[:-1] == [*verb.words]
        return has_one_word and verb.lemma in (*TELLING, *WHAT_IS_ASKED)

    def _refuse_inversion(self, sentence: Sentence, subject: int, root: int) -> None:
        """Raise `Unfit` if the verb precedes its subject (*not only did he*), or the subject is indefinite."""
        if any(index < subject for index in sentence.children(root, "aux", "cop")):
            raise Unfit("the verb stands before its subject")
        if sentence.words[root - 1].text == "," and root - 2 in (subject, *sentence.children(subject, "flat")):
            raise Unfit("no verb")
        beside = {*sentence.texts(subject, "det", "amod")}
        if beside & {"other", "another"}:
            raise Unfit("the word of Y need not mean the subject")
        is_bare = sentence.words[subject].text.lower() in ("man", "woman") and not sentence.children(subject, "det")
        if beside & {*NOBODY} or ((is_bare or beside & {"a", "an"}) and _is_timeless(sentence, root)):
            raise Unfit("the subject is nobody")

    def _whole_predicate(self, sentence: Sentence, root: int) -> Draft:
        self._refuse_nouns_of_predicate(sentence, root)
        words, verb = self._bare_predicates.predicate(sentence, root, len(sentence.words))
        if len(words) == 1 and sentence.words[root].tag == "AUX":
            raise Unfit("nothing is said of the subject")
        if len(words) == 1 and verb.lemma in self._lexicon.governing:
            raise Unfit("what is said stands elsewhere")
        return Draft(f"The [X], who {_plain(words)}, is [Y]", verb.lemma, verb.tense)

    def write_before_noun(self, sentence: Sentence, subject: int, last: int) -> Draft:
        """Return ``The [Y] [X] played a role``, or ``The [Y] [X] said``: what is said or thought is left out."""
        if sentence.words[subject].tag != "NOUN":
            raise Unfit("the subject is not a noun")
        root = sentence.words[subject].head
        self._refuse_inversion(sentence, subject, root)
        self._refuse_nouns_of_predicate(sentence, root)
        said = sentence.children(root, "ccomp")
        governs = base(sentence.words[root].text.lower()) in self._lexicon.governing
        stop = min(sentence.subtree(said[0])) if said and governs and said[0] > root else len(sentence.words)
        words, verb = self._bare_predicates.predicate(sentence, root, stop)
        if len(words) == 1 and sentence.words[root].tag == "AUX":
            raise Unfit("nothing is said of the subject")
        if verb.lemma in self._lexicon.governing and not said and words[-1] in verb.words:
            raise Unfit("what is said stands elsewhere")
        self._refuse_long_or_telling(words)
        return Draft(f"{BEFORE_NOUN} {_plain(words)}", verb.lemma, verb.tense)

    def _refuse_nouns_of_predicate(self, sentence: Sentence, root: int) -> None:
        """Raise `Unfit` if the predicate has no content (*is one*), or names a thing (*is a film*) or an occupation."""
        word = sentence.words[root]
        if sentence.children(root, "cop"):
            if word.lemma.lower() in NO_NEWS:
                raise Unfit("nothing is said of the subject")
            is_called = word.tag == "NOUN" and not sentence.children(root, "case")
            if is_called and not self._lexicon.is_person(word.lemma.lower()):
                raise Unfit("the subject is called no person")
        for index in sentence.subtree(root):
            noun = sentence.words[index].lemma.lower()
            is_noun = index >= root and sentence.words[index].tag == "NOUN"
            if is_noun and self._lexicon.is_person(noun) and noun not in self._lexicon.no_occupations:
                raise Unfit("the predicate names an occupation")


def _is_timeless(sentence: Sentence, verb: int) -> bool:
    """Whether a predicate is generic (present tense, or with a modal): *an archbishop would swear that he*."""
    helpers = [sentence.words[index] for index in sentence.children(verb, "aux", "cop")]
    return _has_modal(sentence, verb) or any("Tense=Pres" in word.features for word in (*helpers, sentence.words[verb]))


def _has_modal(sentence: Sentence, verb: int) -> bool:
    return any(straight(sentence.words[index].text) in MODALS for index in sentence.children(verb, "aux"))


def _is_aside(sentence: Sentence, verb: int) -> bool:
    """Whether a verb and its subject form an aside: *They had come, she thought sadly, because*."""
    subjects = sentence.children(verb, "nsubj")
    return sentence.words[verb].kind == "parataxis" and bool(subjects) and sentence.words[subjects[0] - 1].text == ","


def _follows_stop(sentence: Sentence, head: int) -> bool:
    """Whether a phrase begins with or after punctuation: *he came, she went on, to the fact that*."""
    first = min(sentence.subtree(head))
    return first > 0 and "PUNCT" in (sentence.words[first].tag, sentence.words[first - 1].tag)


def _seems(lemma: str, link: list[str]) -> bool:
    """Whether verb and link are like *felt as if*, *looked as though*."""
    return lemma in lists.LINKING and link in (["as", "if"], ["as", "though"])


def _without_commas(words: list[str]) -> list[str]:
    return [word.rstrip(",") for word in words]


def _plain(words: list[str]) -> str:
    if not all(PLAIN_WORD.fullmatch(word) for word in words):
        raise Unfit("something that is no word")
    return " ".join(words)
