"""Mining takes the place of nothing that it reads or that is the user's, and believes no piece that was changed."""

import json
import os
import stat
from pathlib import Path

import numpy as np
import pytest
from bvf_mining import pieces
from bvf_mining.config import MineConfig
from bvf_mining.job import mine, mine_part
from bvf_mining.output import write_set
from bvf_mining.tally import Line

from bvf.errors import BvfError

TOY_MINER = str(Path(__file__).resolve().parents[3] / "tests" / "data" / "toy_miner.py")
TEXTS = [f"It rained. The nurse {verb} that she left." for verb in ("said", "wrote", "knew") for _ in range(10)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pieces, "PIECE", 200)
    rows = [json.dumps({"id": f"d{n}", "text": text}) for n, text in enumerate(TEXTS)]
    (tmp_path / "corpus.jsonl").write_text("\n".join(rows))
    (tmp_path / "corpus.csv").write_text("text\n" + "\n".join(TEXTS))
    return tmp_path


def config(out="set.csv", corpus=("corpus.jsonl",), **options):
    plugin = () if "stanza" in options else (TOY_MINER,)
    return MineConfig(corpus=corpus, out=str(out), plugin=plugin, workers=1, **options)


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
        ({"out": "corpus.csv", "corpus": ("corpus.csv",)}, "--out corpus.csv: is also corpus.csv, which is read"),
        ({"out": "linked.csv", "corpus": ("corpus.csv",)}, "--out linked.csv: is also corpus.csv"),
        ({"out": "pointing.csv", "corpus": ("*.csv",)}, "--out pointing.csv: is also"),
        ({"matches": "corpus.jsonl"}, "--matches corpus.jsonl: is also corpus.jsonl"),
        ({"matches": "set.csv"}, "--out set.csv: is also written by --matches"),
        ({"matches": "set.mining.json"}, "the record beside --out, set.mining.json: is also written by --matches"),
        (
            {"matches": "set.replicates.parquet"},
            "the replicates beside --out, set.replicates.parquet: is also written by --matches",
        ),
        ({"corpus": ("set.replicates.parquet",)}, "the replicates beside --out, set.replicates.parquet: is also"),
        ({"matches": "pipe"}, "--matches pipe: is not a file that can be replaced"),
        ({"matches": "folder"}, "--matches folder: is not a file that can be replaced"),
        ({"out": "folder/data.csv", "corpus": ("hf:folder",)}, "--out folder/data.csv: is also folder/data.csv"),
        ({"matches": "topic.toml", "topic": "topic.toml"}, "--matches topic.toml: is also topic.toml"),
        ({"out": "a\0b.csv"}, "no file can have this name"),
        ({"matches": "corpus.csv/m.jsonl"}, "--matches corpus.csv/m.jsonl: corpus.csv is not a folder"),
        ({"out": ""}, "a context set is a .csv"),
        ({"corpus": ("",)}, "there is no such corpus"),
        ({"corpus": ("hf:",)}, "hf: names no data set"),
    ],
)
def test_outputs_that_are_something_else_are_refused_before_anything_is_read(folder, options, said):
    (folder / "folder").mkdir()
    (folder / "folder" / "data.csv").write_text("text")
    (folder / "topic.toml").write_text("")
    if "set.replicates.parquet" in options.get("corpus", ()):
        (folder / "set.replicates.parquet").write_text("")
    os.mkfifo("pipe")
    os.link("corpus.csv", "linked.csv")
    os.symlink("corpus.csv", "pointing.csv")
    assert said in refused(**options)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")
def test_a_device_stays_a_device(folder):
    os.mknod("full", 0o666 | stat.S_IFCHR, os.makedev(1, 7))  # one of its own: that of the machine is not put at risk
    with pytest.raises(BvfError, match="--matches full: is not a file that can be replaced"):
        mine(config(matches="full"))
    assert stat.S_ISCHR(os.stat("full").st_mode)


def test_what_is_printed_to_a_file_is_not_replaced(folder, monkeypatch):
    with open("printed.txt", "w") as printed:
        monkeypatch.setattr("sys.stdout", printed)
        assert refused(matches="printed.txt") == "--matches printed.txt: is also standard output"


def test_standard_input_from_a_file_is_not_replaced(folder, monkeypatch):
    with open("corpus.csv") as text:
        monkeypatch.setattr("sys.stdin", text)
        assert refused(out="corpus.csv", corpus=("-",)) == "--out corpus.csv: is also standard input"


def test_a_folder_of_the_users_is_not_deleted(folder):
    (folder / "set.csv.part").mkdir()
    (folder / "set.csv.part" / "thesis.txt").write_text("all of it")
    assert "holds thesis.txt" in refused()
    assert (folder / "set.csv.part" / "thesis.txt").read_text() == "all of it"


def test_a_link_with_the_name_of_the_folder_of_pieces_is_not_followed(folder):
    (folder / "mine").mkdir()
    (folder / "set.csv.part").symlink_to("mine")
    assert "set.csv.part: is not a folder" in refused()
    (folder / "set.csv.part").unlink()
    (folder / "set.csv.part").write_text("mine")
    assert "set.csv.part: is not a folder" in refused()


def test_what_was_put_among_the_pieces_meanwhile_stays(folder):
    def put(*_):
        Path("set.csv.part", "thesis.txt").write_text("all of it")

    mine(config(), on_progress=put)
    assert [path.name for path in Path("set.csv.part").iterdir()] == ["thesis.txt"]


class Stop(Exception):
    pass


def stopped_before_the_end():
    def stop(_, state):
        if state.documents == len(TEXTS):
            raise Stop

    with pytest.raises(Stop):
        mine(config(), on_progress=stop)
    return sorted(path for path in Path("set.csv.part").iterdir())


def with_more_than_were_found(kept):
    counts, rest = kept[0].read_text().split("\n", 1)
    kept[0].write_text(json.dumps({**json.loads(counts), "kept": 1000}) + "\n" + rest)


def another_ones(kept):
    kept[0].write_bytes(kept[1].read_bytes())


def emptied(kept):
    kept[0].write_text("")


def deleted(kept):
    kept[0].unlink()


@pytest.mark.parametrize("change", [with_more_than_were_found, another_ones, emptied, deleted])
def test_a_piece_that_was_changed_is_mined_again(folder, monkeypatch, change):
    (whole,) = mine(config("whole.csv"))
    kept = stopped_before_the_end()
    change(kept)
    log = folder / "log"
    monkeypatch.setenv("TOY_COUNT", str(log))
    (again,) = mine(config())
    assert len(log.read_text().splitlines()) == 1
    assert again.lines == whole.lines
    assert again.counts == whole.counts
    assert Path("set.csv").read_bytes() == Path("whole.csv").read_bytes()


def test_any_flip_in_a_piece_is_noticed(folder):
    from bvf_mining.pieces import KeyedPieces

    first = stopped_before_the_end()[0]
    kept, content = KeyedPieces(first.parent), first.read_bytes()
    assert kept.read(first.name)
    for place in range(len(content)):
        first.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert kept.read(first.name) is None


def test_pieces_are_on_the_disk_before_they_have_their_names(folder, monkeypatch):
    synced = []
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda descriptor: (synced.append(descriptor), fsync(descriptor)))
    kept = stopped_before_the_end()
    assert len(synced) >= len(kept)


def test_a_text_with_unusual_line_ends_is_kept_as_it_is(folder):
    rows = [{"id": f"a\u2028{n}\x85", "text": f"The nurse said that she left {n}."} for n in range(30)]
    (folder / "corpus.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
    (found,) = mine(config(matches="m.jsonl"))
    assert found.counts.kept == 30
    assert Path("m.jsonl").read_text().count("\n") == 30


def test_another_plugin_file_reuses_nothing(folder):
    plugin = folder / "toy.py"
    plugin.write_text(Path(TOY_MINER).read_text())
    used = MineConfig(corpus=("corpus.jsonl",), out="set.csv", plugin=(str(plugin),), workers=1)
    mine_part(used.model_copy(update={"part": "1/1"}))
    plugin.write_text(plugin.read_text().replace("The [X] {said[2]}", "The [X] never {said[2]}"))
    (found,) = mine(used)
    assert all("never" in line.template for line in found.lines)


def test_a_name_of_a_corpus_that_is_no_unicode_is_recorded(folder):
    name = os.fsdecode(b"b\xff.jsonl")
    os.rename("corpus.jsonl", name)
    (found,) = mine(config(corpus=(name,)))
    assert found.record["corpus"]["source"] == "b\ufffd.jsonl"
