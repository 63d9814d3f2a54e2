"""A corpus is read whole or refused in one line: cut off, damaged, endless, or of bytes that mean nothing."""

import csv
import gzip
import json
import os
import runpy
import tracemalloc
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
import zstandard
from bvf_mining import corpora as corpusfile
from bvf_mining.corpora import CONTROLS
from bvf_mining.corpus import Corpus, Health
from helpers import corpus as helper
from helpers.corpus import FORMATS, documents_or_error, jsonl, named, read, refused, zst
from hypothesis import given
from hypothesis import strategies as st

from bvf import BvfError

ROOT = Path(__file__).parents[3]
CORPUS = "prose.jsonl.zst"
RECIPES = "languages/recipes"
COMPRESS = {
    **{ending: (ending, compress) for ending, compress in helper.COMPRESS.items() if ending},
    "zst with a checksum": (".zst", partial(zst, write_checksum=True)),
    "zst without its size": (".zst", partial(zst, write_content_size=False)),
}
FIRST, SECOND = b"The nurse said that she left.\n\n", b"The cook knew that he stayed.\n\nIt rained.\n"


@pytest.fixture
def short_documents(monkeypatch):
    monkeypatch.setattr(corpusfile, "LONGEST_DOCUMENT", 20_000)


@pytest.mark.parametrize("kind", COMPRESS)
def test_a_compressed_corpus_is_refused_wherever_it_is_cut_off_and_with_anything_after_it(tmp_path, kind):
    ending, compress = COMPRESS[kind]
    file, first, second = tmp_path / f"corpus.txt{ending}", compress(FIRST), compress(SECOND)
    whole = first + second
    file.write_bytes(whole)
    assert len(read(file)) == 3
    cut = [whole[:place] for place in range(len(whole)) if place != len(first)]
    for content in (*cut, first + b"x" + second[1:]):
        file.write_bytes(content)
        assert refused(file).startswith(f"{file}: damaged or cut off")


def test_zst_files_with_frames_to_be_skipped_are_read(tmp_path):
    skipped = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"abcd"
    file = tmp_path / "corpus.txt.zst"
    file.write_bytes(skipped + zst(FIRST) + skipped + zst(SECOND))
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
def test_a_document_without_an_end_is_named(tmp_path, short_documents, name, content, line):
    file = tmp_path / name
    file.write_bytes(content)
    assert refused(file).startswith(f"{file}:{line}: a document of more than")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", b"Text.\n\n" * 10_000 + b"\n" * 50_000),
        ("a.jsonl", b'{"text": "Text."}\n' * 10_000),
        ("a.csv", b"id,text\n" + b"1,Text.\n" * 10_000),
    ],
)
def test_any_number_of_lines_is_read_if_each_is_short(tmp_path, short_documents, name, content):
    (tmp_path / name).write_bytes(content)
    assert len(read(tmp_path / name)) == 10_000


def as_jsonl(**row):
    return json.dumps(row, ensure_ascii=False)


READ_AS = {
    "a paragraph per document": (
        *(".txt", "\n\nOne line\nand another.\n\n \nA second.\r\n\r\nThird", {}),
        [("a.txt:3", "One line\nand another."), ("a.txt:7", "A second."), ("a.txt:9", "Third")],
    ),
    "a number as a name": (".jsonl", '{"id": ' + "9" * 400 + ', "text": "x"}', {}, [("9" * 400, "x")]),
    "a list is no name": (
        ".jsonl",
        '{"text": "x"}\n{"id": [1], "text": "y"}\n',
        {},
        [("a.jsonl:1", "x"), ("a.jsonl:2", "y")],
    ),
    "a key twice": (".jsonl", '{"text": "a", "meta": {"page": 1, "page": 2}}\n', {}, [("a.jsonl:1", "a")]),
    "controls of a terminal": (
        *(".jsonl", json.dumps({"id": "\x1b]0;title\x07\n", "text": "The \x1b[31mnurse\x9b said\n"}), {}),
        [(" ]0;title  ", "The  [31mnurse  said\n")],
    ),
    "half a character of an encoding": (
        *(".txt", r"The nurse \ud800 said.", {"encoding": "raw_unicode_escape"}),
        [("a.txt:1", "The nurse \ufffd said.")],
    ),
    "a column and an encoding": (
        *(".jsonl", as_jsonl(正文="医生说他来了。").encode("gb18030"), {"text_column": "正文", "encoding": "gb18030"}),
        [("a.jsonl:1", "医生说他来了。")],
    ),
}


@pytest.mark.parametrize("case", READ_AS)
def test_what_a_file_is_read_as(tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    ending, content, options, documents = READ_AS[case]
    Path(f"a{ending}").write_bytes(content if isinstance(content, bytes) else content.encode())
    assert [(each.id, each.text) for each in read(f"a{ending}", **options)] == documents


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x1e"])
def test_a_line_of_json_ends_where_a_line_ends_and_nowhere_else(tmp_path, separator):
    file = tmp_path / "a.jsonl"
    file.write_text(as_jsonl(text=f"One.{separator}Two.") + "\r\n" + as_jsonl(text="Three."))
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


CORRUPT = {
    "{": "not JSON: ",
    '{"title": 1}': "no text",
    '{"text": 1}': "no text",
    "[1]": "no text",
    "[" * 100_000: "not JSON: nested too deeply",
    '{"id": ' + "9" * 5000 + ', "text": "x"}': "not JSON: a number is too long",
    r'{"text": "a\ud800b"}': "not JSON: half a character",
}


@pytest.mark.parametrize("line", CORRUPT, ids=lambda line: line[:9])
def test_a_corrupt_line_is_named_and_skipped(tmp_path, line):
    file, said = tmp_path / "a.jsonl", []
    file.write_text("\n".join([line, *['{"text": "One."}'] * 20]))
    assert [document.text for document in read(file, health=Health(said.append))] == ["One."] * 20
    (only,) = said
    assert only.startswith(f"{file}:1: {CORRUPT[line]}")
    assert only.endswith("; skipped")


def test_skipped_lines_are_told_three_times_and_then_counted(tmp_path):
    file, said = tmp_path / "a.jsonl", []
    lines = ['{"text": "One."}'] * 128
    lines[6:40:10], lines[60:64] = ["{"] * 4, ["{"] * 4
    file.write_text("\n".join(lines))
    health = Health(said.append)
    assert len(read(file, health=health)) == 120
    assert [line.split(": ")[0] for line in said[:3]] == [f"{file}:{n}" for n in (7, 17, 27)]
    assert said[3:] == ["and 5 more lines skipped"]
    assert (health.lines, health.skipped) == (128, 8)


def test_a_corpus_of_corrupt_lines_is_given_up_early(tmp_path):
    file, health = tmp_path / "corpus.jsonl", Health()
    file.write_text("x\n" * 100_000)
    with pytest.raises(BvfError):
        read(file, health=health)
    assert health.lines <= 200


LATIN = "Ünder äll: -9999999999x.\n\n..\x81".encode("latin-1")
ONE_IN_TEN = '{"text": "One."}\n' * 3 + "{\n" * 3 + '{"text": "One."}\n' * 24


@pytest.mark.parametrize(
    ("name", "content", "options", "said"),
    [
        ("a.txt", LATIN, {"encoding": "utf-16"}, ": not utf-16: "),
        ("a.txt", LATIN, {"encoding": "punycode"}, ": not punycode: "),
        ("a.txt", LATIN, {"encoding": "undefined"}, ": not undefined: "),
        ("a.txt", LATIN, {"encoding": "idna"}, ": not idna: "),
        ("a.txt", LATIN, {"encoding": "rot13"}, "--encoding rot13: there is no such encoding"),
        ("a.txt", LATIN, {"encoding": "no\0thing"}, "there is no such encoding"),
        ("a.txt", LATIN, {"encoding": ""}, "there is no such encoding"),
        ("a.txt", "医生".encode("gb18030"), {}, "a.txt: not utf-8: byte 0x"),
        ("a.jsonl", b'{"text": "\xff"}', {}, "a.jsonl: not utf-8: byte 0xff"),
        ("a.parquet", b"no parquet", {}, "a.parquet: not a Parquet file"),
        ("a.pdf", b"text", {}, "a.pdf: cannot read a corpus from this kind of file"),
        ("a.txt", b"  \n\n", {}, "a.txt: no text in this corpus"),
        ("a.csv", b"title\nx\n", {}, "1 of 1 lines cannot be used, the first is a.csv:2: no text"),
        ("a.jsonl", ONE_IN_TEN.encode(), {}, "3 of 30 lines cannot be used, the first is a.jsonl:4: not JSON"),
        ("a.csv", b'id,text\n1,"A nurse, too."\n2,"A baker said.\n3,A welder said.\n', {}, "a.csv: not a table"),
        ("a.csv", b'id,text\n1,"A nurse, too."\n2,"A baker said."x y\n3,x\n', {}, "a.csv: not a table"),
        ("nowhere.txt", None, {}, "nowhere.txt: there is no such corpus"),
        ("nowhere/*.txt", None, {}, "nowhere/*.txt: there is no such corpus"),
        ("x" * 300, None, {}, ""),
        ("a\0b.txt", None, {}, ""),
        ("[", None, {}, "[: there is no such corpus"),
        ("**", None, {}, "**: there is no such corpus"),
    ],
)
def test_what_cannot_be_read_is_one_line(tmp_path, monkeypatch, name, content, options, said):
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path(name).write_bytes(content)
    assert said in refused(name, **options)


def test_a_pipe_and_a_device_are_no_corpus_and_no_whole_file(tmp_path):
    for name in ("a.txt", "a.jsonl", "a.jsonl.gz"):
        os.mkfifo(tmp_path / name)
        (tmp_path / f"zero.{name}").symlink_to("/dev/zero")
        for file in (tmp_path / name, tmp_path / f"zero.{name}"):
            assert refused(file) == f"{file}: is a pipe or a device"
            with pytest.raises(BvfError, match="is not a file"):
                corpusfile.whole_content(file)


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    assert refused("-") == "standard input is closed"


def test_the_share_that_was_read_goes_from_nothing_to_all(tmp_path):
    content = b'{"text": "The nurse said that she left."}\n' * 5000
    (tmp_path / "a.jsonl").write_bytes(content)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(content))
    corpus = Corpus((str(tmp_path),))
    shares = [corpus.progress.share() for _ in corpus.documents()]
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.5 < shares[-1] <= 1
    assert corpus.progress.share() == 1


ROWS = named(f"The nurse said that {n} left." for n in range(5))
VALID = {ending: make(ROWS) for ending, make in FORMATS.items()}
VALID[".txt"] = b"".join(row["text"].encode() + b"\n\n" for row in ROWS)
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


def script(name):
    return runpy.run_path(str(ROOT / name))


SCRIPTS = {
    "recipes": lambda folder: list(script(f"{RECIPES}/corpus.py")["texts_in"](folder / CORPUS)),
    "contexts": lambda folder: list(script(f"{RECIPES}/contexts/prepare.py")["documents"](folder / CORPUS)),
    "treebank": lambda folder: script(f"{RECIPES}/parsers/treebank.py")["read_treebank"](folder, "en", "dev"),
    "counting": lambda folder: list(script("languages/zh/counting/count.py")["lines_in"](folder)),
    "mining": lambda folder: script("benchmarks/mining/miners.py")["texts_in"](folder / CORPUS),
    "coreference": lambda folder: list(script("benchmarks/mining/coreference.py")["gum"](None, folder)),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_refuses_a_compressed_file_that_was_cut_off(tmp_path, name):
    whole = zst(jsonl(named(f"Text {n}." for n in range(1000))))
    for file in (CORPUS, "gum-with-coref.conllu.zst", "en/dev.conllu.zst"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_bytes(whole[:-20])
    (tmp_path / "GUM_splits.md").write_text("")
    with pytest.raises(BvfError, match="damaged or cut off"):
        SCRIPTS[name](tmp_path)


@pytest.mark.parametrize("text", ["A nurse, too.", '"A baker said.'], ids=["whole", "cut"])
def test_the_limit_of_a_field_in_a_corpus_is_not_that_of_other_tables(tmp_path, text):
    before = csv.field_size_limit(5000)
    (tmp_path / "corpus.csv").write_text(f"id,text\n1,{text}\n")
    with suppress(BvfError):
        read(tmp_path / "corpus.csv")
    assert csv.field_size_limit(before) == 5000
