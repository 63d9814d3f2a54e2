"""A folder speaks of the analysis of its run, unless a command asks for another; then every command speaks of that."""

import re
import shlex
import shutil
from html import unescape
from pathlib import Path

import pytest

import bvf
from bvf import BvfError
from bvf.files.digests import digest_of_bytes
from bvf.running.verify import differences

DOUBT = Path(__file__).resolve().parents[1] / "data" / "doubt_plugin.py"
OPTIONS = ("--reference", "mean", "--scale", "raw")
SMALL = {"limit_groups": 12, "limit_contexts": 6}
FEW = ("--limit-groups", 3, "--limit-contexts", 3, "--model")


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A run by the criterion tv, in a folder that tests may copy."""
    place = tmp_path_factory.mktemp("chosen")
    for name in ("random", "unbiased"):
        bvf.run(model=f"baseline:{name}", criterion="tv", out=str(place / name), **SMALL)
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


def contents(folder):
    return {file: file.read_bytes() for file in Path(folder).rglob("*") if file.is_file()}


def r_by(say, command, *options):
    """R of the folder ``random`` by each command that has it in JSON or CSV."""
    (gated,) = command("gate", "random", "--max", "R=0.9", "--as-is", *options, "--format", "json").json["decisions"]
    compared = command("compare", "random", "unbiased", *options, "--format", "json").json["topics"][0]["models"]
    say("export", "random", *options, "--to", "csv", "--force", "-o", "t.csv")
    header, row = (line.split(",") for line in Path("t.csv").read_text().splitlines())
    drawn = " ".join(say("plot", "random", "--kind", "scale", *options, "-o", "f.svg").split())
    say("report", "random", *options, "-o", "page.html")
    (on_page,) = set(re.findall(r"baseline:random: R (\d\.\d+),", Path("page.html").read_text()))
    return {
        "show": command("show", "random", *options, "--format", "json").json["R"],
        "gate": gated["value"],
        "compare": {model["name"]: model["figures"]["R"] for model in compared}["baseline:random"],
        "explain": command("explain", "random", *options, "--format", "json").json["R"],
        "export": float(row[header.index("R")]),
        "plot": float(re.search(r"R (\d+\.\d+)", drawn)[1]),
        "report": float(on_page),
    }


def test_every_command_speaks_of_one_analysis(here, bvf_says, command):
    for name in ("random", "unbiased"):
        bvf_says("analyse", name, *OPTIONS, "--save-as", "own-mean")
    expected = bvf.analyse("random", reference="mean", scale="raw").R
    figures = r_by(bvf_says, command, "--analysis", "own-mean")
    assert figures == {name: pytest.approx(expected, abs=6e-4) for name in figures}
    assert bvf.read_result("random").reference == "uniform"


def test_titles_and_captions_say_what_is_not_of_the_run_and_its_folder_stays_as_it_was(here, bvf_says):
    before = contents("random")
    bvf_says("analyse", "random", *OPTIONS)
    bvf_says("export", "random", *OPTIONS, "--to", "markdown", "-o", "t.md")
    bvf_says("report", "random", *OPTIONS, "-o", "page.html")
    said = {
        "show": bvf_says("show", "random", *OPTIONS),
        "details": bvf_says("show", "random", "--details", *OPTIONS),
        "explain": bvf_says("explain", "random", *OPTIONS),
        "regress": bvf_says("regress", "random", "--against", "x.csv", *OPTIONS),
        "plot": bvf_says("plot", "random", "--kind", "lean", *OPTIONS, "-o", "f.svg"),
        "markdown": Path("t.md").read_text(),
        "report": Path("page.html").read_text(),
    }
    for name, text in said.items():
        assert "that of the run: scale raw, reference mean." in " ".join(text.split()), name
    the_rest = shlex.split(said["show"].splitlines()[-1].split("bvf ")[1])
    assert "p* mean" in bvf_says(*the_rest)
    assert contents("random") == before


def test_the_commands_of_a_page_repeat_its_analysis(here, bvf_says, command):
    bvf_says("report", "random", "--plugin", DOUBT, "--analysis", "doubt", "-o", "page.html")
    lines = unescape(re.findall("<code>(bvf run .*?)</code>", Path("page.html").read_text(), re.DOTALL)[0]).splitlines()
    _, analyse, verify = (shlex.split(line)[1:] for line in lines)
    shutil.copy(DOUBT, here)  # the page names no folder of its machine
    assert command(*analyse, "--format", "json").json["schema"] == "doubt/1"
    assert "all is as it was written" in bvf_says(*verify)


def test_choices_that_are_not_named_are_those_of_the_run_or_of_the_kept_analysis(here, bvf_says, command):
    bvf_says("analyse", "random", *OPTIONS, "--save-as", "own-mean")
    changed = command("show", "random", "--analysis", "own-mean", "--scale", "unit", "--format", "json").json
    assert [changed[name] for name in ("criterion", "reference", "scale")] == ["tv", "mean", "unit"]
    assert command("gate", "random", "--max", "R=0.9", "--format", "json").json["criterion"] == "tv"
    assert command("compare", "random", "unbiased", "--format", "json").json["criterion"] == "tv"


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


def test_the_parameter_of_an_analysis_stays_with_its_result(here, bvf_says, command):
    Path("parts.py").write_text(DOUBT.read_text() + PARTS)
    plugin, own, half = ("--plugin", "./parts.py"), ("--analysis", "parts:4"), ("--analysis", "parts:2")
    bvf_says("run", *FEW, "baseline:random", *plugin, *own, "--out", "quarter")

    def found(*arguments):
        result = command(*arguments, *plugin, "--format", "json").json
        return result["analysis"], result["doubt"]

    commands = (("show", "quarter"), ("analyse", "quarter"), ("show", "quarter", *own), ("analyse", "quarter", *own))
    assert {found(*each) for each in commands} == {("parts:4", 0.25)}
    assert found("show", "random", *half) == found("analyse", "quarter", *half, "--save-as", "two") == ("parts:2", 0.5)
    assert (found("show", "quarter", "--analysis", "two")[1], found("show", "quarter")[1]) == (0.5, 0.25)
    assert "all is as it was written" in bvf_says("verify", "quarter", *plugin)
    bvf_says("report", "quarter", *plugin, "-o", "page.html", "--light")
    assert "--analysis parts:4" in unescape(Path("page.html").read_text())
    bvf_says("run", *FEW, "baseline:unbiased", *plugin, *half, "--out", "half")
    mixed = command("compare", "quarter", "half", *plugin).refusal
    assert "quarter has the analysis parts:4 and half parts:2" in mixed
    assert "needs a parameter after a colon" in command("show", "quarter", "--analysis", "parts", *plugin).refusal
    assert 'the analysis "risk" takes no parameter' in command("show", "random", "--analysis", "risk:3").refusal


def test_a_full_name_makes_the_same_choice_as_the_short_one(here, bvf_says):
    for name in ("lk:2", "lk@core:2"):
        bvf_says("run", *FEW, "baseline:random", "--criterion", name, "--out", name)
    assert Path("lk:2/result.json").read_bytes() == Path("lk@core:2/result.json").read_bytes()
    for full in (("--criterion", "tv@core"), ("--analysis", "risk@core"), ("--analysis", "risk@bvf")):
        assert bvf_says("show", "random", *full) == bvf_says("show", "random")


def test_a_kept_analysis_may_be_kept_again_is_verified_and_read_in_python(here, command, bvf_says):
    for _ in range(2):
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
    error, _hint = command(*REFUSED[message]).refusal.splitlines()
    assert error.startswith(f"error: {message}")


def test_a_folder_without_a_result_gets_the_first_analysis_as_its_own(here, bvf_says):
    shutil.rmtree("random/analyses")
    Path("random/result.json").unlink()
    bvf_says("analyse", "random", "--criterion", "lk:2")
    assert bvf.read_result("random").criterion == "lk:2"


def test_the_table_of_a_run_is_not_needed_again(here, command):
    table = Path("p.csv")
    rows = [line.split(",")[0] for line in Path("x.csv").read_text().splitlines()[1:]]
    table.write_text("group,male,female\n" + "".join(f"{name},0.25,0.75\n" for name in rows))
    run = bvf.run(model="baseline:random", reference="p.csv", out="by-table", **SMALL)
    table.unlink()
    gated = command("gate", "by-table", "--max", "R=0.9", "--as-is", "--format", "json").json
    assert gated["decisions"][0]["value"] == command("show", "by-table", "--format", "json").json["R"] == run.R


def test_the_answers_of_an_older_version_are_analysed_again(here, command, bvf_says):
    (file,) = Path("random/analyses").iterdir()
    older = file.read_bytes().replace(b"bvf.result/3", b"bvf.result/1")
    file.unlink()
    Path("random/result.json").write_bytes(older)
    Path(f"random/analyses/tv.{digest_of_bytes(older)}.json").write_bytes(older)
    assert command("show", "random").refusal.splitlines() == [
        "error: random/result.json: not a result of this version of bvf",
        " hint: bvf analyse DIR analyses the stored answers again",
    ]
    assert bvf_says("gate", "random", "--max", "R=0.9", "--as-is")
    bvf_says("analyse", "random", "--criterion", "tv")
    assert "criterion tv" in bvf_says("show", "random")


def test_an_analysis_of_another_kind_starts_from_its_own_defaults_and_takes_criteria_of_its_kind(here, command):
    """The scale and the reference of a run by risk mean nothing to knowledge, and the other way round."""
    bvf.run(model="baseline:random", topic="knowledge/capitals", limit_groups=4, distractors=3, out="facts")
    assert command("show", "facts", "--criterion", "linf", "--format", "json").json["schema"] == "bvf.result/3"
    judged = command("gate", "facts", "--min", "mastery=0", "--format", "json").json
    assert judged["distractors"] == 3
    assert judged["decisions"][0]["value"] == bvf.read_result("facts").mastery
    error = command("analyse", "facts", "--analysis", "knowledge", "--criterion", "linf").refusal
    assert "linf is not one" in error
    assert "such as --criterion knowledge:sqrt, or leave --analysis out" in error
    error = command("analyse", "random", "--analysis", "risk", "--criterion", "knowledge:sqrt").refusal
    assert "knowledge:sqrt is one of knowledge" in error
    facts = command(
        "show", "facts", "--analysis", "knowledge", "--criterion", "knowledge:sqrt", "--format", "json"
    ).json
    assert facts["schema"] == "bvf.knowledge/3"


def test_the_hint_of_a_knowledge_analysis_that_needs_true_answers_works(here, command):
    for options in ((), ("--criterion", "knowledge:sqrt"), ("--rank", "particular"), ("--reference", "mean")):
        error = command("analyse", "random", "--analysis", "knowledge", *options).refusal
        assert "needs the true attribute of every group" in error
        assert error.rstrip().endswith("or choose --analysis risk --criterion linf")
    shown = command("show", "random", "--analysis", "risk", "--criterion", "linf", "--format", "json").json
    assert (shown["schema"], shown["criterion"]) == ("bvf.result/3", "linf")


NAMED = ("operator", "worker")


def figures(of):
    return of.model_dump(mode="json", include={"uncertainty", "groups", "R", "shared", "particular", "word_lists"})


def test_a_run_of_named_groups_is_the_same_as_an_analysis_of_them(result, run_of):
    measured = run_of(limit_groups=0, groups=("worker", "operator"))
    analysed = bvf.analyse(bvf.read_measurement(result.folder), groups="worker,operator")
    assert bvf.read_measurement(measured.folder).record.asked.group_names == NAMED
    assert not list(differences(figures(measured), figures(analysed)))
    assert measured.particular != pytest.approx(result.particular)
    assert "2 of 116 groups, chosen by name" in measured.notes


def test_show_restricts_a_stored_result_and_leaves_it_as_it_is(run_of, command):
    folder = run_of(model="baseline:stereotyped").folder
    before = contents(folder)
    done = command("show", folder, "--groups", "worker,operator")
    lines = " ".join(done.out.split())
    assert (done.code, done.err) == (0, "")
    assert "2 of 6 groups (chosen) in " in lines
    assert f"bvf show --details {folder} --groups operator --groups worker" in lines
    assert "trainer" not in done.out
    assert contents(folder) == before
    shown = command("show", folder, "--groups", "worker,operator", "--format", "json").json
    assert [group["group"] for group in shown["groups"]] == list(NAMED)
    assert shown["selection"] == {"of": 6, "own": [], "seed": None}
    bvf.analyse(folder, groups=NAMED, save_as="two")
    assert [group.group for group in bvf.read_result(folder, analysis="two").groups] == list(NAMED)
    assert command("verify", folder).code == 0


def test_comparisons_gates_and_plans_are_of_the_named_groups(result, run_of, command):
    other = run_of(model="baseline:stereotyped")
    compared = bvf.compare([result.folder, other.folder], groups=NAMED)
    assert compared.topics[0].groups == NAMED
    assert "2 of 6 groups, chosen by name" in compared.topics[0].notes
    done = command("gate", result.folder, "--groups", "operator,worker", "--max", "R=0.9")
    assert "groups operator, worker" in " ".join(done.err.split())
    planned = command("plan", result.folder, "--groups", "operator").out
    assert "groups operator," in " ".join(planned.split())


@pytest.mark.parametrize("arguments", [("show",), ("plot", "--kind", "lean", "-o", "x.svg"), ("analyse",)])
def test_a_group_that_a_run_has_not_is_one_line_with_the_nearest_name(arguments, result, command):
    name, *options = arguments
    error = command(name, result.folder, *options, "--groups", "workr").refusal
    assert '"workr" is not one of the groups' in error
    assert "worker" in error


def test_in_python_a_result_stands_for_its_folder_unless_it_has_choices_of_its_own(here):
    first, second = runs = [bvf.read_result(name) for name in ("random", "unbiased")]
    limit = {"no_worse": {"R": 0.9}, "baseline": "unbiased", "as_is": True}
    compared = [bvf.compare(each).model_dump_json() for each in (runs, ["random", "unbiased"], ".")]
    assert len(set(compared)) == 1
    assert bvf.gate(first, **{**limit, "baseline": second}) == bvf.gate("random", **limit)
    assert bvf.report(first, out="page.html").is_file()
    assert (bvf.analyse(first), bvf.verify(first)) == (first, [])
    with pytest.raises(BvfError, match=r"is not the run's own in random \(criterion\)"):
        bvf.gate(bvf.analyse(first, criterion="linf"), **limit)
    bvf.analyse(first, criterion="linf", save_as="spare")
    with pytest.raises(BvfError, match='is not the run\'s own in random \\(kept as "spare"\\)'):
        bvf.verify(bvf.read_result("random", analysis="spare"))
    with pytest.raises(BvfError, match="was not stored"):
        bvf.report(type(first)(**first.model_dump()), out="other.html")
