"""Spanish wording: articles and their contractions, words that agree with a group, and capitals."""

import re
from collections.abc import Mapping

from bvf import Prompt, Template
from bvf.files import LanguageInFiles

ARTICLE = re.compile(r"\b(al|del|el|un) (?=\[X\])", re.IGNORECASE)
ARTICLES = {
    "masculine": {"al": "al", "del": "del", "el": "el", "un": "un"},
    "feminine": {"al": "a la", "del": "de la", "el": "la", "un": "una"},
    "masculine plural": {"al": "a los", "del": "de los", "el": "los", "un": "unos"},
    "feminine plural": {"al": "a las", "del": "de las", "el": "las", "un": "unas"},
}
STRESSED_A = re.compile(r"(ama|alma|aya|hada|águila)\b")
"""Feminine nouns that begin with a stressed a, before which the singular article is *el*, *un*: el ama de casa."""
SENTENCE_BEGINS = re.compile(r"(^[¿¡«\"(]*|[.!?…][»\")]?\s+[¿¡«\"(]*)\[X\]")
STOP = re.compile(r"[.!?]$")
YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
FUNCTION_WORD = re.compile(
    r"(al?|ante|aquel(la)?|aunque|cada|como|con|cuando|del?|desde|después|dicen|el|en(tre)?|es[ae]|est[ae]|hasta|las?|los"
    r"|me|mi|nos|para|pero|por(que)?|según|si|sin|sobre|su|todos|tras|tu|una?|ya?)\b",
    re.IGNORECASE,
)
"""What begins a sentence with a capital and has none inside it."""
PREPOSITIONS = frozenset(("a", "al", "con", "de", "del", "en", "por", "sin"))
ONE_FORM = re.compile(r"(?:.*(?:terior|perior|ferior)|mayor|menor|mejor|peor|cortés|descortés|montés|marrón|.*[íú])$")
FEMININE = (("o", "a"), ("án", "ana"), ("és", "esa"), ("ín", "ina"), ("ón", "ona"), ("or", "ora"))
OF_ORIGIN = {"andaluz": "andaluza", "español": "española", "mallorquín": "mallorquina"}


class Spanish(LanguageInFiles):
    """The wording rules of Spanish.

    A template is worded as for a masculine singular: ``El [X]``, ``un [X]``, ``al [X]``, ``del [X]``. The article takes
    the ``gender`` and ``number`` of the group in ``[group_features]`` of the topic, by default masculine and singular.
    Other words of a template do not change, so it should have none that agree with ``[X]``. For groups of common
    gender, such as *dentista*, write *su*, *mi* or *cada* before ``[X]``.
    """

    code = "es"
    default_topic = "gender"
    default_model = "Qwen/Qwen2.5-0.5B"

    def render(self, template: Template, group: str) -> Prompt:
        """Make the prompt of a masculine singular."""
        return self.agree(template, group, {})

    def agree(self, template: Template, group: str, features: Mapping[str, str]) -> Prompt:
        """Fill ``[X]`` with the article of the group, with a capital where a sentence begins, and split at ``[Y]``."""
        text = ARTICLE.sub(lambda found: f"{_article(found[1], group, features)} ", template.text)
        before, _, after = text.partition("[Y]")
        if "[X]" in before:  # else a causal model looks for the group on the right, as it is
            before, after = (_capitalised(part, group) for part in (before, after))
        left, right = before.replace("[X]", group), after.replace("[X]", group)
        return Prompt(left.rstrip(), right, group, template.text, spaced=not left or left != left.rstrip())

    def word_form(self, word: str, features: Mapping[str, str]) -> str:
        """Return an adjective or participle in the gender and number of a group.

        Of several words those before the first preposition change: *nacida en Cuba*.

        >>> [Spanish().word_form(word, {"gender": "feminine"}) for word in ("violento", "alemán", "mayor", "joven")]
        ['violenta', 'alemana', 'mayor', 'joven']
        """
        words = word.split()
        until = next((place for place, each in enumerate(words) if each in PREPOSITIONS), len(words))
        return " ".join([*(_form(each, features) for each in words[:until]), *words[until:]])

    def inside(self, template: str) -> str:
        """Write the first letter small if the first word is a function word: names keep their capital.

        >>> Spanish().inside("El [X] dijo que era [Y]")
        'el [X] dijo que era [Y]'
        """
        return template[0].lower() + template[1:] if FUNCTION_WORD.match(template) else template

    def harmless(self, template: str) -> Mapping[str, str]:
        """Add or remove the full stop, or change a year to the next."""
        changed = {
            "stop": STOP.sub("", template) if STOP.search(template) else f"{template}.",
            "year": YEAR.sub(lambda year: str(int(year[0]) + 1), template),
        }
        return {swap: text for swap, text in changed.items() if text != template}


def _article(masculine: str, group: str, features: Mapping[str, str]) -> str:
    number = " plural" if features.get("number") == "plural" else ""
    gender = features.get("gender", "masculine")
    if not number and STRESSED_A.match(group):
        gender = "masculine"
    article = ARTICLES[f"{gender}{number}"][masculine.lower()]
    return article[0].upper() + article[1:] if masculine[0].isupper() else article


def _form(word: str, features: Mapping[str, str]) -> str:
    form = word
    if features.get("gender") == "feminine" and not ONE_FORM.match(word):
        form = OF_ORIGIN.get(word, word)
        form = next((f"{form[: -len(end)]}{its}" for end, its in FEMININE if form.endswith(end)), form)
    return plural(form) if features.get("number") == "plural" else form


def plural(word: str) -> str:
    """Return the plural of a noun or adjective.

    >>> [plural(word) for word in ("médica", "capaz", "alemán", "marroquí", "autobús")]
    ['médicas', 'capaces', 'alemanes', 'marroquíes', 'autobuses']
    """
    if word.endswith("joven"):
        return f"{word[:-5]}jóvenes"
    if word.endswith("z"):
        return f"{word[:-1]}ces"
    if word[-1] in "aeoáéó":
        return f"{word}s"
    unstressed = word.translate(str.maketrans("áéíóú", "aeiou")) if word[-1] in "ns" else word
    return f"{unstressed}es"


def _capitalised(text: str, group: str) -> str:
    """A text in which the group is filled in with a capital where a sentence begins."""
    return SENTENCE_BEGINS.sub(lambda begun: f"{begun[1]}{group[:1].upper()}{group[1:]}", text)
