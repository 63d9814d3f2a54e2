"""Checks of every pack: the sample runs, has no text of the data, and damaged files give one-line errors."""

import gzip
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from bvf_bias_benchmarks import declared
from bvf_bias_benchmarks.reading import digest_of, files_in, name_of, rows_of
from helpers.benchmark_answers import PUBLISHED, needs_shared, sample_of, tabulated

from bvf.errors import BvfError
from bvf.hooks.loader import load
from bvf.interfaces.benchmark import Answer, Benchmark, Text


@pytest.fixture(params=list(declared("packs")))
def pack(request) -> Benchmark:
    return load().benchmarks.make(request.param)


def test_names_are_those_of_the_hook():
    plugins = load()
    assert set(plugins.benchmarks.names()) >= set(declared("packs"))
    assert plugins.benchmarks.make("bbq:arc").prediction == "arc"


def test_any_answers_to_a_sample_make_a_table_and_scores(pack):
    items = list(pack.items(sample_of(pack)))
    assert len({item.id for item in items}) == len(items) >= 3
    chance = random.Random(1)
    texts = (Text("He is lazy."),) if pack.asks == "texts" else ()
    answers = [Answer(item, tuple(chance.random() for _ in item.choices), texts) for item in items]
    assert tabulated(pack, answers, drop_missing=True).rows >= 2
    scores = pack.scores(answers)
    keys = Counter((score.name, *sorted(score.of.items())) for score in scores)
    assert max(keys.values()) == 1, "a score of a part is given once"
    assert all(score.value is None or -100 <= score.value <= 100 for score in scores)
    assert all(0 <= score.items <= len(items) for score in scores)


def test_rows_have_the_declared_columns_and_a_tie_is_no_outcome(pack):
    item = next(pack.items(sample_of(pack)))
    row = pack.row(Answer(item, tuple(float(number) for number, _ in enumerate(item.choices))))
    columns = {pack.declaration.column_of(name) for name in pack.declaration.factors}
    assert columns | {pack.declaration.cluster, pack.declaration.outcome.column} <= set(row)
    assert pack.row(Answer(item, (1.0,) * len(item.choices)))[pack.declaration.outcome.column] is None


def test_published_answers_of_others_are_refused(pack, tmp_path):
    file = tmp_path / "answers.csv"
    file.write_text("a,b\n1,2\n")
    with pytest.raises(BvfError):
        list(pack.published(file, list(pack.items(sample_of(pack)))))


def test_nothing_there_is_one_line(pack, tmp_path):
    for place in (tmp_path, tmp_path / "nowhere", Path("x" * 300), Path("a\0b")):
        with pytest.raises(BvfError, match=r"no file of .* found"):
            list(pack.items(place))


@needs_shared
def test_no_text_of_a_sample_is_in_the_data(pack):
    folders = {"crows-pairs-nl": "crows-pairs-multilingual", "crows-pairs-fr": "crows-pairs-multilingual"}
    folder = PUBLISHED / folders.get(pack.name, pack.name)
    texts = [pack.text(file) for file in folder.rglob("*") if file.is_file()]
    for item in pack.items(sample_of(pack)):
        longest = max((item.left.split("\n")[0].strip(), item.right, *item.choices), key=len)
        assert not any(longest in data for data in texts), item.id


def test_files_as_published_are_told_from_others_by_their_content(tmp_path):
    pack = load().benchmarks.make("winogender")
    files = [tmp_path / f"data{number}" / "templates.tsv" for number in range(2)]
    for file, text in zip(files, ("a\n1\n", "a\n2\n"), strict=True):
        file.parent.mkdir()
        file.write_text(text)
    pack.origin = replace(pack.origin, files={"any-name.tsv": digest_of(files[0])})
    compressed = tmp_path / "templates.tsv.gz"
    compressed.write_bytes(gzip.compress(files[0].read_bytes()))
    assert pack.remarks(files[0]) == pack.remarks(compressed) == ()
    assert pack.remarks(files[1]) == (f"not as published: templates.tsv ({pack.origin.url})",)
    pack.files = lambda data: [data] * 5
    assert pack.remarks(files[1])[0].startswith("not as published: templates.tsv, templates.tsv, templates.tsv and 2")


def test_compressed_files_are_found_and_read(tmp_path):
    file = tmp_path / "x.csv.gz"
    file.write_bytes(gzip.compress(b"\xef\xbb\xbfa;b\n1;2\n"))
    assert files_in(tmp_path, ("y.csv", "*.csv"), "X") == [file]
    assert name_of(file) == "x.csv"
    assert [row.values for row in rows_of(file, ("a", "b"))] == [{"a": "1", "b": "2"}]
    file.write_bytes(gzip.compress(b"a,b\n1,2\n" * 9999)[:-40])
    with pytest.raises(BvfError, match="damaged or cut off"):
        list(rows_of(file, ()))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2,3\n", "x.csv:2: more fields than the header has"),
        ("a,a\n1,2\n", 'x.csv: 2 columns are called "a"'),
        ("a,b\n1\n", 'x.csv:2: there is no "b"'),
        ('a,b\n1,"2\n', "x.csv:2: not CSV: unexpected end of data"),
    ],
)
def test_damaged_tables(tmp_path, text, message):
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(BvfError, match=message):
        list(rows_of(tmp_path / "x.csv", ("a", "b")))
