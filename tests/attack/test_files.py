"""Files of any content, for everything that reads one: one line that says what is wrong, or the right thing."""

import bz2
import gzip

import pytest
from helpers.corpus import TOY_MINER

DEEP = b"[" * 100_000
CONTENTS = {
    "nothing": b"",
    "a line feed": b"\n",
    "zeros": bytes(64),
    "not UTF-8": b"\xff\xfe\x00template,count\n",
    "a mark": b"\xef\xbb\xbf",
    "deep": DEEP,
    "deep objects": b'{"a":' * 50_000,
    "a brace": b"{",
    "a number": b"5",
    "null": b"null",
    "a text": b'"x"',
    "a list": b"[]",
    "an object": b"{}",
    "objects in lists": b'[{"template": 1, "count": {}}]',
    "long number": b'{"template": "The [X] said that [Y]", "count": ' + b"9" * 5000 + b"}",
    "large number": b'{"template": "The [X] said that [Y]", "count": ' + b"9" * 400 + b"}",
    "half a character": rb'{"template": "The [X] said \ud800 that [Y]", "count": 1, "text": "\ud800"}',
    "NaN": b'{"template": "The [X] said that [Y]", "count": NaN}',
    "true": b'{"template": "The [X] said that [Y]", "count": true}',
    "an open quote": b'template,count\n"The [X] said that [Y],1\n' + b"x" * 200_000,
    "a long field": b"template,count\n" + b"x" * 200_000 + b",1\n",
    "a zero in a field": b"template,count\nThe [X] said\x00 that [Y],1\n",
    "no count": b"template\nThe [X] said that [Y]\n",
    "too many fields": b"template,count\nThe [X] said that [Y],1,2,3,4\n",
    "infinite": b"template,count\nThe [X] said that [Y],1e999\n",
    "huge": b"template,count\nThe [X] said that [Y],1e308\nThe [X] thought that [Y],1e308\n",
    "below zero": b"template,count\nThe [X] said that [Y],-1\n",
    "only a header": b"template,count\n",
    "a header of nothing": b",,,\n,,,\n",
    "the same column twice": b"template,template,count\nThe [X] said that [Y],a,1\n",
    "no header": b"The [X] said that [Y],1\n",
    "markup": b"template,count\n[/x] [X] [bold red] [Y],1\n",
    "terminal": b"template,count\n\x1b]0;x\x07 [X] said [Y],1\n",
    "groups": b"group,male,female\nnurse,0.5,0.5\nbaker,2,-1\n",
    "sums to two": b"group,male,female\nnurse,1,1\nbaker,1,1\n",
    "nobody": b"group,male,female,weight\nnobody,0.5,0.5,1\n",
    "weights of text": b"group,weight\nnurse,heavy\n",
    "TOML of another kind": b'schema = "bvf.topic/9"\n',
    "TOML that is open": b'schema = "bvf.topic/1',
    "TOML, deep": b"a = " + DEEP,
    "TOML, a long number": b"seed = " + b"9" * 5000,
    "TOML, lists": b"model = []\ncontexts = []\n",
    "TOML, lists of lists": b'model = [["a"]]\n',
    "TOML, tables": b"model = [{a = 1}]\nwords = [1]\n",
    "TOML, a zero": rb'topic = "a\u0000b"' + b"\n",
    "TOML, contexts with a zero": rb'contexts = "a\u0000b.csv"' + b"\n",
    "TOML, a long name": b'out = "' + b"x" * 5000 + b'"\n',
    "TOML, dates": b"seed = 2020-01-01\nmodel = 1.5\n",
    "Python": b"import sys\nsys.exit(0)\n",
    "Python that is none": b"def",
    "gzip": gzip.compress(b"The nurse said that she left.\n"),
    "gzip, cut": gzip.compress(b"The nurse said that she left.\n" * 1000)[:40],
    "bz2, cut": bz2.compress(b"The nurse said that she left.\n" * 1000)[:40],
    "zstd, cut": b"(\xb5/\xfd\x04X",
    "Parquet, cut": b"PAR1" + bytes(20),
}
MODEL = ("--model", "baseline:random", "--limit-groups", "2", "--limit-contexts", "2", "--quiet")
READERS = {
    "contexts.csv": ("run", "--contexts", "contexts.csv", *MODEL),
    "contexts.tsv": ("contexts", "show", "contexts.tsv"),
    "contexts.json": ("contexts", "compare", "contexts.json", "gender"),
    "contexts.jsonl": ("contexts", "merge", "contexts.jsonl", "-o", "all.csv"),
    "contexts.parquet": ("contexts", "show", "contexts.parquet"),
    "topic.toml": ("run", "--topic", "topic.toml", *MODEL),
    "config.toml": ("run", *MODEL, "--config", "config.toml"),
    "reference.csv": ("run", "--reference", "reference.csv", *MODEL),
    "weights.csv": ("run", "--group-weights", "weights.csv", *MODEL),
    "plugin.py": ("run", "--plugin", "./plugin.py", *MODEL),
    "checked.py": ("check", "./checked.py"),
    "out/measurement.json": ("run", *MODEL, "--out", "out"),
}
CORPORA = [f"corpus.{kind}" for kind in ("jsonl", "csv", "txt.gz", "txt.bz2", "txt.zst", "parquet")]
READERS |= {corpus: ("mine", corpus, "-o", "set.csv", "--plugin", TOY_MINER, "--quiet") for corpus in CORPORA}


@pytest.mark.parametrize("file", READERS)
def test_a_file_gets_one_line_or_is_read(attacks, ends_well, file):
    for attack, content in attacks(file, CONTENTS):

        def written(folder, content=content):
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_bytes(content)

        ends_well(attack, READERS[file], written)


def test_a_folder_in_the_place_of_a_file_gets_one_line(ends_well):
    for file, arguments in READERS.items():
        if "/" not in file:
            done = ends_well(file, arguments, lambda folder, file=file: (folder / file).mkdir())
            assert done.code == 2, file


@pytest.mark.parametrize("arguments", [("verify",), ("report",), ("compare", "."), ("export", "--to", "csv")])
def test_a_name_that_no_file_system_has_gets_one_line(ends_well, arguments):
    done = ends_well("a long name", (*arguments, "n" * 300), lambda folder: None)
    assert done.code == 2


def test_a_date_of_the_environment_that_is_none_gets_one_line(ends_well, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "x")
    assert 'SOURCE_DATE_EPOCH is "x"' in ends_well("a date", ("criteria",), lambda folder: None).err
