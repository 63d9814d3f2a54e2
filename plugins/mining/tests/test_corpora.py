"""A corpus is read whole or refused in one line: cut off, damaged, endless, or of bytes that mean nothing."""

import bz2
import csv
import gzip
import io
import json
import os
import runpy
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pytest
import zstandard
from bvf_mining import corpora as corpusfile
from bvf_mining.corpora import CONTROLS
from bvf_mining.corpus import Corpus, Health
from helpers.corpus import documents_or_error, read, refused
from hypothesis import given
from hypothesis import strategies as st

from bvf import BvfError

ROOT = Path(__file__).parents[3]
CORPUS = "prose.jsonl.zst"

RECIPES = "languages/recipes"


def zst(**options):
    return lambda content: zstandard.ZstdCompressor(**options).compress(content)


COMPRESS = {
    "gz": (".gz", gzip.compress),
    "bz2": (".bz2", bz2.compress),
    "zst": (".zst", zst()),
    "zst with a checksum": (".zst", zst(write_checksum=True)),
    "zst without its size": (".zst", zst(write_content_size=False)),
}
FIRST, SECOND = b"The nurse said that she left.\n\n", b"The cook knew that he stayed.\n\nIt rained.\n"


@pytest.mark.parametrize("kind", COMPRESS)
def test_a_compressed_corpus_is_refused_wherever_it_is_cut_off(tmp_path, kind):
    ending, compress = COMPRESS[kind]
    file, first = tmp_path / f"corpus.txt{ending}", compress(FIRST)
    whole = first + compress(SECOND)
    file.write_bytes(whole)
    assert len(read(file)) == 3
    for cut in set(range(len(whole))) - {len(first)}:
        file.write_bytes(whole[:cut])
        assert refused(file).startswith(f"{file}: damaged or cut off")


@pytest.mark.parametrize("kind", COMPRESS)
def test_what_stands_after_a_compressed_corpus_is_not_passed_over(tmp_path, kind):
    ending, compress = COMPRESS[kind]
    file = tmp_path / f"corpus.txt{ending}"
    second = compress(SECOND)
    file.write_bytes(compress(FIRST) + b"x" + second[1:])
    assert refused(file).startswith(f"{file}: damaged or cut off")


def test_zst_files_with_frames_to_be_skipped_are_read(tmp_path):
    skipped = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"abcd"
    file = tmp_path / "corpus.txt.zst"
    file.write_bytes(skipped + zst()(FIRST) + skipped + zst()(SECOND))
    assert len(read(file)) == 3


def test_an_endless_line_is_refused_and_not_held_twice(tmp_path):
    file = tmp_path / "bomb.txt.zst"
    with zstandard.open(file, "wb") as out:
        for _ in range(300):
            out.write(b"0" * 1_000_000)
    tracemalloc.start()
    said = refused(file)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    packed = file.stat().st_size
    assert said == f"{file}: {packed:,} bytes unpack to more than {(2**26 + 100 * packed) / 1e6:,.0f} MB"
    assert peak < 150_000_000


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("a.txt", b"One.\n\nTwo.\n" + b"short\n" * 10_000, 3),
        ("a.jsonl", b'{"text": "One."}\n{"text": "' + b"long " * 10_000, 2),
        ("a.csv", b'id,text\n1,One.\n2,"' + b"long\n" * 10_000, 3),
        ("a.tsv", b"id\ttext\n1\tOne.\n2\t" + b"long " * 10_000, 3),
    ],
)
def test_a_document_without_an_end_is_named(tmp_path, monkeypatch, name, content, line):
    monkeypatch.setattr(corpusfile, "LONGEST_DOCUMENT", 20_000)
    file = tmp_path / name
    file.write_bytes(content)
    assert refused(file).startswith(f"{file}:{line}: a document of more than")


def test_any_number_of_lines_is_read_if_each_is_short(tmp_path, monkeypatch):
    monkeypatch.setattr(corpusfile, "LONGEST_DOCUMENT", 20_000)
    for name, content, number in (
        ("a.txt", b"Text.\n\n" * 10_000 + b"\n" * 50_000, 10_000),
        ("a.jsonl", b'{"text": "Text."}\n' * 10_000, 10_000),
        ("a.csv", b"id,text\n" + b"1,Text.\n" * 10_000, 10_000),
    ):
        (tmp_path / name).write_bytes(content)
        assert len(read(tmp_path / name)) == number


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"id": ' + "9" * 5000 + ', "text": "x"}', "a number is too long"),
        (r'{"text": "a\ud800b"}', "half a character"),
    ],
)
def test_a_line_of_json_beyond_the_usual_is_told_and_skipped(tmp_path, line, why):
    file = tmp_path / "a.jsonl"
    file.write_text("\n".join([line, *['{"text": "One."}'] * 20]))
    said = []
    assert [document.text for document in read(file, health=Health(said.append))] == ["One."] * 20
    (only,) = said
    assert only.startswith(f"{file}:1: not JSON: ")
    assert why in only


def test_a_long_number_as_a_name_is_a_name(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text('{"id": ' + "9" * 400 + ', "text": "x"}\n{"id": [1], "text": "y"}\n')
    assert [document.id for document in read(file)] == ["9" * 400, f"{file}:2"]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x1e"])
def test_a_line_of_json_ends_where_a_line_ends_and_nowhere_else(tmp_path, separator):
    file = tmp_path / "a.jsonl"
    text = f"One.{separator}Two."
    file.write_text(json.dumps({"text": text}, ensure_ascii=False) + "\r\n" + json.dumps({"text": "Three."}))
    first, second = read(file)
    assert first.text.split() == ["One.", "Two."]
    assert second.text == "Three."


@pytest.mark.parametrize("ending", [".txt", ".jsonl", ".csv"])
def test_a_mark_at_the_beginning_is_no_text(tmp_path, ending):
    content = {".txt": "One.", ".jsonl": '{"text": "One."}', ".csv": "text\nOne."}[ending]
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le"):
        file = tmp_path / f"a{ending}"
        file.write_text(("\ufeff" if encoding == "utf-16-le" else "") + content, encoding=encoding)
        assert [d.text for d in read(file, encoding=encoding.removesuffix("-sig"))] == ["One."]


def test_names_and_texts_hold_nothing_that_controls_a_terminal(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({"id": "\x1b]0;title\x07\n", "text": "The \x1b[31mnurse\x9b said\n"}))
    (document,) = read(file)
    assert (document.id, document.text) == (" ]0;title  ", "The  [31mnurse  said\n")


def test_halves_of_characters_from_any_encoding_are_replaced(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(rb"The nurse \ud800 said.")
    (document,) = read(file, encoding="raw_unicode_escape")
    assert document.text == "The nurse \ufffd said."


def test_skipped_lines_are_told_three_times_and_then_counted(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text("\n".join(["{"] * 8 + ['{"text": "One."}'] * 120))
    said = []
    assert len(read(file, health=Health(said.append))) == 120
    assert len(said) == 4
    assert said[-1] == "and 5 more lines skipped"


@pytest.mark.parametrize(
    ("encoding", "why"),
    [
        ("utf-16", "not utf-16: "),
        ("punycode", "not punycode: "),
        ("undefined", "not undefined: "),
        ("idna", "not idna: "),
        ("rot13", "--encoding rot13: there is no such encoding"),
        ("no\0thing", "there is no such encoding"),
        ("", "there is no such encoding"),
    ],
)
def test_an_encoding_that_does_not_fit_is_one_line(tmp_path, encoding, why):
    file = tmp_path / "a.txt"
    file.write_bytes("Ünder äll: -9999999999x.\n\n..\x81".encode("latin-1"))
    assert why in refused(file, encoding=encoding)


def test_a_pipe_is_no_corpus(tmp_path):
    os.mkfifo(tmp_path / "a.txt")
    assert refused(tmp_path / "a.txt") == f"{tmp_path / 'a.txt'}: is a pipe or a device"
    (tmp_path / "zero.txt").symlink_to("/dev/zero")
    assert "is a pipe or a device" in refused(tmp_path / "zero.txt")


@pytest.mark.parametrize("name", ["x" * 300, "a\0b.txt", "[", "**"])
def test_a_name_that_no_file_has_is_one_line(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    refused(name)


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    assert refused("-") == "standard input is closed"


def test_the_share_that_was_read_goes_from_nothing_to_all(tmp_path):
    for name in ("a.jsonl", "b.jsonl.gz"):
        content = b'{"text": "The nurse said that she left."}\n' * 5000
        (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    corpus = Corpus((str(tmp_path),))
    shares = [corpus.progress.share() for _ in corpus.documents()]
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.5 < shares[-1] <= 1
    assert corpus.progress.share() == 1


def jsonl(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def delimited(rows):
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, ["id", "text"], extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def parquet(rows):
    out = io.BytesIO()
    pd.DataFrame(rows).to_parquet(out)
    return out.getvalue()


ROWS = [{"id": f"d{n}", "text": f"The nurse said that {n} left."} for n in range(5)]
VALID = {
    ".txt": b"".join(row["text"].encode() + b"\n\n" for row in ROWS),
    ".jsonl": jsonl(ROWS),
    ".csv": delimited(ROWS),
    ".tsv": delimited(ROWS).replace(b",", b"\t"),
    ".parquet": parquet(ROWS),
}
VALID |= {f".jsonl{ending}": compress(VALID[".jsonl"]) for ending, compress in COMPRESS.values()}


@st.composite
def damaged(draw, content):
    place = draw(st.integers(0, len(content)))
    length = draw(st.integers(0, 8))
    return content[:place] + draw(st.binary(max_size=8)) + content[place + length :]


@pytest.mark.parametrize("ending", VALID)
def test_any_bytes_are_read_or_refused_in_one_line(tmp_path_factory, ending):
    file = tmp_path_factory.mktemp("any") / f"a{ending}"

    @given(
        st.one_of(st.binary(max_size=200), st.text(max_size=60).map(str.encode), damaged(VALID[ending])),
        st.sampled_from(["utf-8", "utf-16", "gb18030", "latin-1", "utf-7", "punycode", "cp037"]),
    )
    def check(content, encoding):
        file.write_bytes(content)
        documents, error = documents_or_error(file, encoding=encoding)
        assert "\n" not in error
        assert bool(documents) != bool(error)
        for document in documents:
            document.text.encode()
            assert not CONTROLS.search(document.id + document.text)

    check()


def _scripts_of_compressed_files():
    def script(name):
        return runpy.run_path(str(ROOT / name))

    return {
        "recipes": lambda folder: list(script(f"{RECIPES}/corpus.py")["texts_in"](folder / CORPUS)),
        "contexts": lambda folder: list(script(f"{RECIPES}/contexts/prepare.py")["documents"](folder / CORPUS)),
        "treebank": lambda folder: script(f"{RECIPES}/parsers/treebank.py")["read_treebank"](folder, "en", "dev"),
        "counting": lambda folder: list(script("languages/zh/counting/count.py")["lines_in"](folder)),
        "mining": lambda folder: script("benchmarks/mining/miners.py")["texts_in"](folder / CORPUS),
        "coreference": lambda folder: list(script("benchmarks/mining/coreference.py")["gum"](None, folder)),
    }


@pytest.mark.parametrize("name", _scripts_of_compressed_files())
def test_a_script_refuses_a_compressed_file_that_was_cut_off(tmp_path, name):
    rows = "".join(json.dumps({"id": str(n), "text": f"Text {n}."}) + "\n" for n in range(1000)).encode()
    whole = zst()(rows)
    for file in (CORPUS, "gum-with-coref.conllu.zst", "en/dev.conllu.zst"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_bytes(whole[:-20])
    (tmp_path / "GUM_splits.md").write_text("")
    with pytest.raises(BvfError, match="damaged or cut off"):
        _scripts_of_compressed_files()[name](tmp_path)


@pytest.mark.parametrize("row", ['"A baker said.', '"A baker said."x y'], ids=["cut", "text after a quote"])
def test_an_open_quote_in_a_corpus_is_refused(tmp_path, row):
    file = tmp_path / "corpus.csv"
    file.write_text(f'id,text\n1,"A nurse, too."\n2,{row}\n3,A welder said.\n')
    with pytest.raises(BvfError, match="not a table"):
        list(Corpus((str(file),)).documents())


@pytest.mark.parametrize("text", ["A nurse, too.", '"A baker said.'], ids=["whole", "cut"])
def test_the_limit_of_a_field_in_a_corpus_is_not_that_of_other_tables(tmp_path, text):
    before = csv.field_size_limit()
    (tmp_path / "corpus.csv").write_text(f"id,text\n1,{text}\n")
    with suppress(BvfError):
        list(Corpus((str(tmp_path / "corpus.csv"),)).documents())
    assert csv.field_size_limit() == before


def test_a_whole_file_is_no_pipe_and_no_device(tmp_path):
    for name in ("a.jsonl", "a.jsonl.gz"):
        os.mkfifo(tmp_path / name)
        (tmp_path / f"zero.{name}").symlink_to("/dev/zero")
        for file in (tmp_path / name, tmp_path / f"zero.{name}"):
            with pytest.raises(BvfError, match="is not a file"):
                corpusfile.whole_content(file)
