"""How fast mining is: ``python -m benchmarks mining.speed CORPUS [DOCUMENTS]``, by default of the first 8 documents.

In one run: the miner in one process; Stanza on every sentence of the same text, as it is installed and as the miner
uses it; and the command with a worker per core.
"""

import json
import tempfile
from itertools import islice
from pathlib import Path

import stanza
import torch
from bvf_en.mining import MODELS, PROCESSORS
from bvf_mining.config import MineConfig
from bvf_mining.corpus import Corpus
from bvf_mining.job import mine

from benchmarks.mining.miners import miner_of
from benchmarks.speed.timing import timed
from bvf.files.machine import processors
from bvf.interfaces.miner import Document

SENTENCES_FOR_ALL = 4000


def main(source: str, number: str = "8") -> None:
    torch.set_num_threads(1)
    documents = list(islice(Corpus((source,)).documents(), int(number)))
    characters = sum(len(document.text) for document in documents)
    miner = miner_of("en")
    miner.find([Document("warm", "The nurse said that she was tired.")])
    taken, mined = timed(lambda: miner.find(documents))
    rate = mined.sentences / taken.seconds
    print(f"{mined.sentences:,} sentences, {mined.parsed:,} parsed, {characters:,} characters")
    print(f"one process: {rate:,.0f} sentences/s", flush=True)
    every = [span.of(document) for document in documents for span in miner.sieve.rough_sentences(document.text)]
    drawn = [text.replace("\n", " ") for text in every[:: max(1, len(every) // SENTENCES_FOR_ALL)]]
    options = {"dir": str(MODELS), "download_method": None, "use_gpu": False, "verbose": False}
    installed = stanza.Pipeline("en", processors=",".join(PROCESSORS), **options)
    for way, read in {
        "as installed": lambda: installed.bulk_process([stanza.Document([], text=text) for text in drawn]),
        "as the miner uses it": lambda: miner.parser.parse(drawn),
    }.items():
        of_stanza = len(drawn) / timed(read)[0].seconds
        times = f"the miner {rate / of_stanza:.1f} times"
        print(f"Stanza {way}, on every sentence: {of_stanza:,.0f}/s, {times}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.jsonl")
        lines = (json.dumps({"id": document.id, "text": document.text}) + "\n" for document in documents)
        corpus.write_text("".join(lines), encoding="utf-8")
        taken, (found,) = timed(lambda: mine(MineConfig(corpus=(str(corpus),), out=f"{folder}/s.csv")))
    rates = f"{found.counts.sentences / taken.seconds:,.0f} sentences/s, {characters / taken.seconds:,.0f} characters/s"
    print(f"bvf mine, {processors()} workers: {rates}")
