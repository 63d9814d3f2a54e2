"""The interface of a language: rules that make a prompt of a template and a group."""

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bvf.domain.context import Template
from bvf.domain.openings import Openings
from bvf.domain.pair import PAIR, PLACES
from bvf.domain.prompt import Prompt
from bvf.domain.topic import filled
from bvf.domain.variants.formats import Format
from bvf.domain.variants.frames import Frame
from bvf.errors import BvfError, ContractError

OTHER = "[other]"
"""What stands for the second person while the first is filled in."""


class Language(ABC):
    """The wording rules of one language.

    Attributes:
        code: ISO 639-1 code of the language, such as ``"en"``.
        default_topic: The topic of ``bvf run`` without ``--topic``.
        default_model: The model of ``bvf run`` without ``--model``, usually a bundled one.
        default_miner: The miner of ``bvf mine`` without ``--miner``; empty: the one called like the language, or the
            only one.
        between_words: The separator of two words of a phrase.
    """

    code: str
    default_topic: str
    default_model: str
    default_miner: str = ""
    between_words: str = " "

    def phrase(self, pattern: str, words: Mapping[str, str]) -> str:
        """Return a pattern such as ``"a [race] [gender]"`` with its slots filled. Articles are adapted."""
        return filled(pattern, words)

    def prompt(self, template: Template, group: str, features: Mapping[str, str] | None = None) -> Prompt:
        """Return the prompt for ``group`` in ``template``, with the media and the chat of the template.

        ``features`` are the features of the group in ``group_features`` of the topic.

        Raises:
            ContractError: The prompt of `render` lacks the group or still has a slot.
        """
        fill = self._with_both if template.of_pair else self.agree
        made = fill(template, group, features or {})
        text = made.left + made.right
        if "[X]" in text or "[Y]" in text or made.left != made.left.rstrip():
            raise ContractError(f"{type(self).__name__}.render left a slot or a trailing space in {text!r}")
        return replace(made, media=template.media, chat=template.chat, before=template.before)

    def _with_both(self, template: Template, pair: str, features: Mapping[str, str]) -> Prompt:
        """Return the prompt of a template with two people: each is filled in as ``[X]``, with its own features."""
        if not set(PLACES) <= features.keys():
            message = f'"{template.text}" is about two people, and "{pair}" is no pair'
            raise BvfError(message, "ask about pairs of groups, or write [X] for one person")
        text = template.text.replace(PAIR[1], OTHER).replace(PAIR[0], "[X]")
        for place in PLACES:
            own = {name.removeprefix(f"{place} "): value for name, value in features.items()}
            made = self.agree(replace(template, text=text), features[place], own)
            text = str(made).replace(OTHER, "[X]")
        return replace(made, group=pair, context=template.text)

    def harmless(self, template: str) -> Mapping[str, str]:
        """Return placebo variants of a template, by name of the swap. ``[Y]`` should still refer to its subject.

        Empty unless the language defines swaps. `bvf contexts placebo` writes context sets with such variants.
        """
        return {}

    def openings(self) -> Mapping[str, Openings]:
        """Return pools of openings by name: sentences that a model reads before a template, see ``--openings``."""
        return {}

    def concepts(self) -> Mapping[str, Sequence[str]]:
        """Return groups by what they mean in every language, "2221 nurse", for `bvf compare --by language`."""
        return {}

    def frames(self) -> Mapping[str, Frame]:
        """Return frames by name: words around a template, such as a year, that `bvf contexts frame` crosses with it."""
        return {}

    def formats(self) -> Mapping[str, Format]:
        """Return formats by name: wordings of a request that `bvf contexts frame --by format` crosses with templates.

        By default the bare text, and the text as the user's turn of a chat.
        """
        return {"bare": Format(), "user": Format(turn="user")}

    def refusals(self) -> Sequence[str]:
        """Return regular expressions by which a text that refuses to answer is recognised. Letter case is ignored."""
        return ()

    @classmethod
    def expressions(cls, lists: Mapping[str, Sequence[str]], name: str) -> tuple[str, ...]:
        """Return the expressions of a list, in which ``<name>`` stands for one of another list.

        >>> Language.expressions({"refusals": ["i <not> say"], "not": ["can't", "won't"]}, "refusals")
        ("i (?:can't|won't) say",)
        """
        return tuple(
            re.sub(r"<(\w+)>", lambda other: f"(?:{'|'.join(cls.expressions(lists, other[1]))})", each)
            for each in lists[name]
        )

    def longer_words(self) -> Sequence[str]:
        """Return longer words and phrases that hold a word of a class and do not mean it: 其他 (other) holds 他.

        Readers skip them in a text, and `longer_than` gives models those that p of a word leaves out.
        """
        return ()

    def passages(self) -> Mapping[str, Sequence[str]]:
        """Return what readers need to know of passages of texts: lists of words and of regular expressions, by name.

        An expression names other lists in braces; ``{words}`` are those of the classes, ``{persons}`` those that are
        nouns of persons. The packs of English and Chinese describe the lists in ``readers.toml``. Empty: every word of
        a class counts.
        """
        return {}

    def as_read(self, text: str) -> str:
        """Return a text in the characters in which readers look for words: by default no full-width letters."""
        return unicodedata.normalize("NFKC", text)

    def longer_than(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the `longer_words` in which a word goes on: 他 (he) in 他们 (they), and not in 他或她 (he or she).

        Those that are among the words are left out. Empty in a language that writes spaces: there --word-boundary asks
        where a word ends.
        """
        if self.between_words:
            return ()
        rests = {each: [each[len(word) :] for word in words if each.startswith(word)] for each in self.longer_words()}
        return tuple(
            each for each, ends in rests.items() if any(end and not any(word in end for word in words) for end in ends)
        )

    def inside(self, template: str) -> str:
        """Return a template as it is written after other words of its sentence. By default it stays as it is."""
        return template

    def agree(self, template: Template, group: str, features: Mapping[str, str]) -> Prompt:
        """Return the prompt of a template and a group, using its features, such as ``{"gender": "feminine"}``.

        A language whose articles or endings agree with nouns overrides it; by default features change nothing.
        """
        return self.render(template, group)

    def word_form(self, word: str, features: Mapping[str, str]) -> str:
        """Return the form of a word of a class that agrees with a group of these features: *cansada* of *cansado*.

        It is called for topics with ``words_agree_with``, whose classes list each word in one form; ``features`` are
        those named there. Override it where adjectives agree with nouns.
        """
        return word

    @abstractmethod
    def render(self, template: Template, group: str) -> Prompt:
        """Make a prompt: fill ``[X]``, cut the text at ``[Y]``, and set spacing, articles and casing."""
