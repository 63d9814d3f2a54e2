"""Puts English verbs into the past tense, and keeps modal, negation, passive and progressive."""

from dataclasses import dataclass
from enum import Enum

from bvf_stanza import Sentence, Unfit, Word
from lemminflect import getInflection, getLemma

from bvf_en.mining.lists import listed

MODALS = {
    **{"can": "could", "will": "would", "shall": "should", "may": "might", "must": "must", "ought": "ought"},
    **{"ca": "could", "wo": "would", "'ll": "would"},
    **{past: past for past in ("could", "would", "should", "might")},
}

NOT = ("not", "n't")
DENIALS = (*NOT, "never", "hardly", "scarcely", "barely", "seldom", "rarely")
TURNING = listed("almost nearly neither nor no little longer half nowhere")
FOCUS = listed("but only merely just simply alone even so before since yet")


class Shape(Enum):
    """The form that the auxiliaries require of a verb."""

    FINITE = "said"
    BASE = "would say"
    PASSIVE = "was told"
    PROGRESSIVE = "was waiting"


@dataclass(frozen=True)
class Verb:
    """The words of a verb in the template, its lemma, its tense in the text, and the form its auxiliaries require."""

    words: tuple[str, ...]
    lemma: str
    tense: str
    shape: Shape


def finite(sentence: Sentence, head: int, verb: int, shared: Shape | None = None) -> Verb:
    """Return a verb, or the copula of ``head``, in the past tense.

    ``shared`` is the form that the auxiliaries of the previous verb require, if this one is joined to it: *would stop
    and say*. Raises `Unfit` if the verb has no such form, or an adverb changes its meaning (*almost*).
    """
    word = sentence.words[verb]
    helpers = [sentence.words[index] for index in sentence.children(head, "aux") if index < max(head, verb)]
    modal = next(filter(None, map(_modal, helpers)), "")
    no = _negation(sentence, head, verb)
    if straight(word.text) == "'d" or (verb and sentence.words[verb - 1].text == "-"):
        raise Unfit("no verb")
    _refuse_no_plain_tense(sentence, head, verb, helpers, modal)
    lemma = base(word.text.lower())
    tense = _tense(word, helpers, modal)
    if not helpers and not no and shared not in (None, Shape.FINITE) and lemma != "be":
        return Verb((_joined(word, lemma, shared),), lemma, tense, shared)
    if shared is Shape.BASE and not helpers and not no and word.text.lower() == "be":
        return Verb(("be",), lemma, tense, shared)
    unfinished = "VerbForm=Inf" in word.features or is_gerund(word.text)
    if shared is Shape.FINITE and not helpers and unfinished:
        raise Unfit("verbs joined in two forms")
    shape = _shape(word, helpers)
    perfect = bool(modal) and any(aux.lemma == "have" for aux in helpers)
    have = ("have", "been") if perfect else ("be",)
    was = (modal, *no, *have) if modal else ("was", *no)
    if lemma == "be":
        return Verb(was, lemma, tense, Shape.FINITE)
    if shape is Shape.PASSIVE:
        return Verb((*was, participle(word.text.lower(), lemma)), lemma, tense, shape)
    if shape is Shape.PROGRESSIVE:
        return Verb((*was, gerund(lemma)), lemma, tense, shape)
    if modal:
        to = ("to",) if modal == "ought" else ()
        rest = ("have", participle("", lemma)) if perfect else (_infinitive(lemma),)
        return Verb((modal, *no, *to, *rest), lemma, tense, Shape.FINITE if perfect else Shape.BASE)
    if no and no[0] == "not":
        return Verb(("did", *no, _infinitive(lemma)), lemma, tense, Shape.BASE)
    return Verb((*no, _past_as_it_stands(word, lemma)), lemma, tense, shape)


def _refuse_no_plain_tense(sentence: Sentence, head: int, verb: int, helpers: list[Word], modal: str) -> None:
    """Raise `Unfit` for verbs without a plain past tense: *is to go*, *let fall*, *'s gone*, *have gone*."""
    text, helping = sentence.words[verb].text.lower(), {straight(aux.text) for aux in helpers}
    subject = max(sentence.children(head, "nsubj"), default=verb)
    is_led = any(
        index < verb and (index > subject or sentence.words[index].text.lower() == "to")
        for index in sentence.children(head, "mark")
    )
    is_third_person = not {"i", "you", "we", "they"} & {*sentence.texts(head, "nsubj")}
    is_cut_off = "have" in helping and not modal and is_third_person
    is_helped = all(aux.lemma.lower() in ("be", "do", "have") or _modal(aux) for aux in helpers)
    has_got = base(text) == "get" and not modal and bool(helping & {"has", "have", "'s", "'ve"})
    is_cut_short = "'s" in helping and (text == "gone" or _shape(sentence.words[verb], helpers) is Shape.PASSIVE)
    if is_led or is_cut_off or not is_helped or has_got or is_cut_short:
        raise Unfit("no plain past tense")


def _past_as_it_stands(word: Word, lemma: str) -> str:
    """The past tense, in the text's form (*learnt*, *learned*) if possible. Raises `Unfit` for *she done it*."""
    text = word.text.lower()
    if not {"Tense=Past", "VerbForm=Fin"} <= word.features or not _base_forms(text):
        return past(lemma)
    if text not in inflections(lemma, "VBD") and not text.endswith(("ed", "t")):
        raise Unfit("no plain past tense")
    return text


def _modal(aux: Word) -> str:
    text = straight(aux.text)
    if text == "'d":
        return "would" if aux.lemma.lower() in ("would", "will") else ""
    return MODALS.get(text, "")


def _shape(word: Word, helpers: list[Word]) -> Shape:
    if any(aux.relation == "aux:pass" for aux in helpers):
        return Shape.PASSIVE
    continues = "VerbForm=Ger" in word.features or is_gerund(word.text)
    if continues and any(aux.lemma == "be" for aux in helpers):
        return Shape.PROGRESSIVE
    return Shape.FINITE


def _negation(sentence: Sentence, head: int, verb: int) -> tuple[str, ...]:
    """*not*, *never* or the like. Raises `Unfit` for *not only*, two negations, or an adverb such as *almost*."""
    negations: list[str] = []
    for index in sentence.children(head, "advmod"):
        text = straight(sentence.words[index].text)
        if text in TURNING and index < max(head, verb):
            raise Unfit("an adverb turns what is said")
        if text not in DENIALS:
            continue
        after = sentence.words[index + 1].text.lower() if index + 1 < len(sentence.words) else ""
        if after in FOCUS or index > max(head, verb):
            raise Unfit("the negation is of something else")
        negations.append("not" if text in NOT else text)
    if len(negations) > 1:
        raise Unfit("the negation is of something else")
    return tuple(negations)


def _joined(word: Word, lemma: str, shared: Shape) -> str:
    """A conjoined verb in the form that the first verb's auxiliaries require. A finite verb is in the past tense."""
    text = word.text.lower()
    if shared is Shape.BASE:
        if text == lemma and "Tense=Past" not in word.features:
            return lemma
        raise Unfit("verbs joined in two forms")
    if shared is Shape.PASSIVE and "VerbForm=Part" in word.features and not is_gerund(text):
        return participle(text, lemma)
    if shared is Shape.PROGRESSIVE and is_gerund(text):
        return gerund(lemma)
    if "VerbForm=Fin" in word.features:
        return past(lemma)
    raise Unfit("verbs joined in two forms")


def straight(text: str) -> str:
    """Return a word in lower case with a straight apostrophe."""
    return text.lower().replace("\u2019", "'")


def is_gerund(text: str) -> bool:
    """Whether a word ends in *-ing* and is not a base form.

    >>> is_gerund("singing"), is_gerund("sing")
    (True, False)
    """
    return text.lower().endswith("ing") and base(text.lower()) != text.lower()


def inflections(lemma: str, form: str) -> tuple[str, ...]:
    """Return the known forms of a verb for a Penn tag, such as VBD; empty for an unknown verb."""
    return tuple(map(str, getInflection(lemma, tag=form, inflect_oov=False)))


def past(verb: str) -> str:
    """Return the past tense of a verb in its base form. Raises `Unfit` for an unknown word, probably not a verb.

    >>> past("say"), past("put")
    ('said', 'put')
    """
    return _known(inflections(verb, "VBD"))


def participle(text: str, lemma: str) -> str:
    """Return the past participle of a verb; ``text`` if that is one. Raises `Unfit` for an unknown verb.

    >>> participle("give", "give"), participle("learned", "learn"), participle("hanged", "hang")
    ('given', 'learned', 'hanged')
    """
    lemmas = (lemma, *map(str, getLemma(text, upos="VERB", lemmatize_oov=False)))
    if text.endswith("ed") and lemma in lemmas[1:]:
        return text
    return text if any(text in inflections(one, "VBN") for one in lemmas) else _known(inflections(lemma, "VBN"))


def gerund(lemma: str) -> str:
    """Return the *-ing* form of a verb; raises `Unfit` for an unknown one.

    >>> gerund("lie")
    'lying'
    """
    return _known(inflections(lemma, "VBG"))


def _infinitive(lemma: str) -> str:
    """Return a base form unchanged. Raises `Unfit` if it has no past tense and so is not a verb."""
    past(lemma)
    return lemma


def _known(forms: tuple[str, ...]) -> str:
    if not forms:
        raise Unfit("no verb")
    return forms[0]


def _base_forms(verb: str) -> tuple[str, ...]:
    return tuple(getLemma(verb, upos="VERB", lemmatize_oov=False) or getLemma(verb, upos="AUX", lemmatize_oov=False))


def base(verb: str) -> str:
    """Return the base form of a verb. An unknown word is returned unchanged.

    >>> base("says"), base("told"), base("was"), base("blorf")
    ('say', 'tell', 'be', 'blorf')
    """
    return next(iter(_base_forms(verb)), verb)


def _tense(word: Word, helpers: list[Word], modal: str) -> str:
    if modal:
        return "Modal"
    features = [feature for one in (*helpers, word) for feature in sorted(one.features)]
    return next((feature.removeprefix("Tense=") for feature in features if feature.startswith("Tense=")), "")
