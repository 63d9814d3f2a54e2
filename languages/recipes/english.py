"""English training text: sentences with a third-person singular pronoun."""

import re
from collections.abc import Iterator
from pathlib import Path

from corpus import Material, texts_in
from vocabulary import byte_level_tokenizer, sentinel_tokenizer, wordpiece_tokenizer

CORPORA = ("novels", "wikitext2", "bold-wikipedia", "gap-wikipedia", "tatoeba")
PRONOUN = re.compile(r"\b(he|she|him|her|his|hers|himself|herself)\b", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<!\bMr\.)(?<!\bMrs\.)(?<!\bDr\.)(?<!\bSt\.)(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z])")
WORDS_IN_SENTENCE = range(4, 46)


def sentences(folder: Path) -> Iterator[str]:
    for name in CORPORA:
        for document in texts_in(folder / f"{name}.jsonl.zst"):
            yield from sentences_of(untokenised(document["text"]) if name == "wikitext2" else document["text"])


def sentences_of(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text):
        flat = re.sub(r"\s+", " ", paragraph.replace("_", "")).strip()
        for sentence in SENTENCE_END.split(flat):
            clean = sentence.strip(" \"'“”‘’")
            if PRONOUN.search(clean) and len(clean.split()) in WORDS_IN_SENTENCE and "<unk>" not in clean:
                yield clean


def untokenised(text: str) -> str:
    joined = re.sub(r" @([-,.])@ ", r"\1", text)
    return re.sub(r" ([.,;:!?)'])", r"\1", joined).replace("( ", "(")


def words(sentence: str) -> list[str]:
    return re.findall(r"[a-z]+", sentence.lower())


ENGLISH = Material(
    code="en",
    pronouns=("he", "she"),
    context="The {} said that",
    space=" ",
    often_enough=4000,
    most_repeats=6,
    begin_at_noun=frozenset(),
    tokens={},
    sentences=sentences,
    words=words,
    is_pronoun=lambda word: PRONOUN.fullmatch(word) is not None,
    tokenizers={"causal": byte_level_tokenizer, "masked": wordpiece_tokenizer, "seq2seq": sentinel_tokenizer},
)
