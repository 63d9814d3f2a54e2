"""Parts of a run on one folder: any order, any of them twice, and the bytes of one run at the end."""

import errno
import hashlib
import io
import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor

import filelock
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from helpers.contents import bytes_in
from hypothesis import given
from hypothesis import strategies as st

import bvf
from bvf import BvfError, RunConfig
from bvf.domain.part import JobPart, listed
from bvf.files import locks
from bvf.files.folder import Folder, FolderKind, run_at
from bvf.measuring.folder import RunFolder
from bvf.measuring.parts import refuse_unfinished

CONTEXTS = "template,count\n" + "".join(
    f"In {year} the [X] said that [Y],{year - 1900}\n" for year in range(1901, 1910)
)
SHARDS = 9


@pytest.fixture
def config(tmp_path, toy):
    (tmp_path / "c.csv").write_text(CONTEXTS)

    def make(**changes):
        values = {"model": "toy:hash", "plugin": (toy,), "contexts": str(tmp_path / "c.csv"), "out": "parts"}
        return RunConfig(**{**values, "words": {"male": ("he",), "female": ("she",)}, **changes})

    return make


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(locks, "MOMENT", 0.1)
    monkeypatch.setattr(locks, "PATIENCE", 0.1)


@pytest.fixture
def scored(monkeypatch, tmp_path):
    """How many prompts were asked of the toy since the last call; four checks of a handful are made once per model."""
    log = tmp_path / "count"
    monkeypatch.setenv("TOY_COUNT", str(log))

    def since():
        numbers = [int(line) for line in log.read_text().split()] if log.exists() else []
        log.unlink(missing_ok=True)
        return sum(number for number in numbers if number > 100)

    return since


def shards_in(folder):
    return sorted((folder / "probabilities").iterdir())


@given(st.integers(1, 300), st.integers(0, 600))
def test_parts_share_out_all_pieces_evenly(of, pieces):
    shares = [[index for index in range(pieces) if JobPart(number, of).takes(index)] for number in range(1, of + 1)]
    assert sorted(index for share in shares for index in share) == list(range(pieces))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1
    assert JobPart(1, of).numbers_of(range(pieces)) == [number for number, share in enumerate(shares, 1) if share]


@given(st.sets(st.integers(1, 60)))
def test_numbers_are_listed_as_ranges(numbers):
    said = listed(sorted(numbers))
    read = [each.split("-") for each in said.split(",") if each]
    assert [n for each in read for n in range(int(each[0]), int(each[-1]) + 1)] == sorted(numbers)


@pytest.mark.parametrize(
    "text", ["0/4", "5/4", "1/0", "a/b", "3", "3/", "/3", "-1/4", "1/4/2", "1.5/4", "٣/4", "1/9999999"]
)
def test_what_is_no_part_is_one_line(refused, text):
    with pytest.raises(BvfError, match=r"not a part|there is no part"):
        JobPart.parse(text)
    said = refused("run", "--model", "baseline:random", "--part", text)
    assert said.startswith(f'error: options: part is "{text}": ')


def without_neutral(result):
    """The result as of parts, which ask no neutral subjects."""
    for name in ("prior", "analyses"):
        shutil.rmtree(result.folder / name)
    (result.folder / "result.json").unlink()
    return bvf.analyse(result.folder)


def test_parts_in_any_order_and_twice_are_one_run(config, tmp_path):
    whole = without_neutral(bvf.run(config(out="whole")))
    for part, stored in (("3/3", 3), ("1/3", 6), ("3/3", 6), ("2/3", 9)):
        inventory = bvf.run_part(config(part=part))
        assert (inventory.shards, inventory.shards - len(inventory.missing)) == (SHARDS, stored)
    assert inventory.missing_parts == []
    assert bvf.analyse("parts").model_dump() == whole.model_dump()
    refuse_unfinished(tmp_path / "parts")
    assert bytes_in(tmp_path / "parts", "invocations") == bytes_in(tmp_path / "whole", "invocations")


def test_a_run_without_a_part_scores_the_rest(config, tmp_path, scored):
    whole = bvf.run(config(out="whole"))
    bvf.run_part(config(part="2/3"))
    scored()
    seen = []
    assert bvf.run(config(), on_progress=seen.append).model_dump() == whole.model_dump()
    assert scored() == 5 * 128  # and a shard of 20, which is not counted; nor are neutral subjects
    assert (seen[0].reused, seen[-1].total) == (3 * 128, 119 * 9)
    assert bytes_in(tmp_path / "parts", "invocations") == bytes_in(tmp_path / "whole", "invocations")


def test_a_part_tells_how_far_it_is_and_asks_nothing_twice(config, scored):
    seen = []
    bvf.run_part(config(part="1/3"), on_progress=seen.append)
    assert (seen[-1].done, seen[-1].total, scored()) == (384, 384, 384)
    seen.clear()
    bvf.run_part(config(part="1/3"), on_progress=seen.append)
    assert ([(each.done, each.reused) for each in seen], scored()) == ([(384, 384)], 0)


def test_parts_of_different_numbers_go_together_also_with_one_that_is_at_work_elsewhere(config, tmp_path):
    bvf.run_part(config(part="1/2"))
    assert bvf.run_part(config(part="2/4")).missing_parts == [4]
    with locks.beside_other_parts(run_at(tmp_path / "parts"), JobPart(4, 4)):
        assert bvf.run_part(config(part="4/4")).missing == ()


def test_more_parts_than_shards_have_nothing_to_do(config, command, tmp_path, toy, scored):
    inventory = bvf.run_part(config(part="600/700"))
    assert (inventory.missing_parts, scored()) == (list(range(1, SHARDS + 1)), 0)
    assert not (tmp_path / "parts" / "measurement.json").exists()
    bvf.run(config())


def test_parts_of_drawn_contexts_are_one_run(config, tmp_path):
    (tmp_path / "sources.toml").write_text('[c]\nsource = "made"\noccurrences = 1000\n')
    drawn = {"sample_contexts": 12, "seed": 3}
    whole = without_neutral(bvf.run(config(out="whole", **drawn)))
    for part in ("2/2", "1/2"):
        bvf.run_part(config(part=part, **drawn))
    assert bvf.analyse("parts", seed=3).model_dump() == whole.model_dump()
    more = bvf.run(config(out="more", **{**drawn, "sample_contexts": 40}))
    for part in ("1/2", "2/2"):
        bvf.run_part(config(part=part, **{**drawn, "sample_contexts": 40}))
    assert pytest.approx(more.R) == bvf.analyse("parts", seed=3).R


def test_what_hangs_on_all_answers_is_refused(config, scored):
    for call, choices, why in (
        (bvf.run_part, {"part": "2/4", "precision": 0.01}, "how much is asked depends on all answers"),
        (bvf.run_part, {"part": "1/2", "criterion": "nonsense"}, "criterion"),
        (bvf.run_part, {}, "no part is given"),
        (bvf.run, {"part": "2/4"}, "part 2/4 of a run has no result"),
        (bvf.measure, {"part": "2/4"}, "is not a measurement"),
    ):
        with pytest.raises(BvfError, match=why):
            call(config(**choices))
    assert scored() == 0


def test_of_two_that_begin_at_once_one_writes_what_is_measured_and_the_other_goes_by_it(config, monkeypatch, tmp_path):
    bvf.run_part(config(part="1/2", label={"who": "first"}))
    record = (tmp_path / "parts" / "measurement.json").read_bytes()
    looked, real = [], RunFolder.record

    def not_there_yet(folder):
        looked.append(folder)
        return real(folder) if len(looked) > 1 else None

    monkeypatch.setattr(RunFolder, "record", not_there_yet)
    bvf.run_part(config(part="2/2", label={"who": "second"}))
    assert (tmp_path / "parts" / "measurement.json").read_bytes() == record
    looked.clear()
    with pytest.raises(BvfError, match="holds another measurement"):
        bvf.run_part(config(part="2/2", limit_groups=30))
    assert (tmp_path / "parts" / "measurement.json").read_bytes() == record


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_many_write_at_once_is_whole_and_of_one(tmp_path, monkeypatch, links):
    def refused(*_, **__):
        raise OSError(errno.EPERM, "no links here")

    if not links:
        monkeypatch.setattr(os, "link", refused)
    texts, folder = [f"{number}" * 10_000 for number in range(8)], Folder(tmp_path, FolderKind({"file": 10_000}))
    with ThreadPoolExecutor(8) as pool:
        wrote = list(pool.map(lambda text: folder.write_new("file", text), texts))
    assert (tmp_path / "file").read_text() in [text for text, did in zip(texts, wrote, strict=True) if did]
    assert sum(wrote) == 1 or not links
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith("file")] == ["file"]
    assert not folder.write_new("file", "too late")


def rounded_otherwise(file, by):
    """The same shard, as a machine writes it whose probabilities are off by so much."""
    table = pq.read_table(file)
    for column, sign in (("p_male", 1), ("p_female", -1)):
        place = table.column_names.index(column)
        table = table.set_column(place, column, pa.array(table[column].to_numpy() + sign * by))
    content = io.BytesIO()
    pq.write_table(table, content)
    digest = hashlib.sha256(content.getvalue()).hexdigest()[:16]
    made = file.with_name(f"{file.name[:5]}.{digest}.parquet")
    made.write_bytes(content.getvalue())
    return made


def test_of_a_shard_from_two_machines_one_is_kept_and_nothing_is_asked_again(config, tmp_path, scored):
    bvf.run(config())
    scored()
    made = [rounded_otherwise(shards_in(tmp_path / "parts")[2], by) for by in (1e-9, 1e-7)]
    smallest = min([*made, shards_in(tmp_path / "parts")[2]], key=lambda file: file.name)
    before = bvf.analyse("parts", criterion="lk:2")
    assert bvf.run_part(config(part="1/2")).missing == ()
    assert bvf.run(config(criterion="lk:2")).model_dump() == before.model_dump()
    kept = [file.name for file in shards_in(tmp_path / "parts") if file.name.startswith("00002")]
    assert (kept, scored()) == ([smallest.name], 0)


def test_a_shard_whose_copies_differ_by_more_than_rounding_is_asked_again(config, tmp_path, scored):
    whole = bvf.run(config())
    scored()
    rounded_otherwise(shards_in(tmp_path / "parts")[2], 0.02)
    with pytest.raises(BvfError, match="shard 2 occurs 2 times"):
        bvf.analyse("parts")
    assert bvf.run(config()) == whole
    assert scored() == 128


def test_a_run_and_a_merge_wait_for_parts_that_are_at_work_and_parts_for_a_run(config, tmp_path):
    bvf.run_part(config(part="1/3"))
    with (
        locks.beside_other_parts(run_at(tmp_path / "parts"), JobPart(2, 3)),
        locks.beside_other_parts(run_at(tmp_path / "parts"), JobPart(3, 3)),
    ):
        for late in (lambda: bvf.run(config()), lambda: bvf.merge(tmp_path / "parts")):
            with pytest.raises(BvfError, match="parts: parts 2-3 of 3 are at work there"):
                late()
        bvf.run_part(config(part="1/3"))
    with RunFolder(tmp_path / "parts").locked(), pytest.raises(BvfError, match="another run is writing there"):
        bvf.run_part(config(part="2/3"))
    bvf.run(config())
    assert not (tmp_path / "parts" / "parts").exists()


def test_a_disk_without_locks_is_no_obstacle(config, monkeypatch):
    def none_here(*_, **__):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(filelock.FileLock, "acquire", none_here)
    bvf.run_part(config(part="1/2"))
    bvf.run(config())


def test_what_a_kill_left_is_deleted_by_the_clock_of_the_disk(config, tmp_path, monkeypatch):
    bvf.run(config())
    old, new = (tmp_path / "parts" / "probabilities" / f"{name}.tmp" for name in ("old", "new"))
    old.touch()
    new.touch()
    now = new.stat().st_mtime
    os.utime(old, (now - 4000, now - 4000))
    monkeypatch.setattr("time.time", lambda: now + 10_000)  # a machine whose clock is fast
    bvf.run(config())
    assert (old.exists(), new.exists()) == (False, True)


def test_other_versions_score_nothing_here_and_read_everything(config, monkeypatch, tmp_path):
    bvf.run_part(config(part="1/2"))
    record = json.loads((tmp_path / "parts" / "measurement.json").read_text())
    assert record["begun_with"] == {"bvf": bvf_version()}
    monkeypatch.setattr("bvf.measuring.invocation.version_of", lambda name: "9.9" if name == "bvf" else "1")
    for late in (lambda: bvf.run_part(config(part="2/2")), lambda: bvf.run(config())):
        with pytest.raises(BvfError, match=f"begun with bvf {bvf_version()}, and here is 9.9"):
            late()
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    whole = bvf.run(config())
    monkeypatch.setattr("bvf.measuring.invocation.version_of", lambda name: "9.9")
    assert bvf.run(config()) == whole
    assert bvf.run_part(config(part="2/2")).missing == ()


def bvf_version():
    from importlib.metadata import version

    return version("bvf")


def test_a_merge_names_what_is_missing_of_which_parts(config, refused, tmp_path):
    bvf.run_part(config(part="2/4"))
    line, hint = refused("merge", "parts").splitlines()
    assert line == "error: parts: 7 of 9 shards are missing, parts 1,3-4 of 4"
    assert "without --part" in hint
    bvf.run(config())
    shards_in(tmp_path / "parts")[5].write_bytes(b"damaged")
    (tmp_path / "parts" / "invocations").rename(tmp_path / "aside")
    assert refused("merge", "parts").startswith("error: parts: 1 of 9 shards are missing, shards 5\n")
    assert refused("merge", "nowhere").splitlines()[0] == "error: nowhere: no measurement is there"


def test_two_models_a_file_and_the_environment(command, in_json, tmp_path, toy, monkeypatch):
    (tmp_path / "run.toml").write_text(f'plugin = ["{toy}"]\ncontexts = "c.csv"\ncriterion = "lk:2"\npart = "1/2"\n')
    (tmp_path / "c.csv").write_text(CONTEXTS)
    models = ("--model", "toy:hash", "--model", "toy:fair", "--limit-groups", "40", "--out", "both")
    run = ("run", "--config", "run.toml", *models)
    first = command(*run)
    assert first.code == 0, first.err
    assert "both/toy-fair: part 1/2 is done; shards: 2 of 3 are there; missing: part 2 of 2" in first.out
    finishes = f"bvf merge both/toy-hash both/toy-fair --criterion lk:2 --plugin {toy}"
    assert first.out.splitlines()[-1] == f"when all are there: {finishes}"
    monkeypatch.setenv("BVF_PART", "2/2")
    second = in_json(*run)
    assert [each["stored"] for each in second] == [3, 3]
    of_first = {"schema": "bvf.part/1", "folder": "both/toy-hash", "part": "2/2", "shards": 3, "stored": 3}
    assert second[0] == {**of_first, "missing_parts": []}
    assert "both/toy-hash: part 2/2 is done; shards: all 3 are there" in command(*run).out
    assert command(*run, "--format", "csv").out.splitlines()[1] == "both/toy-hash,2/2,3,3,"
    monkeypatch.delenv("BVF_PART")
    merged = in_json(*finishes.split()[1:])
    (tmp_path / "run.toml").write_text((tmp_path / "run.toml").read_text().replace('part = "1/2"', ""))
    for each, of_parts in zip(in_json(*run), merged, strict=True):
        assert (each["R"], each["measurement"]) == (of_parts["R"], of_parts["measurement"])
