"""A folder speaks of the analysis of its run, unless a command asks for another; then every command speaks of that."""

import json
import re
import shlex
import shutil
from html import unescape
from pathlib import Path

import pytest

import bvf
from bvf.files.digests import digest_of_bytes
from bvf.running.verify import differences

DOUBT = Path(__file__).resolve().parents[1] / "data" / "doubt_plugin.py"
OPTIONS = ("--reference", "mean", "--scale", "raw")


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A run by the criterion tv, in a folder that tests may copy."""
    place = tmp_path_factory.mktemp("chosen")
    small = {"limit_groups": 12, "limit_contexts": 6}
    for name in ("random", "unbiased"):
        bvf.run(model=f"baseline:{name}", criterion="tv", out=str(place / name), **small)
    return place


@pytest.fixture
def here(measured, tmp_path, monkeypatch):
    shutil.copytree(measured, tmp_path / "runs")
    monkeypatch.chdir(tmp_path / "runs")
    groups = [group.group for group in bvf.read_result("random").groups]
    Path("x.csv").write_text("group,value\n" + "".join(f"{name},{x}\n" for x, name in enumerate(groups)))
    return tmp_path / "runs"


@pytest.fixture
def bvf_says(command):
    """What a command prints, which must end well, or with the verdict of a gate."""

    def call(*arguments):
        done = command(*arguments)
        assert done.code in (0, 1, 3), done.err
        return done.out

    return call


def r_by(say, *options):
    """R of the folder ``random`` by each command that has it in JSON or CSV."""
    shown = json.loads(say("show", "random", *options, "--format", "json"))
    gated = json.loads(say("gate", "random", "--max", "R=0.9", "--as-is", *options, "--format", "json"))
    compared = json.loads(say("compare", "random", "unbiased", *options, "--format", "json"))
    explained = json.loads(say("explain", "random", *options, "--format", "json"))
    say("export", "random", *options, "--to", "csv", "--force", "-o", "t.csv")
    header, row = (line.split(",") for line in Path("t.csv").read_text().splitlines())
    figures = {model["name"]: model["figures"] for model in compared["topics"][0]["models"]}
    drawn = " ".join(say("plot", "random", "--kind", "scale", *options, "-o", "f.svg").split())
    say("report", "random", *options, "-o", "page.html")
    (on_page,) = set(re.findall(r"baseline:random: R (\d\.\d+),", Path("page.html").read_text()))
    return {
        "show": shown["R"],
        "gate": gated["decisions"][0]["value"],
        "compare": figures["baseline:random"]["R"],
        "explain": explained["R"],
        "export": float(row[header.index("R")]),
        "plot": float(re.search(r"R (\d+\.\d+)", drawn)[1]),
        "report": float(on_page),
    }


def test_every_command_speaks_of_one_analysis(here, bvf_says):
    for name in ("random", "unbiased"):
        bvf_says("analyse", name, *OPTIONS, "--save-as", "own-mean")
    expected = bvf.analyse("random", reference="mean", scale="raw").R
    figures = r_by(bvf_says, "--analysis", "own-mean")
    assert figures == {name: pytest.approx(expected, abs=6e-4) for name in figures}
    assert bvf.read_result("random").reference == "uniform"


def test_titles_and_captions_say_what_is_not_of_the_run(here, bvf_says):
    options = OPTIONS
    bvf_says("export", "random", *options, "--to", "markdown", "-o", "t.md")
    bvf_says("report", "random", *options, "-o", "page.html")
    said = {
        "show": bvf_says("show", "random", *options),
        "details": bvf_says("show", "random", "--details", *options),
        "explain": bvf_says("explain", "random", *options),
        "regress": bvf_says("regress", "random", "--against", "x.csv", *options),
        "plot": bvf_says("plot", "random", "--kind", "lean", *options, "-o", "f.svg"),
        "markdown": Path("t.md").read_text(),
        "report": Path("page.html").read_text(),
    }
    for name, text in said.items():
        assert "that of the run: scale raw, reference mean." in " ".join(text.split()), name


def test_the_command_that_shows_the_rest_asks_for_the_same(here, bvf_says):
    shown = bvf_says("show", "random", *OPTIONS)
    arguments = shlex.split(" ".join(shown.splitlines()[-1:]).split("bvf ")[1])
    assert "p* mean" in bvf_says(*arguments)


def test_the_commands_of_a_page_repeat_its_analysis(here, bvf_says, monkeypatch):
    bvf_says("report", "random", "--plugin", DOUBT, "--analysis", "doubt", "-o", "page.html")
    lines = unescape(re.findall("<code>(bvf run .*?)</code>", Path("page.html").read_text(), re.DOTALL)[0]).splitlines()
    _, analyse, verify = (shlex.split(line)[1:] for line in lines)
    shutil.copy(DOUBT, here)  # the page names no folder of its machine
    assert json.loads(bvf_says(*analyse, "--format", "json"))["schema"] == "doubt/1"
    assert "all is as it was written" in bvf_says(*verify)


def test_an_analysis_prints_and_leaves_the_folder_as_it_was(here, bvf_says):
    before = {file: file.read_bytes() for file in Path("random").rglob("*") if file.is_file()}
    bvf_says("analyse", "random", *OPTIONS)
    assert {file: file.read_bytes() for file in Path("random").rglob("*") if file.is_file()} == before


def test_choices_that_are_not_named_are_those_of_the_run_or_of_the_kept_analysis(here, bvf_says):
    bvf_says("analyse", "random", *OPTIONS, "--save-as", "own-mean")
    changed = json.loads(bvf_says("show", "random", "--analysis", "own-mean", "--scale", "unit", "--format", "json"))
    assert [changed[name] for name in ("criterion", "reference", "scale")] == ["tv", "mean", "unit"]
    assert json.loads(bvf_says("gate", "random", "--max", "R=0.9", "--format", "json"))["criterion"] == "tv"
    assert json.loads(bvf_says("compare", "random", "unbiased", "--format", "json"))["criterion"] == "tv"


PARTS = """
class PartsResult(DoubtResult):
    schema_: Literal["parts/1"] = Field("parts/1", alias="schema")


class Parts(Doubt):
    results = PartsResult

    def __init__(self, number):
        self.number = int(number)

    def run(self, measurement, choices):
        values = {**dict(super().run(measurement, choices)), "doubt": 1 / self.number}
        return PartsResult(**{name: value for name, value in values.items() if name != "schema_"})


@hookimpl
def bvf_analyses():
    return [Provider("parts", Parts, "1 / N: parts:N")]
"""
"""An analysis that cannot be made without a parameter."""


def test_the_parameter_of_an_analysis_stays_with_its_result(here, command, bvf_says):
    Path("parts.py").write_text(DOUBT.read_text() + PARTS)
    plugin, few = ("--plugin", "./parts.py"), ("--limit-groups", 3, "--limit-contexts", 3)
    bvf_says("run", "--model", "baseline:random", *few, *plugin, "--analysis", "parts:4", "--out", "quarter")

    def found(*arguments):
        result = json.loads(bvf_says(*arguments, *plugin, "--format", "json"))
        return result["analysis"], result["doubt"]

    own, half = ("--analysis", "parts:4"), ("--analysis", "parts:2")
    commands = (("show", "quarter"), ("analyse", "quarter"), ("show", "quarter", *own), ("analyse", "quarter", *own))
    assert {found(*each) for each in commands} == {("parts:4", 0.25)}
    assert found("show", "random", *half) == found("analyse", "quarter", *half, "--save-as", "two") == ("parts:2", 0.5)
    assert (found("show", "quarter", "--analysis", "two")[1], found("show", "quarter")[1]) == (0.5, 0.25)
    assert "all is as it was written" in bvf_says("verify", "quarter", *plugin)
    bvf_says("report", "quarter", *plugin, "-o", "page.html", "--light")
    assert "--analysis parts:4" in unescape(Path("page.html").read_text())
    bvf_says("run", "--model", "baseline:unbiased", *few, *plugin, *half, "--out", "half")
    mixed = command("compare", "quarter", "half", *plugin)
    assert (mixed.code, "quarter has the analysis parts:4 and half parts:2" in mixed.err) == (2, True)
    missing = command("show", "quarter", "--analysis", "parts", *plugin)
    assert (missing.code, "needs a parameter after a colon" in missing.err) == (2, True)
    risk = command("show", "random", "--analysis", "risk:3")
    assert (risk.code, 'the analysis "risk" takes no parameter' in risk.err) == (2, True)


def test_a_full_name_makes_the_same_choice_as_the_short_one(here, bvf_says):
    few = ("--limit-groups", 3, "--limit-contexts", 3, "--model", "baseline:random")
    for name in ("lk:2", "lk@core:2"):
        bvf_says("run", *few, "--criterion", name, "--out", name)
    assert Path("lk:2/result.json").read_bytes() == Path("lk@core:2/result.json").read_bytes()
    for full in (("--criterion", "tv@core"), ("--analysis", "risk@core"), ("--analysis", "risk@bvf")):
        assert bvf_says("show", "random", *full) == bvf_says("show", "random")


def test_a_kept_analysis_is_verified_and_read_in_python(here, command, bvf_says):
    bvf_says("analyse", "random", *OPTIONS, "--save-as", "own-mean")
    assert bvf.read_result("random", analysis="own-mean").kept_as == "own-mean"
    assert "all is as it was written" in bvf_says("verify", "random")
    (file,) = Path("random/kept").iterdir()
    file.write_text(file.read_text().replace('"R": 0.', '"R": 0.1'))
    done = command("verify", "random")
    assert (done.code, done.out.startswith(f"kept/{file.name}: not as it was written")) == (1, True)


REFUSED = {
    'random: there is no analysis "mine"': ("show", "random", "--analysis", "mine"),
    "--save-as risk: this is an analysis of the plugin core": ("analyse", "random", "--save-as", "risk"),
    '--save-as "../x": a name has letters': ("analyse", "random", "--save-as", "../x"),
    "--save-as taken: random/kept/taken.": ("analyse", "random", "--criterion", "linf", "--save-as", "taken"),
    "--scale does nothing with a file": ("plot", "f.json", "--kind", "forest", "--scale", "raw", "-o", "f.svg"),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_kept_or_found_is_one_line(here, command, bvf_says, message):
    Path("f.json").write_text("{}")
    bvf_says("analyse", "random", *OPTIONS, "--save-as", "taken")
    done = command(*REFUSED[message])
    assert done.code == 2
    assert done.err.startswith(f"error: {message}")
    assert len(done.err.splitlines()) == 2


def test_the_same_analysis_is_kept_again_under_its_name(here, bvf_says):
    for _ in range(2):
        bvf_says("analyse", "random", *OPTIONS, "--save-as", "own-mean")
    assert len(list(Path("random/kept").iterdir())) == 1


def test_a_folder_without_a_result_gets_the_first_analysis_as_its_own(here, bvf_says):
    shutil.rmtree("random/analyses")
    Path("random/result.json").unlink()
    bvf_says("analyse", "random", "--criterion", "lk:2")
    assert bvf.read_result("random").criterion == "lk:2"


def test_the_table_of_a_run_is_not_needed_again(here, bvf_says):
    table = Path("p.csv")
    rows = [line.split(",")[0] for line in Path("x.csv").read_text().splitlines()[1:]]
    table.write_text("group,male,female\n" + "".join(f"{name},0.25,0.75\n" for name in rows))
    small = {"limit_groups": 12, "limit_contexts": 6}
    run = bvf.run(model="baseline:random", reference="p.csv", out="by-table", **small)
    table.unlink()
    gated = json.loads(bvf_says("gate", "by-table", "--max", "R=0.9", "--as-is", "--format", "json"))
    assert gated["decisions"][0]["value"] == run.R
    assert json.loads(bvf_says("show", "by-table", "--format", "json"))["R"] == run.R


def test_the_answers_of_an_older_version_are_analysed_again(here, command, bvf_says):
    (file,) = Path("random/analyses").iterdir()
    older = file.read_bytes().replace(b"bvf.result/3", b"bvf.result/1")
    file.unlink()
    Path("random/result.json").write_bytes(older)
    Path(f"random/analyses/tv.{digest_of_bytes(older)}.json").write_bytes(older)
    done = command("show", "random")
    assert done.err.splitlines() == [
        "error: random/result.json: not a result of this version of bvf",
        " hint: bvf analyse DIR analyses the stored answers again",
    ]
    assert bvf_says("gate", "random", "--max", "R=0.9", "--as-is")
    bvf_says("analyse", "random", "--criterion", "tv")
    assert "criterion tv" in bvf_says("show", "random")


def test_knowledge_of_another_kind_starts_from_its_own_defaults(here, bvf_says):
    """The scale and the reference of a run by risk mean nothing to knowledge, and the other way round."""
    bvf.run(model="baseline:random", topic="knowledge/capitals", limit_groups=4, distractors=3, out="facts")
    told = json.loads(bvf_says("show", "facts", "--criterion", "linf", "--format", "json"))
    assert told["schema"] == "bvf.result/3"
    judged = json.loads(bvf_says("gate", "facts", "--min", "mastery=0", "--format", "json"))
    assert judged["distractors"] == 3
    assert judged["decisions"][0]["value"] == bvf.read_result("facts").mastery


def test_the_hint_of_a_knowledge_analysis_that_needs_true_answers_works(here, command, bvf_says):
    for options in ((), ("--criterion", "knowledge:sqrt"), ("--rank", "particular"), ("--reference", "mean")):
        refused = command("analyse", "random", "--analysis", "knowledge", *options)
        assert (refused.code, "needs the true attribute of every group" in refused.err) == (2, True)
        assert refused.err.rstrip().endswith("or choose --analysis risk --criterion linf")
    shown = json.loads(bvf_says("show", "random", "--analysis", "risk", "--criterion", "linf", "--format", "json"))
    assert (shown["schema"], shown["criterion"]) == ("bvf.result/3", "linf")


def test_an_analysis_and_a_criterion_of_another_kind_are_refused(here, command, bvf_says):
    bvf.run(model="baseline:random", topic="knowledge/capitals", limit_groups=4, out="facts")
    refused = command("analyse", "facts", "--analysis", "knowledge", "--criterion", "linf")
    assert (refused.code, "linf is not one" in refused.err) == (2, True)
    assert "such as --criterion knowledge:sqrt, or leave --analysis out" in refused.err
    refused = command("analyse", "random", "--analysis", "risk", "--criterion", "knowledge:sqrt")
    assert (refused.code, "knowledge:sqrt is one of knowledge" in refused.err) == (2, True)
    facts = ("show", "facts", "--analysis", "knowledge", "--criterion", "knowledge:sqrt", "--format", "json")
    assert json.loads(bvf_says(*facts))["schema"] == "bvf.knowledge/3"


NAMED = ("operator", "worker")


@pytest.fixture(scope="module")
def six(run_of):
    return run_of()


def figures(result):
    return result.model_dump(mode="json", include={"uncertainty", "groups", "R", "shared", "particular", "word_lists"})


def test_a_run_of_named_groups_is_the_same_as_an_analysis_of_them(six, run_of):
    measured = run_of(limit_groups=0, groups=("worker", "operator"))
    analysed = bvf.analyse(bvf.read_measurement(six.folder), groups="worker,operator")
    assert bvf.read_measurement(measured.folder).record.asked.group_names == NAMED
    assert not list(differences(figures(measured), figures(analysed)))
    assert measured.particular != pytest.approx(six.particular)
    assert "2 of 116 groups, chosen by name" in measured.notes


def test_show_restricts_a_stored_result_and_leaves_it_as_it_is(run_of, command):
    folder = run_of(model="baseline:stereotyped").folder
    before = sorted((file, file.read_bytes()) for file in folder.rglob("*.json"))
    done = command("show", folder, "--groups", "worker,operator")
    lines = " ".join(done.out.split())
    assert (done.code, done.err) == (0, "")
    assert "2 of 6 groups (chosen) in " in lines
    assert f"bvf show --details {folder} --groups operator --groups worker" in lines
    assert "trainer" not in done.out
    assert sorted((file, file.read_bytes()) for file in folder.rglob("*.json")) == before
    shown = json.loads(command("show", folder, "--groups", "worker,operator", "--format", "json").out)
    assert [group["group"] for group in shown["groups"]] == list(NAMED)
    assert shown["selection"] == {"of": 6, "own": [], "seed": None}


def test_an_analysis_of_named_groups_is_stored_and_verified(run_of, command):
    folder = run_of(model="baseline:random").folder
    bvf.analyse(folder, groups=NAMED, save_as="two")
    assert [group.group for group in bvf.read_result(folder, analysis="two").groups] == list(NAMED)
    assert command("verify", folder).code == 0


def test_comparisons_gates_and_plans_are_of_the_named_groups(six, run_of, command):
    other = run_of(model="baseline:stereotyped")
    compared = bvf.compare([six.folder, other.folder], groups=NAMED)
    assert compared.topics[0].groups == NAMED
    assert "2 of 6 groups, chosen by name" in compared.topics[0].notes
    done = command("gate", six.folder, "--groups", "operator,worker", "--max", "R=0.9")
    assert "groups operator, worker" in " ".join(done.err.split())
    planned = command("plan", six.folder, "--groups", "operator").out
    assert "groups operator," in " ".join(planned.split())


@pytest.mark.parametrize("arguments", [("show",), ("plot", "--kind", "lean", "-o", "x.svg"), ("analyse",)])
def test_a_group_that_a_run_has_not_is_one_line_with_the_nearest_name(arguments, six, command):
    name, *options = arguments
    done = command(name, six.folder, *options, "--groups", "workr")
    assert done.code == 2
    assert '"workr" is not one of the groups' in done.err
    assert "worker" in done.err
