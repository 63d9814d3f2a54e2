"""Chinese templates with a predicate as attribute: negation, modal verb, verb and a short object."""

import re

from bvf_stanza import Draft, Grammar, Lexicon, Sentence, Unfit

from bvf_zh.rules import OTHER_SCRIPT, traditional_in

NEGATIONS = ("不", "没", "没有", "未", "未曾", "别", "并不", "并没有", "从不", "绝不", "不再")
MODALS = (
    *("能", "会", "要", "可以", "应该", "应当", "必须", "愿意", "愿", "肯", "敢", "能够", "可能", "得"),
    *("不会", "不能", "不敢", "不肯"),
)
ASPECTS = ("了", "过", "着")
STOPS = re.compile("[。，！？；]+$")
"""What the parser may leave at the end of a noun."""
PEOPLE = ("我", "我们", "你", "你们", "大家", "人家", "别人", "咱们", "他们", "她们")
DROPPED = ("punct", "advmod", "obl", "nmod", "mark", "advcl", "discourse", "dep", "cc", "vocative", "case")
MOST_WORDS = 8


class Chinese(Grammar):
    """Writes ``那位<predicate>的[X]很[Y]`` and ``那位[Y][X]<predicate>``, without names and numbers."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def write(self, sentence: Sentence, subject: int, clause: int | None) -> Draft:
        """Return the template that has the predicate of a sentence, without aspect particles; raises `Unfit`."""
        root, kept = self._predicate(sentence, subject)
        kept = _without_aspects({**kept, root: kept[root].rstrip("".join(ASPECTS)) or kept[root]})
        predicate = "".join(kept[index] for index in sorted(kept))
        return Draft(f"那位{predicate}的[X]很[Y]", self._whole_verb(sentence, root, kept), "")

    def write_before_noun(self, sentence: Sentence, subject: int, last: int) -> Draft:
        """Return ``那位[Y]的[X]走进了教室``, with 的 and aspect particles where the sentence has them; raises `Unfit`.

        What is said or thought is left out: ``那位[Y][X]说``.
        """
        if sentence.words[subject].tag == "PROPN":
            raise Unfit("the subject is not a noun")
        says = sentence.words[sentence.words[subject].head].text in self._lexicon.governing
        root, kept = self._predicate(sentence, subject, left_out="ccomp" if says else "")
        verb = self._whole_verb(sentence, root, _without_aspects(kept))
        particle = sentence.words[last + 1].text if last + 1 < subject else ""
        joint = particle if particle in self._lexicon.attributive_particles else ""
        predicate = "".join(kept[index] for index in sorted(kept))
        return Draft(f"那位[Y]{joint}[X]{predicate}", verb, "")

    def _predicate(self, sentence: Sentence, subject: int, left_out: str = "") -> tuple[int, dict[int, str]]:
        """The index of the verb of a subject, and the words of its predicate that stay, by index."""
        root = sentence.words[subject].head
        word = sentence.words[root]
        if traditional_in("".join(each.text for each in sentence.words)):
            raise Unfit(OTHER_SCRIPT)
        if word.tag != "VERB":
            raise Unfit("no verb")
        if word.text.startswith(self._lexicon.plural_endings):
            raise Unfit("the subject is several")
        kept = {root: word.text}
        for child in sentence.children(root):
            if child > max(sentence.subtree(subject)) and sentence.words[child].kind != left_out:
                kept.update(self._part(sentence, root, child))
        if len(_without_aspects(kept)) > MOST_WORDS:
            raise Unfit("more than a verb and its object")
        return root, kept

    def _whole_verb(self, sentence: Sentence, root: int, kept: dict[int, str]) -> str:
        """The verb, joined with the part that the parser split off: 听|说, 想|到."""
        before, after = root - 1, root + 1
        if before in kept and sentence.words[before].kind == "compound":
            return kept[before] + kept[root]
        if after in kept and sentence.words[after].kind in ("compound", "mark"):
            return kept[root] + kept[after]
        return kept[root]

    def _part(self, sentence: Sentence, root: int, child: int) -> dict[int, str]:
        word = sentence.words[child]
        text = word.text
        if text in NEGATIONS or (word.kind == "aux" and text in MODALS):
            return {child: text}
        if text in ASPECTS and child == root + 1:
            return {child: text}
        if word.kind == "aux" or text in ASPECTS or word.tag == "PUNCT":
            return {}
        if word.kind == "compound" or word.relation in ("mark:prt", "compound:dir", "compound:ext"):
            return {child: text}
        if word.kind == "obj" and root < child:
            return self._object(sentence, child)
        if word.kind in DROPPED:
            return {}
        raise Unfit("more than a verb and its object")

    def _object(self, sentence: Sentence, head: int) -> dict[int, str]:
        word = sentence.words[head]
        if word.tag == "PRON":
            if word.text in PEOPLE:
                return {head: word.text}
            raise Unfit("a pronoun that cannot stay in the predicate")
        if word.tag == "PROPN":
            return {head: "别人"}
        parts = [part for part in (*sentence.children(head, "compound"), head) if part <= head]
        shown = {part: STOPS.sub("", sentence.words[part].text) for part in sorted(parts)}
        text = "".join(shown.values())
        if word.tag not in ("NOUN", "PART") or any(char.isdigit() for char in text):
            raise Unfit("a name or number in the predicate")
        if self._lexicon.gender(text) or text in self._lexicon.cues:
            raise Unfit("another word tells of Y")
        return shown


def _without_aspects(kept: dict[int, str]) -> dict[int, str]:
    return {index: text for index, text in kept.items() if text not in ASPECTS}
