"""Chinese templates with a predicate as attribute: negation, modal verb, verb and a short object."""

from bvf_stanza import Draft, Grammar, Lexicon, Sentence, Unfit

from bvf_zh.scripts import OTHER_SCRIPT, traditional_in

NEGATIONS = ("不", "没", "没有", "未", "未曾", "别", "并不", "并没有", "从不", "绝不", "不再")
MODALS = (
    *("能", "会", "要", "可以", "应该", "应当", "必须", "愿意", "愿", "肯", "敢", "能够", "可能", "得"),
    *("不会", "不能", "不敢", "不肯"),
)
ASPECTS = ("了", "过", "着")
PEOPLE = ("我", "我们", "你", "你们", "大家", "人家", "别人", "咱们", "他们", "她们")
DROPPED = ("punct", "advmod", "obl", "nmod", "mark", "advcl", "discourse", "dep", "cc", "vocative", "case")
MOST_WORDS = 8


class Chinese(Grammar):
    """Writes ``那位<predicate>的[X]很[Y]``, without names, numbers and aspect particles."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def write(self, sentence: Sentence, subject: int, clause: int | None) -> Draft:
        """Return the template that has the predicate of a sentence; raises `Unfit`."""
        root = sentence.words[subject].head
        word = sentence.words[root]
        if traditional_in("".join(each.text for each in sentence.words)):
            raise Unfit(OTHER_SCRIPT)
        if word.tag != "VERB":
            raise Unfit("no verb")
        kept = {root: word.text.rstrip("".join(ASPECTS)) or word.text}
        for child in sentence.children(root):
            if child > max(sentence.subtree(subject)):
                kept.update(self._part(sentence, root, child))
        if len(kept) > MOST_WORDS:
            raise Unfit("more than a verb and its object")
        predicate = "".join(kept[index] for index in sorted(kept))
        return Draft(f"那位{predicate}的[X]很[Y]", self._whole_verb(sentence, root, kept), "")

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
        text = "".join(sentence.words[part].text for part in sorted(parts))
        if word.tag not in ("NOUN", "PART") or any(char.isdigit() for char in text):
            raise Unfit("a name or number in the predicate")
        if self._lexicon.gender(text) or text in self._lexicon.cues:
            raise Unfit("another word tells of Y")
        return {part: sentence.words[part].text for part in parts}
