"""Corpora of every kind give the same documents, and say where something is wrong."""

import bz2
import csv
import gzip
import io
import json
import random

import pandas as pd
import pytest
import zstandard
from bvf_mining.corpus import Corpus, Health, files_of, sample
from helpers.corpus import read, refused
from hypothesis import given
from hypothesis import strategies as st

from bvf.errors import BvfError
from bvf.interfaces.miner import Document

TEXTS = ["The nurse said that she left.", "Two lines\nof 医生说他来了。", 'A "quoted", comma; tab\there.']
COMPRESS = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": lambda content: zstandard.ZstdCompressor().compress(content),
}


def jsonl(texts, column="text"):
    return "".join(json.dumps({"id": f"d{n}", column: text}) + "\n" for n, text in enumerate(texts)).encode()


def delimited(texts, delimiter):
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, ["id", "text"], delimiter=delimiter)
    writer.writeheader()
    writer.writerows({"id": f"d{n}", "text": text} for n, text in enumerate(texts))
    return out.getvalue().encode()


FORMATS = {".jsonl": jsonl, ".csv": lambda texts: delimited(texts, ","), ".tsv": lambda texts: delimited(texts, "\t")}


@pytest.mark.parametrize("compression", COMPRESS)
@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_and_compression_gives_the_same_documents(tmp_path, ending, compression):
    file = tmp_path / f"corpus{ending}{compression}"
    file.write_bytes(COMPRESS[compression](FORMATS[ending](TEXTS)))
    assert read(file) == [Document(f"d{n}", text) for n, text in enumerate(TEXTS)]


def test_parquet(tmp_path):
    file = tmp_path / "corpus.parquet"
    pd.DataFrame({"id": range(3), "content": TEXTS}).to_parquet(file)
    assert read(file) == [Document(str(n), text) for n, text in enumerate(TEXTS)]


@pytest.mark.parametrize("compression", COMPRESS)
def test_a_text_file_is_a_document_a_paragraph(tmp_path, compression):
    file = tmp_path / f"book.txt{compression}"
    file.write_bytes(COMPRESS[compression](b"\n\nOne line\nand another.\n\n \nA second.\r\n\r\nThird"))
    assert read(file) == [
        Document(f"{file}:3", "One line\nand another."),
        Document(f"{file}:7", "A second."),
        Document(f"{file}:9", "Third"),
    ]


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
    (tmp_path / "train.jsonl").write_bytes(jsonl(TEXTS))
    assert [d.text for d in read(f"hf:{tmp_path}")] == TEXTS


def test_a_column_and_an_encoding_of_ones_own(tmp_path):
    file = tmp_path / "corpus.jsonl"
    file.write_bytes(json.dumps({"正文": "医生说他来了。"}, ensure_ascii=False).encode("gb18030"))
    assert read(file, text_column="正文", encoding="gb18030") == [Document(f"{file}:1", "医生说他来了。")]


def test_corrupt_lines_are_named_and_skipped(tmp_path):
    lines = [json.dumps({"text": f"Text {n}."}) for n in range(40)]
    lines[6], lines[20], lines[30] = "{", '{"title": 1}', "[1]"
    file = tmp_path / "corpus.jsonl"
    file.write_text("\n".join(lines))
    said = []
    health = Health(said.append)
    assert len(read(file, health=health)) == 37
    assert [line.split(": ")[0] for line in said] == [f"{file}:{n}" for n in (7, 21, 31)]
    assert all(line.endswith("; skipped") for line in said)
    assert (health.lines, health.skipped) == (40, 3)


def test_a_key_that_a_corpus_has_twice_is_no_corrupt_line(tmp_path):
    file = tmp_path / "corpus.jsonl"
    file.write_text('{"text": "a", "meta": {"page": 1, "page": 2}}\n' * 30)
    assert len(read(file)) == 30


def test_one_corrupt_line_in_ten_is_an_error(tmp_path):
    lines = [json.dumps({"text": f"Text {n}."}) for n in range(30)]
    lines[3:6] = ["{"] * 3
    file = tmp_path / "corpus.jsonl"
    file.write_text("\n".join(lines))
    with pytest.raises(BvfError, match=r"3 of 30 lines cannot be used, the first is .*corpus\.jsonl:4: not JSON"):
        read(file)


def test_a_corpus_of_corrupt_lines_is_given_up_early(tmp_path):
    file = tmp_path / "corpus.jsonl"
    file.write_text("x\n" * 100_000)
    health = Health()
    with pytest.raises(BvfError):
        read(file, health=health)
    assert health.lines <= 200


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.txt", "医生".encode("gb18030"), "not utf-8: byte 0x"),
        ("a.jsonl", b'{"text": "\xff"}', "not utf-8: byte 0xff"),
        ("a.parquet", b"no parquet", "not a Parquet file"),
        ("a.pdf", b"text", "cannot read a corpus from this kind of file"),
        ("a.txt", b"  \n\n", "no text in this corpus"),
        ("a.csv", b"title\nx\n", "1 of 1 lines cannot be used"),
    ],
)
def test_what_cannot_be_read_is_one_line(tmp_path, name, content, says):
    file = tmp_path / name
    file.write_bytes(content)
    said = refused(file)
    assert says in said
    assert name in said


@pytest.mark.parametrize("source", ["nowhere.txt", "nowhere/*.txt"])
def test_a_corpus_that_is_not_there(source):
    with pytest.raises(BvfError, match="there is no such corpus"):
        files_of(source)


@given(st.lists(st.text(max_size=5), min_size=5, max_size=30, unique=True), st.integers(0, 9), st.integers(0, 3))
def test_a_sample_depends_on_seed_and_documents_alone(texts, size, seed):
    documents = [Document(f"{n:03}", text) for n, text in enumerate(texts)]
    drawn = sample(documents, size, seed)
    assert len(drawn) == min(size, len(documents))
    assert set(drawn) <= set(documents)
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
    import tracemalloc

    file = tmp_path / "corpus.jsonl.gz"
    with gzip.open(file, "wt") as out:
        for n in range(20_000):
            out.write(json.dumps({"id": n, "text": f"Sentence {n}. " * 20}) + "\n")
    tracemalloc.start()
    count = sum(1 for _ in Corpus((str(file),)).documents())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 20_000
    assert peak < 2_000_000
