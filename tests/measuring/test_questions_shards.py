"""Shards belong to one run and one place in it: what lies in the folder and does not is never believed."""

import hashlib
import io
import json
import os
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from helpers.few_contexts import in_ten_contexts
from helpers.topic_text import topic_text

import bvf
from bvf import BvfError, RunConfig

CONTEXTS = "template,count\nThe [X] said that [Y],2\nThe [X] felt that [Y],1\nThe [X] knew [Y],1\n"


def asked(folder, **changes):
    (folder / "c.csv").write_text(CONTEXTS)
    return in_ten_contexts(
        {"model": "baseline:random", "contexts": str(folder / "c.csv"), "out": str(folder / "out"), **changes}
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return bvf.run(RunConfig(**asked(tmp_path_factory.mktemp("whole"))))


@pytest.fixture
def config(whole, tmp_path):
    return lambda: RunConfig(**asked(whole.folder.parent, out=str(tmp_path / "out")))


@pytest.fixture
def first(whole, config):
    """A copy of a finished run, where ``config`` writes."""
    return bvf.read_result(shutil.copytree(whole.folder, config().out))


def shards_of(result):
    return sorted((result.folder / "probabilities").iterdir())


def named(file, content, index=None):
    """A file like ``file`` whose name is right for its bytes."""
    index = file.name[:5] if index is None else f"{index:05d}"
    made = file.with_name(f"{index}.{hashlib.sha256(content).hexdigest()[:16]}.parquet")
    made.write_bytes(content)
    return made


def forged(file, change):
    """A valid Parquet file with a valid name in the place of a shard."""
    table = change(pq.read_table(file))
    content = io.BytesIO()
    pq.write_table(table, content)
    file.unlink()
    return named(file, content.getvalue())


def swapped(files, other):
    first, second = files[0].read_bytes(), files[1].read_bytes()
    for file in files[:2]:
        file.unlink()
    named(files[1], first)
    named(files[0], second)


def renamed(files, other):
    files[0].rename(files[0].with_name(f"00001.{files[0].name.split('.')[1]}.parquet"))


def foreign(files, other):
    files[0].unlink()
    shutil.copy(other[0], files[0].parent)


def all_foreign(files, other):
    for file in files:
        file.unlink()
    for file in other:
        shutil.copy(file, files[0].parent)


def duplicated(files, other):
    shutil.copy(other[0], files[0].parent)


def twice_in_its_own_place(files, other):
    def exchanged(table):
        return table.set_column(2, "p_male", table["p_female"]).set_column(3, "p_female", table["p_male"])

    whole = files[0].read_bytes()
    forged(files[0], exchanged)
    named(files[0], whole)


def beyond_the_last(files, other):
    for index in (3, 77):
        named(files[0], files[0].read_bytes(), index)


def no_parquet(files, other):
    files[0].unlink()
    named(files[0], b"PAR1 and nothing more")


def column(place, name, values):
    return lambda table: table.set_column(place, name, pa.array(values))


def told(metadata):
    return lambda table: table.replace_schema_metadata({b"bvf": metadata})


CHANGES = {
    "shorter": lambda table: table.slice(0, 100),
    "longer": lambda table: pa.concat_tables([table, table]),
    "without metadata": lambda table: table.replace_schema_metadata(None),
    "other columns": lambda table: table.rename_columns(["group", "context", "he", "she", "deviation_bound", "log_p"]),
    "texts for numbers": column(2, "p_male", ["half"] * 128),
    "gaps": column(4, "deviation_bound", [None] * 128),
    "no probabilities": column(2, "p_male", np.full(128, 0.7)),
    "negative probabilities": lambda table: column(3, "p_female", np.full(128, 1.5))(
        column(2, "p_male", np.full(128, -0.5))(table)
    ),
    "other groups": column(0, "group", ["nurse"] * 128),
    "other contexts": column(1, "context", ["The [X] is [Y]"] * 128),
    "no object told": told(b"[]"),
    "no JSON told": told(b"{"),
    "other remarks told": told(b'{"remarks": 5}'),
    "a list for a measurement told": told(b'{"measurement": [], "remarks": []}'),
}
"""What is done to the table of a shard."""
PLACES = (swapped, renamed, foreign, all_foreign, duplicated, twice_in_its_own_place, beyond_the_last, no_parquet)
WRONGS = {each.__name__: each for each in PLACES}
WRONGS |= {name: lambda files, _, change=change: forged(files[0], change) for name, change in CHANGES.items()}


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """The shards of another model."""
    folder = tmp_path_factory.mktemp("other")
    return shards_of(bvf.run(RunConfig(**asked(folder, model="baseline:stereotyped"))))


@pytest.mark.parametrize("name", WRONGS)
def test_a_shard_of_another_run_place_or_shape_is_no_answer_and_is_scored_again(config, first, other, name):
    wrong = WRONGS[name]
    before, answers = {file.name: file.read_bytes() for file in shards_of(first)}, first.stereotypes()
    assert other[0].read_bytes() not in before.values()
    wrong(shards_of(first), other)
    if wrong in (beyond_the_last, duplicated):  # what is of another measurement is passed over
        assert first.stereotypes().equals(answers)
    else:
        with pytest.raises(BvfError, match=r"shard \d+ (is not there|occurs \d times)|is not as it was written"):
            first.stereotypes()
    assert bvf.run(config()) == first
    assert {file.name: file.read_bytes() for file in shards_of(first)} == before


def test_a_shard_that_changes_while_the_run_goes_on_is_no_result(config, first, monkeypatch):
    monkeypatch.setattr("bvf.measuring.folder.RunFolder.missing", lambda *_: [])
    for wrong in (renamed, no_parquet):
        wrong(shards_of(first), [])
        with pytest.raises(BvfError, match=r"not there|times|not as it was written") as error:
            bvf.run(config())
        assert error.value.hint.startswith("run the same command again")


@pytest.mark.parametrize("put", [Path.mkdir, lambda place: place.symlink_to("nowhere.parquet"), os.mkfifo])
def test_a_folder_a_link_or_a_pipe_in_the_place_of_a_shard_is_one_line(config, first, put):
    shard = shards_of(first)[0]
    shard.unlink()
    put(shard)
    with pytest.raises(BvfError, match=f"{shard.name} is not a file"):
        bvf.run(config())
    with pytest.raises(BvfError, match="is not a file"):
        first.stereotypes()


def test_other_files_beside_the_shards_are_left_alone(config, first):
    notes = first.folder / "probabilities" / "notes.parquet"
    notes.write_text("mine")
    assert bvf.run(config()) == first
    assert notes.read_text() == "mine"
    assert len(first.stereotypes()) == 2 * first.prompts


def test_a_shard_says_where_it_belongs(first):
    told = [json.loads(pq.read_schema(file).metadata[b"bvf"]) for file in shards_of(first)]
    stated = [(place["index"], place["start"], place["stop"]) for place in told]
    assert stated == [(0, 0, 128), (1, 128, 256), (2, 256, 348)]
    assert len({place["measurement"] for place in told}) == 1


NAMES = ("weight", "group", "context", "count", "deviation_bound", "p_weight", "probability", "attribute", "index")


@pytest.mark.parametrize("tolerance", [0.0, 0.01])
def test_classes_are_called_as_they_like(tmp_path, tolerance):
    topic = tmp_path / "t.toml"
    topic.write_text(topic_text({name: [f"{name}s"] for name in NAMES}, name="columns"))
    config = RunConfig(topic=str(topic), out=str(tmp_path / "out"), limit_contexts=3, tolerance=tolerance)
    result = bvf.run(config)
    assert bvf.run(config) == result
    frame = bvf.read_result(tmp_path / "out").stereotypes()
    assert len(frame) == result.prompts * len(NAMES)
    for group in result.groups:
        rows = frame[frame["group"] == group.group]
        assert set(rows["attribute"]) == set(NAMES)
        for name, p in group.mean_probabilities.items():
            of_class = rows[rows["attribute"] == name]
            assert np.average(of_class["probability"], weights=of_class["weight"]) == pytest.approx(p)
