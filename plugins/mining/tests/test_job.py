"""Mining a corpus: the same set whatever the order, the workers and the interruptions; nothing lost or by halves."""

import csv
import errno
import json
import os
import random
import re
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from bvf_mining import job, pieces
from bvf_mining.config import OPTIONS, MineConfig
from bvf_mining.job import mine, mine_part
from bvf_mining.output import name_of
from bvf_mining.replicates import document_weights
from bvf_mining.tally import Finding, Tally
from helpers.corpus import TOY_MINER, VERBS, mine_config, mined, sentences, stop_mining, write
from helpers.topic_text import topic_text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bvf.errors import BvfError
from bvf.files.contexts.sampling import record_of, replicates_of
from bvf.files.contexts.sets import read_contexts
from bvf.files.folder import Folder
from bvf.interfaces.miner import Document

LANGUAGE = """
from dataclasses import replace
from bvf import Language, Provider, Template, hookimpl
from bvf.hooks.loader import module_of
Toy = module_of({toy!r}).Toy

class Spanish(Language):
    code, default_topic, default_model, default_miner = "pt", "", "", {default!r}
    def render(self, template, group): ...

class Short(Toy):
    def find(self, documents):
        found = super().find(documents)
        found.matches = [replace(match, template=Template("[X]: [Y]")) for match in found.matches]
        return found

@hookimpl
def bvf_languages(): return [Provider("pt", Spanish, language="pt")]

@hookimpl
def bvf_miners(): return [Provider("long", Toy, language="pt"), Provider("short", Short, language="pt")]
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory, documents):
    """A corpus that was mined, with its matches beside the set."""
    folder = tmp_path_factory.mktemp("mined")
    corpus = write(folder / "c.jsonl", documents)
    return mined(corpus, folder / "set.csv", matches=str(folder / "m.jsonl"))


def same_files(one, other):
    return all(of(one).read_bytes() == of(other).read_bytes() for of in (Path, record_of, replicates_of))


def test_counts_are_those_of_a_plain_look(found, documents):
    plainly = Counter(f"The [X] {text.split()[4]} that [Y]" for text in documents.values())
    assert {line.template: line.count for line in found.lines} == plainly
    assert (found.counts.sentences, found.counts.parsed, found.counts.kept) == (80, 40, 40)
    assert found.counts.dropped == {"nobody says that": 40}


def test_the_file_has_an_example_and_its_document(found, documents):
    with found.file.open(newline="") as content:
        for row in csv.DictReader(content):
            assert row["example"] in documents[row["document"]]
            assert row["template"].split()[2] in row["example"]
            assert (row["family"], row["tense"]) == ("reporting", "Past")


def test_matches_point_at_the_document(found, documents):
    rows = [json.loads(line) for line in found.file.with_name("m.jsonl").read_text().splitlines()]
    assert len(rows) == 40
    for row in rows:
        text = documents[row["document"]]
        assert text[row["subject_start"] : row["subject_end"]] == row["subject"]
        assert text[row["word_start"] : row["word_end"]] == row["word"]
        assert row["sentence"] in text


def test_the_record_and_the_set_say_what_was_mined(found, documents):
    file, corpus = found.file, str(found.file.with_name("c.jsonl"))
    record = json.loads(record_of(file).read_text())
    assert record["schema"] == "bvf.mining/1"
    characters = sum(map(len, documents.values()))
    assert record["corpus"].items() >= {"source": corpus, "documents": 40, "characters": characters}.items()
    assert record["counts"].items() >= {"kept": 40, "documents": 40}.items()
    assert record["versions"]["bvf"]
    assert read_contexts(file).source.startswith(f"{file}, mined from {corpus}: 40 documents, digest ")


def test_without_examples_no_text_of_the_corpus_is_written(tmp_path, documents):
    file = mined(write(tmp_path / "c.jsonl", documents), tmp_path / "set.csv", examples=False).file
    assert file.read_text().splitlines()[0] == "template,count,documents,verb,family,tense"
    assert "rained" not in file.read_text() + record_of(file).read_text()
    record_of(file).write_text("cut off {")
    assert read_contexts(file).source == str(file)


@pytest.fixture
def spanish(tmp_path, documents):
    """Mine a Spanish topic with a plugin that has two miners of its language, and return the result."""
    topic = topic_text({"male": ["he"], "female": ["she"]}, groups=["cook"]).replace('"en"', '"pt"')
    (tmp_path / "topic.toml").write_text(topic)
    corpus = write(tmp_path / "c.jsonl", documents)

    def call(default="", plugins=(("pt.py", "none"),), by=mine, **choices):
        for name, left_out in plugins:
            source = LANGUAGE.format(toy=TOY_MINER, default=default)
            (tmp_path / name).write_text(source.replace(f"@hookimpl\ndef {left_out}", "def left_out"))
        choices = {"plugin": [str(tmp_path / name) for name, _ in plugins], "workers": 1, **choices}
        files = {"out": str(tmp_path / "set.csv"), "topic": str(tmp_path / "topic.toml")}
        return by(MineConfig(corpus=corpus, **files, **choices))[0]

    return call


@pytest.mark.parametrize(("choices", "name"), [({}, "long"), ({"miner": "short"}, "short")])
def test_the_miner_is_the_one_that_is_named_else_the_default_of_the_topics_language(spanish, choices, name):
    found = spanish("long", **choices)
    assert ({line.template for line in found.lines} == {"[X]: [Y]"}) == (name == "short")
    assert found.record["language"] == "pt"
    assert found.record["miner"] == {"name": name, "package": "pt.py", "version": ""}
    assert read_contexts(found.file).card.miner.startswith(f"{name}, none, bvf ")


def test_pieces_of_another_miner_are_not_taken(spanish):
    spanish(by=mine_part, miner="long", part="1/1")
    assert [line.template for line in spanish(miner="short").lines] == ["[X]: [Y]"]


def test_of_two_plugins_with_a_miner_of_one_name_one_is_chosen(spanish, tmp_path):
    plugins, chosen = (("pt.py", "none"), ("b.py", "bvf_languages")), f"short@{tmp_path / 'b.py'}"
    with pytest.raises(BvfError, match='two plugins offer the miner "short"') as raised:
        spanish(plugins=plugins, miner="short")
    assert chosen in raised.value.hint
    assert spanish(plugins=plugins, miner=chosen).record["miner"]["package"] == "b.py"


@pytest.mark.parametrize(
    ("choices", "says", "hint"),
    [
        ({}, "which miner?", "there are long, short"),
        ({"plugins": (("pt.py", "bvf_miners"),)}, "no miner reads pt", "bvf new miner NAME --lang pt"),
        ({"miner": "lang"}, 'there is no miner "lang"', "long"),
        ({"miner": "en"}, 'there is no miner "en"', "add --lang en"),
        ({"default": "lang"}, 'there is no miner "lang"', "long"),
        ({"lang": "en"}, "--lang en: the topic temper is in pt", "leave --lang out"),
        ({"plugin": [TOY_MINER]}, 'the topic temper is in "pt", a language whose wording rules', "bvf new language pt"),
    ],
)
def test_a_miner_that_cannot_be_chosen_is_one_line(spanish, choices, says, hint):
    with pytest.raises(BvfError) as raised:
        spanish(**choices)
    assert says in raised.value.message
    assert hint in raised.value.hint


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1000), size=st.integers(1, 2000))
def test_order_of_documents_and_size_of_pieces_do_not_matter(
    tmp_path_factory, monkeypatch, found, documents, seed, size
):
    folder = tmp_path_factory.mktemp("order")
    monkeypatch.setattr(pieces, "PIECE", size)
    shuffled = random.Random(seed).sample(list(documents.items()), len(documents))
    other = mined(write(folder / "c.jsonl", dict(shuffled)), folder / "set.csv")
    assert other.file.read_bytes() == found.file.read_bytes()
    assert replicates_of(other.file).read_bytes() == replicates_of(found.file).read_bytes()
    assert other.record["corpus"] == {**found.record["corpus"], "source": str(folder / "c.jsonl")}


def test_the_same_command_goes_on_where_it_stopped(tmp_path, documents, small_pieces, monkeypatch):
    source, out, count = write(tmp_path / "c.jsonl", documents), tmp_path / "set.csv", tmp_path / "count"
    monkeypatch.setenv("TOY_COUNT", str(count))
    mined(source, tmp_path / "whole.csv")
    whole = len(count.read_text().splitlines())
    count.unlink()
    stop_mining(mine_config(source, out), lambda state: state.sentences >= 20)
    assert not out.exists()
    begun = len(count.read_text().splitlines())
    assert 0 < begun < whole
    states = []
    mine(mine_config(source, out), on_progress=lambda _, state: states.append(state))
    assert len(count.read_text().splitlines()) == whole
    assert states[-1].reused == begun
    assert same_files(out, tmp_path / "whole.csv")
    assert not list(tmp_path.glob("*.part"))


def test_other_settings_reuse_nothing(tmp_path, documents, small_pieces):
    config, states = mine_config(write(tmp_path / "c.jsonl", documents), tmp_path / "set.csv"), []
    mine_part(config.model_copy(update={"part": "1/1"}))
    mine(config.model_copy(update={"max_words": 9}), on_progress=lambda _, state: states.append(state))
    assert states[-1].reused == 0


def test_several_corpora_give_a_set_each_with_its_own_sentences(tmp_path, documents):
    few = dict(list(documents.items())[30:])
    corpora = write(tmp_path / "book.jsonl", documents), write(tmp_path / "web.jsonl", few)
    book, web = mine(mine_config(corpora, tmp_path / "sets"))
    assert (book.file, web.file) == (tmp_path / "sets" / "book.csv", tmp_path / "sets" / "web.csv")
    assert (book.counts.kept, web.counts.kept) == (40, 10)


def test_a_sample_is_drawn_by_its_seed(tmp_path, documents):
    source = write(tmp_path / "c.jsonl", documents)
    one, again, other = (mined(source, tmp_path / f"{n}.csv", sample=10, seed=seed) for n, seed in enumerate((3, 3, 4)))
    assert one.counts.kept == 10
    assert one.record == again.record
    assert replicates_of(one.file).read_bytes() == replicates_of(again.file).read_bytes()
    assert replicates_of(one.file).read_bytes() != replicates_of(other.file).read_bytes()
    assert one.record["corpus"]["digest"] != other.record["corpus"]["digest"]


def test_reading_for_a_sample_is_told(tmp_path, documents, monkeypatch):
    monkeypatch.setattr(job, "DRAWN_BETWEEN_REPORTS", 10)
    config, states = mine_config(write(tmp_path / "c.jsonl", documents), tmp_path / "s.csv", sample=5), []
    mine(config, on_progress=lambda _, state: states.append(state))
    told = [(state.documents, state.drawing) for state in states]
    assert told == [*((number, True) for number in (10, 20, 30, 40)), (5, False)]
    assert all(0 < state.share <= 1 for state in states)


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("It rained. It snowed.", "no template in 2 sentences", "dropped: nobody says that: 2"),
        ("医生说他明天不来了。The end.", "--lang en: 60% of the letters read are not Latin", "--lang zh"),
    ],
)
def test_a_corpus_without_a_match_or_in_another_script_gives_no_set(tmp_path, text, said, hint):
    with pytest.raises(BvfError, match=said) as caught:
        mined(write(tmp_path / "c.jsonl", {"a": text}), tmp_path / "set.csv")
    assert hint in caught.value.hint
    assert not (tmp_path / "set.csv").exists()


@pytest.mark.parametrize(
    ("named", "number", "said"),
    [(r"set\.csv", errno.ENOSPC, "the disk is full"), ("[0-9a-f]{32}", errno.EIO, "Input/output error")],
)
def test_what_cannot_be_written_is_one_line(tmp_path, documents, monkeypatch, named, number, said):
    def full(folder, name):
        if re.fullmatch(named, name):
            raise OSError(number, os.strerror(number), name)
        return as_before(folder, name)

    as_before = Folder.replacing
    monkeypatch.setattr(Folder, "replacing", full)
    with pytest.raises(BvfError, match=said) as caught:
        mined(write(tmp_path / "c.jsonl", documents), tmp_path / "set.csv")
    assert "the same command" in caught.value.hint


def test_no_corpus_is_a_wrong_option():
    with pytest.raises(BvfError, match="CORPUS is"):
        MineConfig.checked({"corpus": (), "out": "set.csv"}, OPTIONS)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        *(("a/books.txt.gz", "books"), ("hf:owner/name/part", "owner-name-part"), ("-", "stdin")),
        *(("my data/", "my-data"), ("s3://b/x.jsonl", "x"), ("https://b.org/dumps/en.xml.bz2?mirror=1", "en")),
    ],
)
def test_names_of_corpora(source, name):
    assert name_of(source) == name


def test_replicates_hold_no_text_and_no_name_of_a_document(tmp_path):
    texts = {"secret-name": "It rained secretly. The nurse said that she left. "}
    file = replicates_of(mined(write(tmp_path / "c.jsonl", texts), tmp_path / "set.csv").file)
    table = pq.read_table(file)
    assert table.column_names == ["template", "count", "redrawn"]
    assert table["template"].to_pylist() == ["The [X] said that [Y]"]
    assert b"secret" not in file.read_bytes()
    assert b"nurse" not in file.read_bytes()


SPOKEN = st.dictionaries(
    st.sampled_from(["a", "ab", "b", "c"]),
    st.lists(st.sampled_from([f"The {who} {verb} that she left." for who in ("nurse", "cook") for verb in VERBS[:2]])),
    min_size=1,
).filter(lambda spoken: any(spoken.values()))


@given(spoken=SPOKEN, gap=st.sampled_from([" ", "  ", "\n"]), size=st.integers(1, 200), rng=st.randoms())
def test_a_sentence_counts_once_where_it_stands_first(tmp_path_factory, spoken, gap, size, rng):
    folder = tmp_path_factory.mktemp("spoken")
    texts = {name: "".join(f"{sentence}{gap}" for sentence in ["Oh.", *said]) for name, said in spoken.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "PIECE", size)
        source = write(folder / "c.jsonl", dict(rng.sample(list(texts.items()), len(texts))))
        found = mined(source, folder / "set.csv", matches=str(folder / "m.jsonl"))
    owner = {}
    for name in sorted(spoken):
        for sentence in spoken[name]:
            owner.setdefault(sentence, name)
    assert (found.counts.kept, found.counts.repeated) == (len(owner), sum(map(len, spoken.values())) - len(owner))
    sampling = read_contexts(folder / "set.csv").sampling
    assert found.record["counts"]["documents"] == sampling.documents == len(set(owner.values()))
    for line, redrawn in zip(found.lines, sampling.replicates.tolist(), strict=True):
        own = {sentence: name for sentence, name in owner.items() if sentence.split()[2] == line.verb}
        assert (line.count, line.documents) == (len(own), len(set(own.values())))
        assert own[line.example] == line.document == min(own.values())
        assert redrawn == sum(document_weights(name) for name in own.values()).tolist()
    matches = [json.loads(line) for line in (folder / "m.jsonl").read_text().splitlines()]
    assert sorted((row["sentence"], row["document"]) for row in matches) == sorted(owner.items())


FINDINGS = st.lists(
    st.builds(
        Finding,
        document=st.sampled_from("abc"),
        sentence=st.sampled_from(["", "One.", "Two."]),
        subject=st.just("x"),
        word=st.just("he"),
        subject_start=st.integers(0, 2),
        subject_end=st.just(3),
        word_start=st.just(4),
        word_end=st.just(6),
        template=st.sampled_from(["The [X] said [Y]", "The [X] knew [Y]"]),
        verb=st.sampled_from(["say", "know"]),
        family=st.just("reporting"),
        tense=st.sampled_from(["Past", "Pres"]),
    ),
    max_size=12,
)


@given(FINDINGS, st.randoms())
def test_a_tally_does_not_depend_on_the_order(findings, rng):
    one, other = Tally(), Tally()
    one.add(findings)
    shuffled = rng.sample(findings, len(findings))
    for finding in shuffled:
        other.add([finding])
    assert one.lines() == other.lines()
    templates = [line.template for line in one.lines()]
    assert (one.replicates(templates) == other.replicates(templates)).all()
    assert one.documents == other.documents
    different = {(finding.sentence, finding.template) for finding in findings}
    assert one.kept == sum(line.count for line in one.lines()) == len(different)
    counted = list(one.counted(shuffled))
    assert len(counted) == one.kept
    assert set(counted) == set(other.counted(findings))


def test_pieces_hold_every_document_in_order(small_pieces):
    documents = [Document(str(n), "x" * size) for n, size in enumerate((50, 300, 10, 10, 190, 5))]
    found = list(pieces.pieces_of(documents, "key"))
    assert [document for piece in found for document in piece.documents] == documents
    assert [len(piece.documents) for piece in found] == [2, 3, 1]
    assert len({piece.key for piece in found}) == 3


@pytest.fixture
def corpus_of_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "PIECE", 1000)
    texts = {f"d{index}": text for index, text in enumerate(sentences(120))}
    number = len(list(pieces.pieces_of([Document(*each) for each in texts.items()], "key")))
    assert number > 4
    return write(tmp_path / "c.jsonl", texts), number


def test_parts_in_any_order_and_twice_are_one_mining(corpus_of_pieces, tmp_path):
    corpus, number = corpus_of_pieces
    whole, config = mined(corpus, tmp_path / "whole.csv"), mine_config(corpus, tmp_path / "parts.csv")
    for part, missing in (("3/3", [1, 2]), ("1/3", [2]), ("3/3", [2]), ("2/3", [])):
        (found,) = mine_part(config.model_copy(update={"part": part}))
        assert (found.pieces, found.part.numbers_of(found.missing)) == (number, missing)
        assert not (tmp_path / "parts.csv").exists()
    reused = []
    (finished,) = mine(config, on_progress=lambda _, state: reused.append(state.reused))
    assert reused[-1] == number
    assert finished.counts == whole.counts
    assert same_files(finished.file, whole.file)
    assert not (tmp_path / "parts.csv.part").exists()
    with pytest.raises(BvfError, match="part 1/5 of a corpus is not a context set"):
        mine(config.model_copy(update={"part": "1/5"}))


def test_a_part_beyond_the_pieces_has_nothing_to_do(corpus_of_pieces, tmp_path):
    corpus, number = corpus_of_pieces
    (found,) = mine_part(mine_config(corpus, tmp_path / "c.csv", part=f"{number + 1}/{number + 1}"))
    assert found.missing == tuple(range(number))
