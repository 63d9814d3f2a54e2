"""How fast mining is: ``python benchmarks/mining/speed.py CORPUS [DOCUMENTS]``, by default of the first 8 documents.

In one run: the miner in one process; Stanza on every sentence of the same text, as it is installed and as the miner
uses it; and the command with a worker per core.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import stanza
import torch
from bvf_en.mining import MODELS, PROCESSORS
from bvf_mining.config import MineConfig
from bvf_mining.corpus import Corpus
from bvf_mining.job import mine
from bvf_stanza import Parser, Sentence
from coreference import english_miner

from bvf.files.processors import processors
from bvf.interfaces.miner import Document

SENTENCES_FOR_ALL = 4000


class Timed(Parser):
    """A parser that adds up how long it took."""

    def __init__(self, inner: Parser) -> None:
        self.inner, self.models, self.seconds = inner, inner.models, 0.0

    def parse(self, texts: Sequence[str], /) -> list[list[Sentence]]:
        """Parse, and add the time that it took."""
        began = time.perf_counter()
        sentences = self.inner.parse(texts)
        self.seconds += time.perf_counter() - began
        return sentences


def main() -> None:
    source, number = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 8
    documents = list(islice(Corpus((source,)).documents(), number))
    characters = sum(len(document.text) for document in documents)
    torch.set_num_threads(1)
    miner = english_miner()
    timed = Timed(miner.parser)
    miner.parser = timed
    miner.find([Document("warm", "The nurse said that she was tired.")])
    timed.seconds = 0.0
    began = time.perf_counter()
    mined_here = miner.find(documents)
    filtered = time.perf_counter() - began
    rate = mined_here.sentences / filtered
    size = f"{mined_here.sentences:,} sentences, {characters:,} characters"
    report("one process", f"{size}, {filtered:.1f} s: {rate:,.0f} sentences/s")
    report("parsed", f"{mined_here.parsed / mined_here.sentences:.1%} of the sentences")
    report("time in Stanza", f"{timed.seconds / filtered:.1%}")
    every = [span.of(document) for document in documents for span in miner.sieve.rough_sentences(document.text)]
    step = max(1, len(every) // SENTENCES_FOR_ALL)
    drawn = [text.replace("\n", " ") for text in every[::step]]
    report("drawn", f"{len(drawn):,} sentences")
    ways = {
        "Stanza as installed, on every sentence": read_as_installed(),
        "Stanza as the miner uses it": timed.inner.parse,
    }
    for way, read in ways.items():
        stanza_rate = rate_of(read, drawn)
        report(way, f"{stanza_rate:,.0f} sentences/s, ratio {rate / stanza_rate:.1f} x")
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.jsonl")
        lines = (json.dumps({"id": document.id, "text": document.text}) + "\n" for document in documents)
        corpus.write_text("".join(lines), encoding="utf-8")
        began = time.perf_counter()
        (mined,) = mine(MineConfig(corpus=(str(corpus),), out=f"{folder}/s.csv"))
        seconds = time.perf_counter() - began
    rates = f"{mined.counts.sentences / seconds:,.0f} sentences/s, {characters / seconds:,.0f} characters/s"
    report(f"bvf mine, {processors()} workers", rates)


def rate_of(read: Callable[[list[str]], object], texts: list[str]) -> float:
    """Texts per second."""
    began = time.perf_counter()
    read(texts)
    return len(texts) / (time.perf_counter() - began)


def read_as_installed() -> Callable[[list[str]], object]:
    """Stanza's own pipeline with the models of the pack."""
    pipeline = stanza.Pipeline(
        "en", processors=",".join(PROCESSORS), dir=str(MODELS), download_method=None, use_gpu=False, verbose=False
    )
    return lambda texts: pipeline.bulk_process([stanza.Document([], text=text) for text in texts])


def report(what: str, text: str) -> None:
    sys.stdout.write(f"{what}: {text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
