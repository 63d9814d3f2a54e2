"""Miners, and the texts and labels that their figures are counted on; SHARED is a folder with corpora and GAP."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import torch
from bvf_mining.corpora import lines_in
from bvf_stanza import Sentence, TreeMiner
from bvf_stanza.options import StanzaOptions

from bvf.hooks.loader import load
from bvf.interfaces.miner import Document, Miner, MiningRequest

GAP: dict[str, str | int] = {"delimiter": "\t", "quoting": csv.QUOTE_NONE}


def miner_of(language: str, **options: float) -> Miner:
    """Return the miner of a language pack with its own parser. It keeps cues: labels are of whom a pronoun means."""
    torch.set_num_threads(1)
    plugins, kept = load(), StanzaOptions(cues="keep")
    request = MiningRequest(plugins.topics.in_language(language).make("gender"), options=kept, **options)
    return plugins.miners.in_language(language).find(language).make(request)


def rows_in(file: Path, **format_: str | int) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines(), **format_))


def texts_in(file: Path) -> dict[str, str]:
    return {row["id"]: row["text"] for row in map(json.loads, lines_in(file))}


def pronouns_in(miner: TreeMiner, sentences: list[Sentence]) -> Iterator[tuple[Sentence, int]]:
    """Yield every pronoun: its sentence, and its place in it."""
    for sentence in sentences:
        for index, word in enumerate(sentence.words):
            if word.text.lower() in miner.lexicon.pronouns:
                yield sentence, index


def gap_pronouns(miner: TreeMiner, file: Path) -> Iterator[tuple[dict[str, str], Sentence, int]]:
    """Yield each text of GAP with the parsed sentence of its pronoun and the pronoun's place in it."""
    rows, spans = rows_in(file, **GAP), []
    for row in rows:
        place, sentences = int(row["Pronoun-offset"]), miner.lexicon.rough_sentences(row["Text"])
        spans.append(next(span for span in sentences if span.start <= place < span.stop))
    texts = [span.of(Document("", row["Text"])) for row, span in zip(rows, spans, strict=True)]
    for row, span, parsed in zip(rows, spans, miner.parser.parse(texts), strict=True):
        for sentence, index in pronouns_in(miner, parsed):
            if sentence.words[index].span.start == int(row["Pronoun-offset"]) - span.start:
                yield row, sentence, index


def is_named(miner: TreeMiner, row: dict[str, str], sentence: Sentence, meant: int) -> bool | None:
    """Whether a link to one of the two names is right; None: it is to somebody else."""
    name = {word for word in miner.resolver.name(sentence, meant) if word[0].isupper()}
    named = [which for which in "AB" if name & set(row[which].split())]
    return row[f"{named[0]}-coref"].upper() == "TRUE" if len(named) == 1 else None
