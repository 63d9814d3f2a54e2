"""Chinese training text: every sentence, as there is little text; characters instead of words."""

import re
from collections.abc import Iterator
from pathlib import Path

from contexts.prepare import documents
from corpus import Material
from vocabulary import bert_character_tokenizer, character_tokenizer

CORPORA = ("prose", "wikipedia", "tatoeba")
SENTENCE_END = re.compile(r"(?<=[。！？!?…])(?![。！？!?…”’」』）])|(?<=[。！？!?…][”’」』）])(?![”’」』）。！？])")
CHARACTERS_IN_SENTENCE = range(4, 121)


def sentences(folder: Path) -> Iterator[str]:
    for name in CORPORA:
        for document in documents(folder / f"{name}.jsonl.zst"):
            yield from sentences_of(document["text"])


def sentences_of(text: str) -> Iterator[str]:
    for line in text.splitlines():
        for sentence in SENTENCE_END.split(line):
            clean = re.sub(r"\s+", " ", sentence).strip()
            if len(clean) in CHARACTERS_IN_SENTENCE:
                yield clean


def words(sentence: str) -> list[str]:
    """Return all substrings of one to three characters. Gendered words have these lengths."""
    return [sentence[i : i + length] for i in range(len(sentence)) for length in (1, 2, 3)]


CHINESE = Material(
    code="zh",
    pronouns=("他", "她"),
    context="{}说",
    space="",
    often_enough=40_000,  # ten times that of English, as there is a twentieth of the text
    most_repeats=20,
    begin_at_noun=frozenset({"causal"}),  # without: 10 and 11 of 13 pairs
    tokens={"causal": 24_000_000},
    sentences=sentences,
    words=words,
    is_pronoun=lambda word: word in {"他", "她"},
    tokenizers={"causal": character_tokenizer, "masked": bert_character_tokenizer},
)
