"""Sentences with a third-person pronoun, from the English corpora, in a fixed order.

A sentence in which a gendered noun comes before a pronoun is read several times, more often the rarer its noun is:
that is where a small model can learn who is he and who is she.
"""

import hashlib
import io
import json
import math
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import zstandard

CORPORA = ("novels", "wikitext2", "bold-wikipedia", "gap-wikipedia", "tatoeba")
PRONOUN = re.compile(r"\b(he|she|him|her|his|hers|himself|herself)\b", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<!\bMr\.)(?<!\bMrs\.)(?<!\bDr\.)(?<!\bSt\.)(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z])")
HELD_OUT_SHARE = 0.01
OFTEN_ENOUGH = 4000
MOST_REPEATS = 6
WORDS_IN_SENTENCE = range(4, 46)


@dataclass(frozen=True)
class Corpus:
    """Training and held-out sentences; no sentence is in both."""

    train: list[str]
    held_out: list[str]


def read_corpus(folder: Path, gendered_nouns: frozenset[str], seed: int = 0) -> Corpus:
    """Read every pronoun sentence below ``folder``, repeated by its gendered nouns, shuffled by ``seed``."""
    seen: set[str] = set()
    train: list[str] = []
    held_out: list[str] = []
    for text in documents(folder):
        for sentence in sentences(text):
            if sentence in seen:
                continue
            seen.add(sentence)
            (held_out if is_held_out(sentence) else train).append(sentence)
    repeated = repeat_rare_nouns(train, gendered_nouns)
    random.Random(seed).shuffle(repeated)
    return Corpus(repeated, held_out)


def repeat_rare_nouns(sentences: list[str], nouns: frozenset[str]) -> list[str]:
    """Repeat a sentence whose noun precedes a pronoun, sqrt(4000 / count of the rarest such noun) times, at most 6."""
    counts = word_counts(sentences)
    repeated = []
    for sentence in sentences:
        before = nouns_before_pronoun(sentence, nouns)
        rarest = min((counts[noun] for noun in before), default=OFTEN_ENOUGH)
        times = math.ceil(math.sqrt(OFTEN_ENOUGH / rarest)) if rarest else 1
        repeated.extend([sentence] * min(max(times, 2 if before else 1), MOST_REPEATS))
    return repeated


def nouns_before_pronoun(sentence: str, nouns: frozenset[str]) -> set[str]:
    words = re.findall(r"[a-z]+", sentence.lower())
    last = max(index for index, word in enumerate(words) if PRONOUN.fullmatch(word))
    return nouns & set(words[:last])


def word_counts(sentences: list[str]) -> Counter[str]:
    return Counter(word for sentence in sentences for word in re.findall(r"[a-z]+", sentence.lower()))


def documents(folder: Path) -> Iterator[str]:
    for name in CORPORA:
        with (folder / f"{name}.jsonl.zst").open("rb") as file:
            lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), encoding="utf-8")
            for line in lines:
                text = json.loads(line)["text"]
                yield untokenised(text) if name == "wikitext2" else text


def sentences(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text):
        flat = re.sub(r"\s+", " ", paragraph.replace("_", "")).strip()
        for sentence in SENTENCE_END.split(flat):
            clean = sentence.strip(" \"'“”‘’")
            if PRONOUN.search(clean) and len(clean.split()) in WORDS_IN_SENTENCE and "<unk>" not in clean:
                yield clean


def untokenised(text: str) -> str:
    joined = re.sub(r" @([-,.])@ ", r"\1", text)
    return re.sub(r" ([.,;:!?)'])", r"\1", joined).replace("( ", "(")


def is_held_out(sentence: str) -> bool:
    digest = hashlib.sha256(sentence.encode()).digest()
    return int.from_bytes(digest[:4], "big") < HELD_OUT_SHARE * 2**32
