"""Files of a corpus in every format, and reading one: its documents, or the line that refuses it."""

import bz2
import csv
import gzip
import io
import json
import random
from pathlib import Path

import pandas as pd
import pytest
import zstandard
from bvf_mining.config import MineConfig
from bvf_mining.corpus import Corpus
from bvf_mining.job import mine

from bvf import BvfError

TOY_MINER, TOY_ENGINE = (
    str(Path(__file__).resolve().parents[1] / "data" / name) for name in ("toy_miner.py", "toy_engine.py")
)
VERBS = ("said", "wrote", "knew", "swore")


def zst(content, **options):
    return zstandard.ZstdCompressor(**options).compress(content)


COMPRESS = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".zst": zst}


def jsonl(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def delimited(rows, delimiter=","):
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, rows[0], delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def parquet(rows):
    out = io.BytesIO()
    pd.DataFrame(rows).to_parquet(out)
    return out.getvalue()


FORMATS = {".jsonl": jsonl, ".csv": delimited, ".tsv": lambda rows: delimited(rows, "\t"), ".parquet": parquet}


def named(texts):
    """Rows of texts under the names d0, d1, ..."""
    return [{"id": f"d{number}", "text": text} for number, text in enumerate(texts)]


def sentences(number, seed=0):
    """Texts of two sentences, in the second of which somebody says something."""
    rng, subjects, pronouns = random.Random(seed), ["nurse", "cook"], ["he", "she"]
    return [
        f"It rained. The {rng.choice(subjects)} {rng.choice(VERBS)} that {rng.choice(pronouns)} left {n}."
        for n in range(number)
    ]


def write(file, texts):
    """Write a corpus of texts by their names, and return the name of the file."""
    file.write_bytes(jsonl({"id": name, "text": text} for name, text in texts.items()))
    return str(file)


def mine_config(corpus, out, **options):
    """Mining by the toy miner, in this process."""
    corpora = corpus if isinstance(corpus, tuple) else (corpus,)
    return MineConfig(**{"corpus": corpora, "out": str(out), "plugin": (TOY_MINER,), "workers": 1, **options})


def mined(corpus, out, **options):
    return mine(mine_config(corpus, out, **options))[0]


class Stop(Exception):
    pass


def stop_mining(config, when):
    """Mine until the progress is such that mining is to stop."""

    def stop(_, state):
        if when(state):
            raise Stop

    with pytest.raises(Stop):
        mine(config, on_progress=stop)


def read(*files, **options):
    return list(Corpus(tuple(map(str, files)), **options).documents())


def refused(file, **options):
    with pytest.raises(BvfError) as caught:
        read(file, **options)
    assert "\n" not in caught.value.message
    return caught.value.message


def documents_or_error(file, **options):
    try:
        return read(file, **options), ""
    except BvfError as error:
        return [], error.message
