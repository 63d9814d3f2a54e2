"""Every command that writes a file: what it reads, what a run has and what others wrote is still there afterwards."""

import json
import shutil
from pathlib import Path

import pytest
import typer

import bvf
from bvf.cli.app import command as of_bvf
from bvf.files.digests import digest_of

DATA = Path(__file__).resolve().parents[1] / "data"
TOY, MINER = str(DATA / "toy_plugin.py"), str(DATA / "toy_miner.py")
ANSWERS = ("answers.csv", "--factors", "factors.toml")
MINED = ("mine", "corpus.txt", "--topic", "gender", "--plugin", MINER, "--workers", 1)
OUTPUTS = {
    ("gate", "--junit"): ("run", "--max", "R=0.9", "--as-is"),
    ("report", "--out"): ("run",),
    ("plot", "--out"): ("run", "--kind", "curve"),
    ("export", "--out"): ("run", "--to", "csv"),
    ("contexts merge", "--out"): ("set.csv",),
    ("contexts placebo", "--out"): ("set.csv",),
    ("contexts frame", "--out"): ("set.csv", "--by", "year"),
    ("topics cross", "--out"): ("race", "gender", "--phrase", "[race] [gender]"),
    ("factors coverage", "--out"): ANSWERS,
    ("factors coverage", "--heatmap"): ANSWERS,
    ("factors subgroups", "--out"): ANSWERS,
    ("factors subgroups", "--ecdf"): ANSWERS,
    ("factors subgroups", "--sunburst"): ANSWERS,
    ("factors importance", "--out"): ANSWERS,
    ("factors importance", "--forest"): ANSWERS,
    ("factors design", "--out"): ANSWERS,
    ("factors compare", "--out"): (*ANSWERS, "--by", "style"),
    ("factors compare", "--ecdf"): (*ANSWERS, "--by", "style"),
    ("mine", "--out"): MINED[1:],
    ("mine", "--matches"): (*MINED[1:], "--out", "mined.csv"),
}
"""A command and its option that names a file to write, with the rest of a command line that works."""
READ = {"--config", "--scenario", "--gate", "--data", "--answers", "--wordings", "--frames", "--formats", "--pictures"}
FOLDERS = {
    *((name, "--out") for name in ("run", "factors run", "contexts export")),
    ("new", "--into"),
    ("report", "--site"),
}
ENDINGS = {"gate": ".xml", "report": ".html", "topics": ".toml"}
TELLING = [key for key in OUTPUTS if key[0] in {"gate", "report", "plot"} or key[1] not in {"--out", "--matches"}]
"""Formats in which a file says what wrote it."""


def file_for(name: str, option: str, stem: str = "made") -> str:
    ending = ".jsonl" if option == "--matches" else ENDINGS.get(name.split()[0], ".csv")
    return stem + (".svg" if name == "plot" or option not in {"--out", "--junit", "--matches"} else ending)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    out = tmp_path_factory.mktemp("finished") / "run"
    few = {"limit_groups": 6, "limit_contexts": 5, "contexts": "gender", "openings": "none"}
    return bvf.run(model="toy:hash", plugin=(TOY,), out=str(out), **few).folder


@pytest.fixture
def work(finished, tmp_path, monkeypatch):
    """A folder with a run, a table of answers, a set of contexts and a corpus."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(finished, "run")
    rows = [f"{n},{age},{style},{n % 3 == 0:d}" for age in "ab" for style in "xy" for n in range(12 + 5 * (age == "a"))]
    Path("answers.csv").write_text("\n".join(["item,age,style,bad", *rows]) + "\n")
    Path("factors.toml").write_text('outcome = "bad"\ncluster = "item"\n[factors.age]\n[factors.style]\n')
    Path("set.csv").write_text("template,count\nThe [X] said that [Y],3\n")
    Path("corpus.txt").write_text("The nurse said that she was tired.\n")
    return tmp_path


def files_in(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file() and ".lock" not in file.name}


def options_of_files(group, path=()):
    context = typer.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        found = getattr(found, "loaded", found)
        if hasattr(found, "list_commands"):
            yield from options_of_files(found, (*path, name))
        for option in found.params:
            is_option = option.param_type_name == "option"
            if is_option and (option.type_descriptor.annotation is Path or option.opts[0] in {"--out", "--matches"}):
                yield " ".join((*path, name)), option.opts[0]


def test_no_command_that_writes_a_file_is_missing_here():
    found = set(options_of_files(of_bvf()))
    found = {(name if not name.startswith("new ") else "new", option) for name, option in found}
    assert {each for each in found if each[1] not in READ} == set(OUTPUTS) | FOLDERS


@pytest.mark.parametrize(("name", "option"), OUTPUTS)
def test_a_file_that_another_program_wrote_stays_unless_force_is_given(work, command, name, option):
    out = work / file_for(name, option)
    out.write_text("my thesis\n")
    before = files_in(work)
    call = (*name.split(), *OUTPUTS[name, option], option, out.name)
    refusal = command(*call).refusal
    assert (f"{option} {out.name}: is there already" in refusal, "--force" in refusal) == (True, True)
    assert files_in(work) == before
    done = command(*call, "--force")
    assert (done.code, out.read_bytes() == b"my thesis\n") == (0, False), done.err


@pytest.mark.parametrize(("name", "option"), TELLING)
def test_what_the_same_command_wrote_is_replaced_without_a_word(work, command, name, option):
    call = (*name.split(), *OUTPUTS[name, option], option, file_for(name, option))
    assert [command(*call).code, command(*call).code] == [0, 0]


@pytest.mark.parametrize(("name", "option"), OUTPUTS)
def test_nothing_is_written_into_the_folder_of_a_run(work, command, name, option):
    before = files_in(work)
    for folder in ("run", "run/probabilities"):
        call = (*name.split(), *OUTPUTS[name, option], option, f"{folder}/{file_for(name, option)}", "--force")
        assert "is the folder of a run" in command(*call).refusal
    assert files_in(work) == before


@pytest.mark.parametrize(("name", "option"), [key for key in OUTPUTS if key[0] not in {"report", "export", "plot"}])
def test_an_input_is_never_an_output_even_by_another_name(work, command, name, option):
    given = list(OUTPUTS[name, option])
    read = next((each for each in given if Path(str(each)).is_file() and each != MINER), None)
    if name == "gate":
        (work / "limits.toml").write_text("[max]\nR = 0.9\n")
        given, read = ["run", "--config", "limits.toml"], "limits.toml"
    if name == "topics cross":
        (work / "own.toml").write_text("")
        given, read = [*given, "own.toml"], "own.toml"
    link = work / file_for(name, option, "link")
    link.symlink_to(read)
    before = files_in(work)
    refusal = command(*name.split(), *given, option, link.name, "--force").refusal
    assert f"{option} {link.name}: is also" in refusal
    assert files_in(work) == before


def test_one_file_for_two_outputs_and_the_folder_of_another_run_for_data_sets_are_refused(work, command):
    done = command("factors", "subgroups", *ANSWERS, "--ecdf", "a.svg", "--sunburst", "a.svg")
    assert "--ecdf a.svg: is also --sunburst a.svg" in done.refusal
    assert not Path("a.svg").exists()
    done = command("export", "run", "--to", "datasets", "-o", "run/data", "--force")
    assert "is the folder of a run" in done.refusal
    assert json.loads(Path("run/measurement.json").read_text())


def test_a_disk_that_fills_up_leaves_the_earlier_page(work, command, monkeypatch):
    assert command("report", "run", "-o", "page.html").code == 0
    before = Path("page.html").read_bytes()
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    assert "the disk is full" in command("report", "run", "-o", "page.html").err
    assert Path("page.html").read_bytes() == before


def test_a_run_whose_record_is_gone_is_refused_by_every_command_that_reads_it(work, command):
    record = Path("study/one/measurement.json")
    reading = [("compare", "study"), ("show", "study/one")]
    for source in ("study", "study/one"):
        reading.append(("report", source, "--out", "page.html"))
        reading.append(("plot", source, "--kind", "scale", "--out", "made.svg"))
        reading.append(("export", source, "--to", "csv", "--out", "made.csv"))
    for said in ("study/one: a damaged run: its measurement.json", f"{record} is not a file but a link"):
        shutil.copytree("run", "study/one", dirs_exist_ok=True)
        shutil.copytree("run", "study/one/controls/weekday", dirs_exist_ok=True)
        record.unlink()
        if "link" in said:
            record.symlink_to(record)
        for call in reading:
            assert said in command(*call).refusal
        record.unlink(missing_ok=True)


def test_an_invocation_of_another_run_is_refused(work, command):
    bvf.run(model="toy:hash", plugin=(TOY,), limit_groups=4, limit_contexts=5, contexts="gender", out="other")
    shutil.copy(next(Path("other/invocations").iterdir()), "run/invocations/2020.json")
    report, export = ("report", "run", "-o", "page.html"), ("export", "run", "--to", "eval-results", "--dataset", "a/b")
    for call in (report, (*export, "-o", "r.yaml")):
        assert "2020.json: of another run" in command(*call).refusal
    done = command("verify", "run")
    assert (done.code, "invocations/2020.json: of another run" in done.out + done.err) == (1, True)
    without = json.loads(Path("run/invocations/2020.json").read_text())
    del without["content"], without["measurement"]
    Path("run/invocations/2020.json").write_text(json.dumps({**without, "content": digest_of(without)}))
    assert "2020.json: does not say which run it is of" in command(*report).refusal
    Path("run/invocations/2020.json").unlink()
    (own,) = Path("run/invocations").iterdir()
    edited = {**json.loads(own.read_text()), "seconds": -1}
    del edited["content"]
    own.write_text(json.dumps({**edited, "content": digest_of(edited)}))
    assert "no record of a run: seconds" in command(*report).refusal
