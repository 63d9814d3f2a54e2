"""Mining takes the place of nothing that it reads or that is the user's, and believes no piece that was changed."""

import json
import os
import stat
from pathlib import Path

import numpy as np
import pytest
from bvf_mining.job import mine, mine_part
from bvf_mining.output import write_set
from bvf_mining.pieces import KeyedPieces
from bvf_mining.tally import Line
from helpers.corpus import TOY_MINER, jsonl, mine_config, stop_mining, write

from bvf.errors import BvfError


@pytest.fixture
def folder(tmp_path, monkeypatch, documents, small_pieces):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "corpus.jsonl", documents)
    (tmp_path / "corpus.csv").write_text("text\n" + "\n".join(documents.values()))
    return tmp_path


def config(out="set.csv", corpus="corpus.jsonl", **options):
    return mine_config(corpus, out, **options)


def refused(**options):
    began = []
    before = snapshot()
    with pytest.raises(BvfError) as caught:
        mine(config(**options), on_progress=lambda *_: began.append(1))
    assert not began
    assert snapshot() == before
    assert "\n" not in caught.value.message
    return caught.value.message


def snapshot():
    return {path: path.read_bytes() if path.is_file() else None for path in Path().rglob("*")}


@pytest.mark.parametrize(("cue", "columns"), [("", []), ("gown", ["cue"])])
def test_a_set_has_a_column_of_cues_only_where_there_are_some(folder, cue, columns):
    line = Line("The [X] said that [Y]", 1, 1, "say", "reporting", "Past", cue, "d", "e")
    write_set(Path("set.csv"), [line], False, np.ones((1, 200), dtype=np.uint8), {})
    first, second = Path("set.csv").read_text().splitlines()
    assert first.split(",")[6:] == columns
    assert second == ",".join(["The [X] said that [Y],1,1,say,reporting,Past", *([cue] if cue else [])])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"out": "corpus.csv", "corpus": "corpus.csv"}, "--out corpus.csv: is also corpus.csv, which is read"),
        ({"out": "linked.csv", "corpus": "corpus.csv"}, "--out linked.csv: is also corpus.csv"),
        ({"out": "pointing.csv", "corpus": "*.csv"}, "--out pointing.csv: is also"),
        ({"matches": "corpus.jsonl"}, "--matches corpus.jsonl: is also corpus.jsonl"),
        ({"matches": "set.csv"}, "--out set.csv: is also written by --matches"),
        ({"matches": "set.mining.json"}, "the record beside --out, set.mining.json: is also written by --matches"),
        (
            {"matches": "set.replicates.parquet"},
            "the replicates beside --out, set.replicates.parquet: is also written by --matches",
        ),
        (
            {"out": "there.csv", "corpus": "there.replicates.parquet"},
            "the replicates beside --out, there.replicates.parquet: is also",
        ),
        ({"matches": "pipe"}, "--matches pipe: is not a file that can be replaced"),
        ({"matches": "folder"}, "--matches folder: is not a file that can be replaced"),
        ({"out": "folder/corpus.csv", "corpus": "hf:folder"}, "--out folder/corpus.csv: is also folder/corpus.csv"),
        ({"matches": "topic.toml", "topic": "topic.toml"}, "--matches topic.toml: is also topic.toml"),
        ({"out": "a\0b.csv"}, "no file can have this name"),
        ({"matches": "corpus.csv/m.jsonl"}, "--matches corpus.csv/m.jsonl: corpus.csv is not a folder"),
        ({"out": ""}, "a context set is a .csv"),
        ({"out": "set.tsv"}, "--out set.tsv: a context set is a .csv"),
        ({"out": "sets", "corpus": ("corpus.csv", "folder/corpus.csv")}, "would be written to one file"),
        ({"corpus": ""}, "there is no such corpus"),
        ({"corpus": "hf:"}, "hf: names no data set"),
        ({"out": "theirs.csv"}, "theirs.csv.part: holds thesis.txt"),
        ({"out": "link.csv"}, "link.csv.part: is not a folder"),
        ({"out": "file.csv"}, "file.csv.part: is not a folder"),
    ],
)
def test_outputs_that_are_something_else_are_refused_before_anything_is_read(folder, options, said):
    for name in (
        "folder/corpus.csv",
        "topic.toml",
        "there.replicates.parquet",
        "theirs.csv.part/thesis.txt",
        "file.csv.part",
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("text")
    os.mkfifo("pipe")
    os.link("corpus.csv", "linked.csv")
    os.symlink("corpus.csv", "pointing.csv")
    os.symlink("folder", "link.csv.part")
    assert said in refused(**options)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")
def test_a_device_stays_a_device(folder):
    os.mknod("full", 0o666 | stat.S_IFCHR, os.makedev(1, 7))  # one of its own: that of the machine is not put at risk
    with pytest.raises(BvfError, match="--matches full: is not a file that can be replaced"):
        mine(config(matches="full"))
    assert stat.S_ISCHR(os.stat("full").st_mode)


def test_what_is_printed_to_or_read_from_a_file_is_not_replaced(folder, monkeypatch):
    with open("printed.txt", "w") as printed, open("corpus.csv") as text:
        monkeypatch.setattr("sys.stdout", printed)
        assert refused(matches="printed.txt") == "--matches printed.txt: is also standard output"
        monkeypatch.setattr("sys.stdin", text)
        assert refused(out="corpus.csv", corpus="-") == "--out corpus.csv: is also standard input"


def test_what_was_put_among_the_pieces_meanwhile_stays(folder):
    def put(*_):
        Path("set.csv.part", "thesis.txt").write_text("all of it")

    mine(config(), on_progress=put)
    assert [path.name for path in Path("set.csv.part").iterdir()] == ["thesis.txt"]


def stopped_before_the_end():
    stop_mining(config(), lambda state: state.documents == 40)
    return sorted(path for path in Path("set.csv.part").iterdir())


def with_more_than_were_found(kept):
    counts, rest = kept[0].read_text().split("\n", 1)
    kept[0].write_text(json.dumps({**json.loads(counts), "kept": 1000}) + "\n" + rest)


def deleted(kept):
    kept[0].unlink()


@pytest.mark.parametrize("change", [with_more_than_were_found, deleted])
def test_a_piece_that_was_changed_is_mined_again(folder, monkeypatch, change):
    (whole,) = mine(config("whole.csv"))
    kept = stopped_before_the_end()
    change(kept)
    monkeypatch.setenv("TOY_COUNT", "log")
    (again,) = mine(config())
    assert len(Path("log").read_text().splitlines()) == 1
    assert again.lines == whole.lines
    assert again.counts == whole.counts
    assert Path("set.csv").read_bytes() == Path("whole.csv").read_bytes()


def test_any_flip_in_a_piece_is_noticed_and_that_it_is_empty_or_another_one(folder):
    first, second, *_ = stopped_before_the_end()
    kept, content = KeyedPieces(first.parent), first.read_bytes()
    assert kept.read(first.name)
    places = {*range(0, len(content), 9), *range(len(content) - 80, len(content))}  # everywhere, and the whole end
    flipped = (content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :] for at in places)
    for changed in (*flipped, b"", second.read_bytes()):
        first.write_bytes(changed)
        assert kept.read(first.name) is None


def test_pieces_are_on_the_disk_before_they_have_their_names(folder, monkeypatch):
    synced, fsync = [], os.fsync
    monkeypatch.setattr(os, "fsync", lambda descriptor: (synced.append(descriptor), fsync(descriptor)))
    kept = stopped_before_the_end()
    assert len(synced) >= len(kept)


def test_a_text_with_unusual_line_ends_is_kept_as_it_is(folder):
    rows = [{"id": f"a\u2028{n}\x85", "text": f"The nurse said that she left {n}."} for n in range(30)]
    (folder / "corpus.jsonl").write_bytes(jsonl(rows))
    (found,) = mine(config(matches="m.jsonl"))
    assert found.counts.kept == 30
    assert Path("m.jsonl").read_text().count("\n") == 30


def test_another_plugin_file_reuses_nothing(folder):
    plugin = folder / "toy.py"
    plugin.write_text(Path(TOY_MINER).read_text())
    used = config(plugin=(str(plugin),))
    mine_part(used.model_copy(update={"part": "1/1"}))
    plugin.write_text(plugin.read_text().replace("The [X] {said[2]}", "The [X] never {said[2]}"))
    (found,) = mine(used)
    assert all("never" in line.template for line in found.lines)


def test_a_name_of_a_corpus_that_is_no_unicode_is_recorded(folder):
    name = os.fsdecode(b"b\xff.jsonl")
    os.rename("corpus.jsonl", name)
    (found,) = mine(config(corpus=name))
    assert found.record["corpus"]["source"] == "b\ufffd.jsonl"
