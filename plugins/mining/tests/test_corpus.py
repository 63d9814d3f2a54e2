"""Corpora of every kind give the same documents, and a sample is drawn from them."""

import gzip
import io
import json
import random
import tracemalloc

import pandas as pd
import pytest
from bvf_mining.corpus import Corpus, sample
from helpers.corpus import COMPRESS, FORMATS, jsonl, named, read
from hypothesis import given
from hypothesis import strategies as st

from bvf.interfaces.miner import Document

TEXTS = ["The nurse said that she left.", "Two lines\nof 医生说他来了。", 'A "quoted", comma; tab\there.']


@pytest.mark.parametrize("compression", COMPRESS)
@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".tsv"])
def test_every_format_and_compression_gives_the_same_documents(tmp_path, ending, compression):
    file = tmp_path / f"corpus{ending}{compression}"
    file.write_bytes(COMPRESS[compression](FORMATS[ending](named(TEXTS))))
    assert read(file) == [Document(f"d{n}", text) for n, text in enumerate(TEXTS)]


def test_parquet(tmp_path):
    file = tmp_path / "corpus.parquet"
    pd.DataFrame({"id": range(3), "content": TEXTS}).to_parquet(file)
    assert read(file) == [Document(str(n), text) for n, text in enumerate(TEXTS)]


def test_folders_globs_and_several_sources_are_read_in_order(tmp_path):
    for name in ("b/two.txt", "a/one.txt", "a/notes.pdf", "c/three.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    assert [d.text for d in read(tmp_path)] == ["a/one.txt", "b/two.txt", "c/three.txt"]
    assert [d.text for d in read(tmp_path / "*" / "t*.txt")] == ["b/two.txt", "c/three.txt"]
    assert [d.text for d in read(tmp_path / "c", tmp_path / "a")] == ["c/three.txt", "a/one.txt"]


def test_standard_input_is_text(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("One.\n\n二。".encode())))
    assert [d.text for d in read("-")] == ["One.", "二。"]


def test_a_data_set_folder_is_streamed_by_the_library_of_the_hub(tmp_path):
    pytest.importorskip("datasets")
    (tmp_path / "train.jsonl").write_bytes(jsonl(named(TEXTS)))
    assert [d.text for d in read(f"hf:{tmp_path}")] == TEXTS


@given(st.lists(st.text(max_size=5), min_size=5, max_size=30, unique=True), st.integers(0, 9), st.integers(0, 3))
def test_a_sample_depends_on_seed_and_documents_alone(texts, size, seed):
    documents = [Document(f"{n:03}", text) for n, text in enumerate(texts)]
    drawn = sample(documents, size, seed)
    assert len(drawn) == min(size, len(documents))
    assert set(drawn) <= set(documents)
    assert drawn == sorted(drawn, key=lambda document: document.id)
    assert drawn == sample(random.Random(seed).sample(documents, len(documents)), size, seed)
    assert set(drawn) <= set(sample(documents, size + 1, seed))


def test_every_document_is_drawn_alike():
    documents = [Document(str(n), "x") for n in range(20)]
    times = {document.id: 0 for document in documents}
    for seed in range(2000):
        for document in sample(documents, 5, seed):
            times[document.id] += 1
    assert 400 < min(times.values()) < max(times.values()) < 600


def test_memory_does_not_grow_with_the_corpus(tmp_path):
    file = tmp_path / "corpus.jsonl.gz"
    with gzip.open(file, "wt") as out:
        for n in range(10_000):
            out.write(json.dumps({"id": n, "text": f"Sentence {n}. " * 20}) + "\n")
    tracemalloc.start()
    count = sum(1 for _ in Corpus((str(file),)).documents())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 10_000
    assert peak < 2_000_000
