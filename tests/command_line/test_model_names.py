"""``--name``, and what models are called on every surface: no table, page, figure or file name has a path."""

import json
import re
import shutil

import pytest
from bvf_factors.run import stacked

import bvf
from bvf.errors import BvfError
from bvf.files.digests import digest_of, digest_of_bytes
from bvf.measuring.folder import read_record
from bvf.terminal.options import configs_of_models

FEW = ("--openings", "none", "--limit-groups", "40", "--contexts", "gender-mixed", "--sample-contexts", "60")


@pytest.fixture(scope="module")
def measured(run_of):
    """Runs of two models that have one name."""
    first = bvf.load().topics.in_language("en").make("gender").groups[:40]  # those that --limit-groups 40 took before
    chosen = {"limit_groups": 0, "groups": first, "sample_contexts": 60}
    return {each: run_of(model=f"toy:/home/{each}/hash", **chosen).folder for each in ("one", "two")}


@pytest.fixture
def two(measured, tmp_path, monkeypatch):
    """Copies of their folders, in the folder in which commands run."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(measured["one"], "x")
    shutil.copytree(measured["two"], "y")
    return "x", "y"


def test_a_name_is_shown_and_stored_and_another_name_asks_nothing_again(process, toy, tmp_path):
    run = ("run", "--plugin", toy, "--model", "toy:/home/me/hash", *FEW, "-q", "--details")
    named = process(*run, "--name", "A model")
    assert named.returncode == 0, named.stderr
    assert re.search(r"^ A model +0\.", named.stdout, re.MULTILINE)
    assert "/home" not in named.stdout
    (folder,) = (tmp_path / "runs").iterdir()
    first = process("show", str(folder)).stdout
    assert first.startswith("gender (en), A model, criterion linf: male or female?\n")
    assert "/home" not in first.replace(str(folder), "")
    assert re.fullmatch(r"gender-en-A-model-[0-9a-f]{8}", folder.name)
    for others, name in ((("--name", "Other"), "Other"), ((), "Other"), (("--name", "Third"), "Third")):
        again = process(*run, *others, variables={"TOY_COUNT": str(tmp_path / "asked")})
        assert again.returncode == 0, again.stderr
        assert re.search(rf"^ {name} +0\.", again.stdout, re.MULTILINE)
        model = json.loads((folder / "measurement.json").read_text())["model"]
        assert (model["name"], model["path"]) == (name, "toy:/home/me/hash")
        result = json.loads((folder / "result.json").read_text())
        assert (result["model"], result["model_path"]) == (name, "toy:/home/me/hash")
    assert not (tmp_path / "asked").exists()
    assert len(list((tmp_path / "runs").iterdir())) == 1


def test_names_in_files_environment_and_options(tmp_path, monkeypatch):
    file = tmp_path / "run.toml"
    file.write_text('name = ["A", "B"]\nmodel = ["x/a", "x/b"]\n')
    assert [(each.model, each.name) for each in configs_of_models({}, file)] == [("x/a", "A"), ("x/b", "B")]
    assert [each.name for each in configs_of_models({"model": ["gpt2"]}, file)] == [""]  # those of other models
    assert [each.name for each in configs_of_models({"name": ["C", "D"]}, file)] == ["C", "D"]
    file.write_text('[[model]]\npath = "/m/a.gguf"\nname = "A"\n[[model]]\nname = "x/b"\n')
    assert [(each.model, each.name) for each in configs_of_models({}, file)] == [("/m/a.gguf", "A"), ("x/b", "")]
    file.write_text('name = "A"\nmodel = ["x/a", "x/b"]\n')
    with pytest.raises(BvfError, match=r"run\.toml: 1 name for 2 models"):
        configs_of_models({}, file)
    monkeypatch.setenv("BVF_NAME", "From outside")
    (config,) = configs_of_models({}, None)
    assert config.name == "From outside"


def test_names_in_python(toy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    few = {"plugin": toy, "limit_groups": 4, "limit_contexts": 3}
    assert bvf.run(model="toy:/a/hash", name="One", **few).model == "One"
    assert bvf.measure(model="toy:/a/hash", name="Two", **few).record.model.name == "Two"
    assert [each.model for each in bvf.run(model=["toy:/a/x", "toy:/a/y"], name=["X", "Y"], **few)] == ["X", "Y"]
    with pytest.raises(BvfError, match="a name is one line"):
        bvf.run(model="toy:/a/hash", name="a\nb", **few)


SHOWING = """show x y
show x y --format md
show x y --format csv
compare x y
regress x y --against wages
report x y -o page.html
plot x y --kind scale -o figure.svg
plot x y --kind compare -o figure.svg"""


@pytest.mark.parametrize("shown", SHOWING.splitlines())
def test_two_of_one_name_are_told_apart(two, command, tmp_path, shown):
    done = command(*shown.split())
    assert done.code == 0, done.err
    out = next((tmp_path / each for each in shown.split() if "." in each), None)
    told = (out.read_text() if out and out.suffix == ".html" else "") + done.out + done.err
    for other in ("one", "two"):
        assert re.search(rf"hash(, {other}| \({other}\))", told), told
    assert "/home" not in re.sub(r"<details.*|--model as given.*|bvf run .*", "", told)


OF_MODEL = ("user", "package", "chat_variables", "chat_date", "read_as", "base", "start", "longer_words")
ASKED = "selection generation thinking kind units word_forms openings no_neutral large"
"""Fields of a model, and of what is asked, that later versions added."""


def as_before_in(record):
    """Name the model by what --model said, and leave out what later versions added."""
    record["model"]["name"] = record["model"].pop("path")
    for name in OF_MODEL:
        del record["model"][name]
    for name in ASKED.split():
        del record["asked"][name]
    del record["asked"]["sampling"]["capped_at"]
    if record["asked"]["draws"]:
        del record["asked"]["draws"]["in_turn"]
    del record["check"]["candidate_mass"]["by_format"]


def as_before(folder):
    """Write the records of a folder as they were when ``name`` was what --model said."""
    file = folder / "measurement.json"
    record = json.loads(file.read_text())
    told = read_record(folder).model_dump(mode="json", exclude={"content"})
    as_before_in(record)
    as_before_in(told)
    for template in told["asked"]["templates"]:
        del template["media"], template["chat"], template["before"]
    for group in told["asked"]["groups"]:
        del group["features"]
    del told["labels"]
    record["notes"] = told["notes"] = [note for note in told["notes"] if not note.startswith("40 of 116 groups")]
    record["content"] = digest_of(told)
    file.write_text(json.dumps(record))
    for result in [folder / "result.json", *(folder / "analyses").iterdir()]:
        told = json.loads(result.read_text())
        told["model"] = told.pop("model_path")
        content = json.dumps(told).encode()
        result.unlink()
        name = "result.json" if result.name == "result.json" else f"analyses/linf.{digest_of_bytes(content)}.json"
        (folder / name).write_bytes(content)


def test_folders_of_before_are_shown_by_the_short_name_and_gone_on_with(two, command, toy, tmp_path, monkeypatch):
    for name in two:
        as_before(tmp_path / name)
    identity = json.loads((tmp_path / "x/measurement.json").read_bytes())["identity"]
    assert [bvf.read_measurement(name).record.model.name for name in two] == ["hash", "hash"]
    results = map(bvf.read_result, two)
    assert [(each.model, each.model_path) for each in results] == [
        ("hash", "toy:/home/one/hash"),
        ("hash", "toy:/home/two/hash"),
    ]
    for arguments in (("show", "x", "y"), ("compare", "x", "y"), ("analyse", "x", "--plugin", toy)):
        done = command(*arguments)
        assert done.code == 0, done.err
        assert "/home" not in done.out
        assert " hash" in done.out
    monkeypatch.setenv("TOY_COUNT", str(tmp_path / "asked"))
    done = command("run", "--plugin", toy, "--model", "toy:/home/one/hash", *FEW, "-q", "--out", "x")
    assert done.code == 0, done.err
    assert not (tmp_path / "asked").exists()
    assert json.loads((tmp_path / "x/measurement.json").read_bytes())["identity"] == identity


def test_a_run_of_before_below_runs_is_found_again(command, toy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = ("run", "--plugin", toy, "--model", "toy:/home/one/hash", *FEW, "-q")
    assert command(*run).code == 0
    (folder,) = (tmp_path / "runs").iterdir()
    as_before(folder)
    folder.rename(folder.with_name(folder.name.replace("hash", "toy-home-one-hash")))
    monkeypatch.setenv("TOY_COUNT", str(tmp_path / "asked"))
    assert command(*run).code == 0
    assert not (tmp_path / "asked").exists()
    assert [each.name for each in (tmp_path / "runs").iterdir()] == [folder.name.replace("hash", "toy-home-one-hash")]


def test_benchmarks_have_names_too(command, toy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = ("factors", "run", "crows-pairs", "--plugin", toy, "--limit-items", "4", "-q")
    for model in ("toy:/home/one/hash", "toy:/home/two/hash"):
        done = command(*run, "--model", model)
        assert done.code == 0, done.err
        assert "/home" not in done.out
        record = json.loads(next((tmp_path / "runs").glob("*/benchmark.json")).read_text())
        assert record["model"] == "hash"
    again = command(*run, "--model", "toy:/home/one/hash", "--name", "Named")
    assert again.out.splitlines()[0] == "CrowS-Pairs: Named"
    folders = sorted((tmp_path / "runs").iterdir())
    assert len(folders) == 2
    rows = stacked([folder / "rows.jsonl" for folder in folders])
    assert {row.values["model"] for row in rows} == {"Named", "hash"}
    assert command(*run, "--model", "toy:/home/one/hash").code == 0
    rows = stacked([folder / "rows.jsonl" for folder in folders])
    assert {row.values["model"] for row in rows} == {"hash (one)", "hash (two)"}
    both = command(*run, "--model", "toy:/home/one/hash", "--model", "toy:/home/two/hash").out
    assert re.search(r"^Models: 1 hash \(one\), 2 hash \(two\)", both, re.MULTILINE)
    assert re.findall(r"^ metric score +(\d) +\d", both, re.MULTILINE) == ["1", "2"]
