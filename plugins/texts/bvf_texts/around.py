"""The step between a text and its reader: it takes away what stands around the answer, or says why there is none."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from bvf.interfaces import Writing

REFUSED, FILTERED, CUT = "refused", "filtered", "cut within a thought"
"""Why a text has no answer: it or its server refuses, a filter of the server took it, or it ends within a thought."""
NAME = r"(?:seed:|longcat_)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|analysis|reflection|scratchpad)"
MARKS = {
    "opens": rf"<{NAME}>|\[THINK\]|◁think▷|<\|(?:START_THINKING|begin_of_thought|inner_prefix)\|>"
    r"|<unused94>(?:thought\b)?|<\|channel>thought\b|<\|channel\|>(?!final\b)(?:[^<]*<\|message\|>)?"
    r"|\A\s*(?:here(?:'s| is) my thought process:|analysis(?=[a-z\"'*]))",
    "closes": rf"</{NAME}>|\[/THINK\]|◁/think▷|<\|(?:END_THINKING|end_of_thought|inner_suffix)\|>"
    r"|<unused95>|<channel\|>|<\|channel\|>final\b(?:[^<]*<\|message\|>)?",
    "says": r"here(?:'s| is) my response:|assistant(?:commentary)?final(?=\S)",
    "begins": r"<(?:(?:final_)?answer|response|solution)>|<\|(?:START_RESPONSE|begin_of_(?:solution|box))\|>",
    "turn": r"<\|(?:im_start|start|turn)\|?>(?:assistant|model)\b|<start_of_turn>model\b|<\|assistant\|>|\[/INST\]"
    r"|<\|(?:start_header_id|header_start|start_of_role)\|>assistant<\|\w+\|>|<\uff5cAssistant\uff5c>",
    "ends": r"</(?:(?:final_)?answer|response|solution)>|<\|\w+\|?>|<\w+\|>|<\uff5c[^>]*\uff5c>|\[INST\]"
    r"|<(?:start|end)_of_\w+>|</s>|<(?:seed:)?eos>|\n[^\S\n]*(?:###\s*(?:instruction|human|user|input)\b|(?:human|user):)",
}
"""What models and their templates write around an answer; ``says``: words that close a thought where one is open."""
MARK = re.compile("|".join(f"(?P<{name}>{expression})" for name, expression in MARKS.items()), re.IGNORECASE)
FEWEST_ALONE = 0.1  # if this share of texts closes a thought that it did not open, the template opens one in each
SENTENCE = re.compile(r"(?<=[.!?:\u3002\uff01\uff1f\uff1a])\s*(?=\S)|\n+")
CURLED_APOSTROPHE = "\u2019"
LONG_ENOUGH = 8  # bytes of the end of a prompt that no text repeats by chance: three Chinese characters


class Answer(NamedTuple):
    """A text without what stands around it."""

    text: str
    why: str = ""  # why it is no answer; empty: it may be one
    thought: str = ""  # what was thought before it
    alone: bool = False  # the text closes a thought that it did not open


def answer_in(raw: str, *, opened: bool = False) -> Answer:
    """Return the answer in a text. A text without marks is its own answer.

    ``opened``: the template opened a thought before the text.

    >>> answer_in("<think>He?</think> she left.<|im_end|>"), answer_in("<think>If he").why
    (Answer(text=' she left.', why='', thought='He?', alone=False), 'cut within a thought')
    """
    if Writing.FILTERED in raw:
        return Answer("", FILTERED)
    refusal = raw.replace(Writing.REFUSAL, "")
    return _between_marks(raw, thinks=opened) if refusal == raw else Answer(refusal, REFUSED)


def plain(text: str) -> str:
    """Return a text with the straight apostrophes that readers know."""
    return text.replace(CURLED_APOSTROPHE, "'")


def answers_in(raw: Iterable[str]) -> dict[str, Answer]:
    """Return the answer in each text of a run. Where the template seems to open a thought, it did so in every text."""
    texts = list(raw)
    found = {text: answer_in(text) for text in dict.fromkeys(texts)}
    if sum(found[text].alone for text in texts) < FEWEST_ALONE * max(1, len(texts)):
        return found
    return {text: answer_in(text, opened=True) for text in found}


def without_prompt(text: str, left: str) -> str:
    """Return a text without the prompt, or its last sentences, if it begins by repeating them.

    >>> without_prompt('"The nurse said that she left."', "Go on: The nurse said that")
    ' she left."'
    """
    sentences = [each for each in SENTENCE.split(left) if each.strip()]
    for first in range(len(sentences)):
        words = " ".join(sentences[first:]).split()
        if len("".join(words).encode()) < LONG_ENOUGH:
            break
        spaced = r"\s*".join(map(re.escape, words))
        if all(word in text for word in words) and (repeated := re.match(rf"[\W_]*{spaced}(?![a-z])", text)):
            return text[repeated.end() :]
    return text


def _between_marks(text: str, *, thinks: bool) -> Answer:
    """The answer in a text by its marks; ``thinks``: it begins within a thought."""
    kept, thought, place, alone = "", "", 0, False
    marks = list(MARK.finditer(text))
    last_closes = max((each.end() for each in marks if each.lastgroup in ("closes", "says")), default=0)
    for mark in marks:
        kind, piece = mark.lastgroup, text[place : mark.start()]
        if thinks or kind == "says":
            if thinks and (kind in ("closes", "says") or (kind == "begins" and last_closes < mark.start())):
                thought, thinks, place = thought + piece, False, mark.end()
            continue
        before, place = kept + piece, mark.end()
        if kind == "opens":
            kept, thinks = before, True
        elif kind == "closes":
            kept, thought, alone = "", thought + before, alone or bool(before.strip())
        elif kind == "begins" or (kind == "turn" and not before.strip()):
            kept = ""
        else:
            return Answer(before, "", thought, alone)
    if thinks:
        return Answer(kept, "" if kept.strip() else CUT, thought + text[place:])
    return Answer(kept + text[place:], "", thought, alone)
