"""A folder that was there before: empty, finished, damaged; a run goes on, or one line says what is wrong."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.few_contexts import in_ten_contexts
from helpers.topic_text import topic_text

import bvf
from bvf import BvfError, RunConfig
from bvf.measuring.folder import RunFolder

WRITTEN_BEFORE = Path(__file__).parents[1] / "data" / "run_of_2026_11_26"
"""What `bvf run` wrote before records had how a model is read, adapters and generated texts."""


@pytest.fixture
def run(command, toy, tmp_path, monkeypatch):
    """Run and analyse in ``out``, below a folder of this test."""
    monkeypatch.chdir(tmp_path)

    def call(*options, model="toy:hash"):
        of_three = ("run", "--plugin", toy, "--model", model, "--limit-groups", "3", "--out", "out", "--format", "json")
        return command(*of_three, *options)

    return call


@pytest.fixture
def read_only(run, monkeypatch):
    """A finished folder in which nothing can be written from now on."""
    done = run()
    assert done.code == 0, done.err

    def refused(path, flags, *rest, **named):
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise PermissionError(13, os.strerror(13))
        return opened(path, flags, *rest, **named)

    opened = os.open
    monkeypatch.setattr(os, "open", refused)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    return done


def test_a_folder_that_was_made_for_nothing_goes_and_an_empty_one_that_was_there_stays(run, tmp_path):
    assert run(model="toy:constant").code == 2
    assert not (tmp_path / "out").exists()
    (tmp_path / "out").mkdir()
    assert run(model="toy:constant").code == 2
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--engine", "nowhere"], 'there is no engine "nowhere"'), (["-E", "gpus=2"], "engine local has no options")],
)
def test_an_engine_is_refused_on_a_finished_folder_as_on_a_fresh_one(run, options, said):
    fresh = run(*options)
    assert (fresh.code, run().code) == (2, 0)
    finished = run(*options)
    assert (finished.code, finished.err) == (2, fresh.err)
    assert said in finished.err


def test_a_read_only_folder_prints_its_result_and_stores_no_other(read_only, command, refused, run):
    for again in (run(), command("analyse", "out", "--format", "json")):
        assert (again.code, again.out) == (0, read_only.out)
    done = run("--criterion", "lk:2")
    assert done.code == 0, done.err
    assert "not stored: nothing can be written to the folder" in done.said
    assert bvf.read_result("out").criterion == "linf"
    assert command("analyse", "out", "--criterion", "lk:2").code == 0
    line, *_ = refused("analyse", "out", "--criterion", "lk:2", "--save-as", "squares").splitlines()
    assert line == "error: out: cannot be written: Permission denied"
    next(Path("out/probabilities").iterdir()).unlink()
    done = run()
    assert (done.code, "out: cannot be written: Permission denied" in done.err) == (2, True)


def test_an_analysis_takes_the_environment(run, command, refused, monkeypatch):
    assert run().code == 0
    monkeypatch.setenv("BVF_CRITERION", "lk:2")
    monkeypatch.setenv("BVF_SCALE", "raw")
    monkeypatch.setenv("BVF_WORDS", "male=he;female=she")
    monkeypatch.setenv("BVF_TOPIC", "race")  # no choice of an analysis
    assert command("analyse", "out", "--scale", "unit", "--save-as", "other").code == 0
    result = bvf.read_result("out", analysis="other")
    assert (result.criterion, result.scale) == ("lk:2", "unit")
    assert result.words == {"male": ("he",), "female": ("she",)}
    monkeypatch.setenv("BVF_SCALE", "rough")
    assert 'environment: scale is "rough"' in refused("analyse", "out")


def test_the_lock_of_a_folder_that_was_there_is_taken_away(tmp_path):
    with RunFolder(tmp_path).locked():
        assert list(tmp_path.iterdir())
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_an_earlier_version_is_read_and_its_command_asks_nothing_again(command, tmp_path):
    shutil.copytree(WRITTEN_BEFORE, tmp_path / "kept")
    analysed = command("analyse", tmp_path / "kept")
    assert analysed.code == 0, analysed.err
    asked = {"topic": "gender-2026", "contexts": "gender-table8", "limit_groups": 2}
    words = {"male": ("he",), "female": ("she",)}
    bvf.run(**asked, words=words, model="bundled:en-causal", out=str(tmp_path / "kept"))
    assert [file.name for file in (tmp_path / "kept/probabilities").iterdir()] == ["00000.7c9ee292b0f92f81.parquet"]


@pytest.fixture
def config(tmp_path):
    def make(**changes):
        values = {"model": "baseline:random", "limit_groups": 13, "out": str(tmp_path / "out")}
        return RunConfig(**in_ten_contexts({**values, **changes}))

    return make


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A finished run."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    return bvf.run(model="baseline:random", limit_groups=13, contexts="gender", openings="none", out=str(folder))


@pytest.fixture
def first(whole, config):
    """A copy of it, where ``config`` writes."""
    return bvf.read_result(shutil.copytree(whole.folder, config().out))


class FullDisk:
    """``os.fsync`` on a disk that has room for so many files."""

    def __init__(self, room):
        self.room = room

    def __call__(self, descriptor):
        self.room -= 1
        if self.room < 0:
            raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("room", range(8))
def test_a_disk_that_fills_at_any_file_is_one_line_and_the_same_command_goes_on(config, whole, monkeypatch, room):
    monkeypatch.setattr("os.fsync", FullDisk(room))
    with pytest.raises(BvfError, match="the disk is full") as error:
        bvf.run(config())
    assert "same command again" in error.value.hint
    monkeypatch.undo()
    seen = []
    assert bvf.run(config(), on_progress=seen.append).model_dump() == whole.model_dump()
    assert seen[0].reused == min(max(room - 1, 0) // 2 * 128, 130)
    assert not list(Path(config().out).rglob("*.tmp"))


@pytest.mark.parametrize(
    "left", [["probabilities/"], ["probabilities/", "probabilities/00000.tmp"], ["measurement.json.123.tmp"], []]
)
def test_what_a_kill_leaves_before_the_first_shard_is_gone_on_with(config, left):
    folder = Path(config().out)
    folder.mkdir()
    for name in left:
        (folder / name).mkdir() if name.endswith("/") else (folder / name).write_text("half")
    assert bvf.run(config()).folder == folder


@pytest.mark.parametrize(
    "left", ["thesis.doc", "probabilities/00000.0123456789abcdef.parquet", "probabilities/thesis.doc", "a.tmp/x"]
)
def test_a_folder_with_anything_else_is_refused(config, left):
    file = Path(config().out) / left
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("mine")
    if left == "a.tmp/x":
        bvf.run(config())
    else:
        with pytest.raises(BvfError, match="is not empty and holds no measurement"):
            bvf.run(config())
    assert file.read_text() == "mine"


IDENTITIES = ["[]", "null", "{}", '{"groups": 1}', '{"groups": {"model": []}}']
RECORDS = [b"", b"[]", b"\xff", b"{}", *(b'{"identity": %s}' % text.encode() for text in IDENTITIES)]


@pytest.mark.parametrize("content", RECORDS, ids=range(len(RECORDS)))
def test_a_record_of_any_shape_is_one_line(config, first, content):
    (first.folder / "measurement.json").write_bytes(content)
    for reading in (lambda: bvf.run(config()), lambda: bvf.analyse(first.folder), first.stereotypes):
        with pytest.raises(BvfError, match=r"measurement\.json") as error:
            reading()
        assert "\n" not in error.value.message


@pytest.mark.parametrize("name", ["measurement.json", "result.json", "probabilities", "analyses"])
def test_a_folder_or_file_in_the_place_of_ours_is_one_line(config, first, name):
    ours = first.folder / name
    ours.rename(first.folder / "aside")
    ours.write_text("x") if name in {"probabilities", "analyses"} else ours.mkdir()
    with pytest.raises(BvfError):
        bvf.run(config())


LONG, NUL = "n" * 256, "a\0b"


@pytest.mark.parametrize("name", [LONG, f"{NUL}.csv", "n/" * 3000])
@pytest.mark.parametrize(
    "field", ["out", "group_weights", "reference", "contexts", "topic", "criterion", "engine", "lang"]
)
def test_names_that_no_file_can_have_are_one_line(config, field, name):
    with pytest.raises(BvfError) as error:
        bvf.run(config(**{field: name}))
    assert "\n" not in error.value.message


def test_a_topic_may_have_a_long_name(tmp_path, monkeypatch):
    topic = tmp_path / "t.toml"
    name = "\\u0000 or " * 100
    topic.write_text(topic_text({"a": ["a"], "b": ["b"]}, name=f"{name}x"))
    monkeypatch.chdir(tmp_path)
    assert bvf.run(RunConfig(model="baseline:random", topic=str(topic))).folder.is_dir()


@pytest.mark.parametrize("out", ["s3://bucket/a", "~", "a b"])
def test_a_results_folder_may_be_called_as_it_likes(config, tmp_path, monkeypatch, out):
    monkeypatch.chdir(tmp_path)
    result = bvf.run(config(out=out))
    assert (tmp_path / out / "result.json").is_file()
    assert bvf.read_result(out).stereotypes().equals(result.stereotypes())
    assert bvf.run(config(out=out)) == result


def test_a_result_with_a_changed_byte_or_without_its_record_is_refused(config, first):
    folder = first.folder
    file = folder / "result.json"
    whole = file.read_bytes()
    for place in range(0, len(whole), 97):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(BvfError, match=r"result\.json: not as it was written"):
            bvf.read_result(folder)
    bvf.run(config())
    assert file.read_bytes() == whole
    next((folder / "analyses").iterdir()).unlink()
    with pytest.raises(BvfError, match=r"result\.json: not as it was written"):
        bvf.read_result(folder)


def test_a_folder_of_the_schema_of_before_is_one_line_that_says_what_to_do(config, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "run.json").write_text("{}")
    with pytest.raises(BvfError, match="an earlier version of bvf") as error:
        bvf.run(config())
    assert "--out" in error.value.hint
    with pytest.raises(BvfError, match="no measurement is there") as error:
        bvf.analyse(tmp_path / "out")
    assert "measure again" in error.value.hint


def test_a_second_run_is_kept_out_of_a_folder_while_the_first_is_there(tmp_path, toy):
    asked = {"model": "toy:hash", "contexts": "gender", "limit_groups": 40}
    options = [f"--{name.replace('_', '-')}={value}" for name, value in asked.items()]
    command = [sys.executable, "-m", "bvf", "run", "--plugin", toy, *options, "-q", "--out", str(tmp_path / "out")]
    first = subprocess.Popen(command, env={**os.environ, "TOY_SECONDS": "0.5"}, stdout=subprocess.DEVNULL)
    while not (tmp_path / "out" / "measurement.json").exists():
        assert first.poll() is None
    first.send_signal(signal.SIGSTOP)  # it holds the folder, however long the second takes to begin
    second = subprocess.run(command, capture_output=True, text=True, check=False)
    first.send_signal(signal.SIGCONT)
    assert second.returncode == 2
    assert second.stderr.startswith(f"error: {tmp_path / 'out'}: another run is writing there")
    assert first.wait(timeout=300) == 0
    alone = bvf.run(**asked, plugin=(toy,), out=str(tmp_path / "alone"))
    assert bvf.read_result(tmp_path / "out").model_dump() == alone.model_dump()
