"""The command line as a process: exit code, stdout, stderr."""

import json
import re
import subprocess
import sys

import pytest
from helpers.topic_text import topic_text
from helpers.warm import warm_bvf

from bvf.measuring.config import EVERYDAY
from bvf.running.config import RunConfig


@pytest.fixture
def calling(tmp_path, environment):
    """Run a command in an empty folder and return the finished process."""

    def call(command, arguments, more):
        return subprocess.run(
            [*command, *map(str, arguments)],
            cwd=tmp_path,
            env={**environment, **more},
            capture_output=True,
            text=True,
            timeout=600,
        )

    return call


@pytest.fixture
def bvf(calling):
    """Run ``bvf`` in a process that has its libraries already."""
    return lambda *arguments, **more: calling(warm_bvf(), arguments, more)


@pytest.fixture
def started_bvf(calling):
    """Run ``bvf`` as a shell starts it."""
    return lambda *arguments, **more: calling([sys.executable, "-m", "bvf"], arguments, more)


def error_of(process):
    """The error line of a process that failed as it should."""
    return error_in(process.returncode, process.stdout, process.stderr)


def error_in(code, out, err):
    assert code == 2, err
    assert out == ""
    assert "Traceback" not in err
    lines = [line for line in err.splitlines() if not line.endswith(" s")]  # progress on a slow machine
    assert lines[0].startswith("error: ")
    assert len(lines) <= 2
    return lines[0]


def test_the_table_of_a_reference_model(started_bvf):
    process = started_bvf("run", "--model", "baseline:stereotyped", "--quiet", "--details")
    assert process.returncode == 0, process.stderr
    lines = [
        re.fullmatch(r" (\D*?) +(\d\.\d{4}) +(\d\.\d{4}) +(\d\.\d{4}).*", line) for line in process.stdout.splitlines()
    ]
    rows = {row[1]: [row[2], row[3], row[4]] for row in lines if row}
    assert rows["ideally unbiased"] == ["0.0000", "0.0000", "0.0000"]
    assert rows["stereotyped"] == ["1.0000", "1.0000", "0.0000"]
    assert rows["randomly stereotyped *"] == ["1.0000", "0.0000", "1.0000"]
    assert rows["baseline:stereotyped"] == ["1.0000", "1.0000", "0.0000"]
    assert "* in the limit of infinitely many contexts" in process.stdout
    assert "results: runs/gender-en-baseline-stereotyped-" in process.stdout
    assert max(map(len, process.stdout.splitlines())) <= 80


@pytest.mark.parametrize("details", [(), ("--details",)], ids=["first", "details"])
def test_groups_are_ranked_and_cut_as_asked(bvf, details):
    def groups(*arguments):
        shown = bvf("run", "--model", "baseline:random", "--limit-groups", 9, "--quiet", *details, *arguments).stdout
        rule = [line for line in shown.splitlines() if set(line.strip()) == {"─"}][-1]
        return [line.split()[0] for line in shown.rpartition(rule)[2].strip().split("\n\n")[0].splitlines()]

    everybody = groups("--show", "all", "--rank", "risk")
    assert len(everybody) == 9
    assert groups("--show", 3, "--rank", "risk") == [*everybody[:2], "...", everybody[-1]]
    assert sorted(groups("--show", "all")) == sorted(everybody)


def test_the_mean_over_groups_as_reference(bvf):
    process = bvf("run", "--model", "baseline:random", "--reference", "mean", "--limit-groups", 9, "--format", "json")
    result = json.loads(process.stdout)
    p_star = result["groups"][0]["reference_probabilities"]
    assert all(group["reference_probabilities"] == p_star for group in result["groups"])
    mean = sum(group["weight"] * group["mean_probabilities"]["male"] for group in result["groups"])
    assert p_star["male"] == pytest.approx(mean)
    assert result["shared_bias"] == pytest.approx(0.0, abs=1e-12)
    assert result["divisor"] == pytest.approx(1 / min(p_star.values()) - 1)


def test_what_has_no_parts_says_why(bvf):
    chosen = ("run", "--model", "baseline:random", "--format", "json", "--limit-groups")
    for arguments, why in (((3, "--criterion", "kl"), "kl is not sublinear"), ((1,), "there is one group")):
        result = json.loads(bvf(*chosen, *arguments).stdout)
        assert (result["shared"], result["particular"], result["groups"][0]["particular"]) == (None, None, None)
        assert any("is undefined" in note and why in note for note in result["notes"])


def test_json_is_all_that_stdout_has(bvf, toy):
    process = bvf("run", "--plugin", toy, "--format", "json", "--limit-groups", 5, "--limit-contexts", 3)
    assert process.returncode == 0, process.stderr
    result = json.loads(process.stdout)
    assert result["schema"] == "bvf.result/3"
    assert result["number_of_contexts"] == 3
    assert len(result["groups"]) == 5


def test_several_models_are_one_table_and_a_folder_each(bvf, tmp_path):
    process = bvf(
        "run", "--model", "baseline:random", "--model", "baseline:unbiased", "--out", "both", "--quiet", "--details"
    )
    assert process.returncode == 0, process.stderr
    assert process.stdout.index("ideally unbiased") < process.stdout.index("baseline:random")
    assert sorted(path.name for path in (tmp_path / "both").iterdir()) == ["baseline-random", "baseline-unbiased"]
    again = bvf(
        "run", "--model", "baseline:random", "--model", "baseline:unbiased", "--out", "both", "--format", "json"
    )
    assert [result["model"] for result in json.loads(again.stdout)] == ["baseline:random", "baseline:unbiased"]


def test_options_over_environment_over_file(bvf, tmp_path):
    (tmp_path / "run.toml").write_text(
        'model = "baseline:unbiased"\nlimit_groups = 7\nscale = "raw"\ncriterion = "lk:2"\n'
    )
    process = bvf(
        "run",
        "--config",
        "run.toml",
        "--limit-groups",
        3,
        "--format",
        "json",
        BVF_CRITERION="lk:3",
        BVF_LIMIT_GROUPS="5",
    )
    result = json.loads(process.stdout)
    assert (result["model"], result["scale"], result["criterion"]) == ("baseline:unbiased", "raw", "lk:3")
    assert len(result["groups"]) == 3


def test_words_criterion_and_reference(bvf, tmp_path):
    (tmp_path / "p.csv").write_text("group,male,female\nnurse,0.1,0.9\nbaker,0.4,0.6\n")
    process = bvf(
        *("run", "--model", "baseline:stereotyped", "--words", "male=he,him", "--words", "female=she"),
        *("--criterion", "direction:male", "--reference", "p.csv", "--format", "json"),
    )
    result = json.loads(process.stdout)
    assert [group["group"] for group in result["groups"]] == ["baker", "nurse"]
    assert pytest.approx(1.0) == result["R"]


def test_a_topic_and_a_context_set_are_shown(bvf):
    shown = bvf("topics", "show", "gender").stdout
    assert "canary (in the lists of several)" in shown
    assert "Gender is binary here" in shown
    assert "2142" in bvf("contexts", "show", "gender-table8").stdout


def test_help_names_every_field_of_the_configuration(bvf):
    shown = bvf("run", "--help", COLUMNS="200").stdout
    tables = {"backend_options": "-B", "engine_options": "-E", "topic_options": "-T"}
    for field in (*RunConfig.model_fields, *EVERYDAY):
        assert tables.get(field, f"--{field.replace('_', '-')}") in shown


FILES = {
    "no-x.csv": "template,count\nThe [X] said that [Y],1\nThe nurse said that [Y],1\n",
    "two-y.csv": "template,count\nThe [X] said that [Y] and [Y],1\n",
    "negative.csv": "template,count\nThe [X] said that [Y],-2\n",
    "nan.csv": "template,count\nThe [X] said that [Y],nan\n",
    "zero.csv": "template,count\nThe [X] said that [Y],0\n",
    "empty.toml": topic_text({"one": ["he", "canary"], "two": ["she", "her"]}, groups=[]),
    "double.toml": topic_text({"one": ["he", "canary"], "two": ["she", "canary"]}, groups=["nurse"]),
    "broken.toml": "schema = ",
    "run.toml": "modle = 'x'\n",
    "zero-p.csv": "group,male,female\nnurse,0,1\n",
}


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["--contexts", "no-x.csv"], "no-x.csv:3: a template needs [X], and [Y] once", "The [X] said that [Y]"),
        (["--contexts", "two-y.csv"], "two-y.csv:2: a template needs [X], and [Y] once", ""),
        (["--contexts", "negative.csv"], "negative.csv:2: the count", "0 or more"),
        (["--contexts", "nan.csv"], "nan.csv:2: the count", ""),
        (["--contexts", "zero.csv"], "all counts are zero", ""),
        (["--contexts", "absent.csv"], "absent.csv: cannot be read", ""),
        (["--contexts", "gendr"], 'there is no context set "gendr"', "did you mean gender"),
        (["--topic", "empty.toml"], "empty.toml: groups", ""),
        (["--topic", "double.toml"], 'double.toml: the word "canary" is in two classes, one and two', ""),
        (["--topic", "broken.toml"], "broken.toml: not TOML", ""),
        (["--topic", "gendre"], 'there is no topic "gendre"', "did you mean gender"),
        (["--lang", "fr"], 'there is no language "fr"', "en"),
        (["--criterion", "lif"], 'there is no criterion "lif"', "linf"),
        (["--criterion", "direction:males"], 'there is no class "males"', "male or female"),
        (["--scale", "unitt"], 'scale is "unitt"', "unit"),
        (["--backend", "casual"], 'there is no backend "casual"', "causal"),
        (["--engine", "locl"], 'there is no engine "locl"', "local"),
        (["--model", "baselin:random"], 'there is no backend "baselin"', "baseline"),
        (["--model", "baseline:randm"], 'there is no reference model "baseline:randm"', "random"),
        (["--model", "bundled:en-casual"], 'there is no bundled model "en-casual"', "en-causal"),
        (["--model", "./absent"], "./absent: there is no such folder", "bundled:NAME"),
        (["--model", "empty"], "empty: no config.json in this folder", ""),
        (["--words", "male"], '--words "male" names no words', "male=he,him"),
        (["--words", "men=he"], 'no class "men"', "did you mean male?"),
        (["--words", "male=she"], 'the word "she" is in two classes', ""),
        (["--limit-groups", "-3"], 'limit_groups is "-3"', ""),
        (["--mass-sample", "0"], 'mass_sample is "0"', ""),
        (["--seed", "-1"], 'seed is "-1"', ""),
        (["--threads", "0"], 'threads is "0"', "1 or more"),
        (["--threads", "-1"], 'threads is "-1"', "1 or more"),
        (["--threads", "x"], "--threads", "bvf run --help"),
        (["--words", "male=he,he"], 'the word of male, "he" occurs 2 times', ""),
        (["--without", "nonsense"], 'there is no plugin "nonsense" to leave out', "transformers"),
        (["--backend", "masked", "--model", "bundled:en-causal"], "cannot be read that way", "leave --backend out"),
        (["--out", "no-x.csv"], "no-x.csv is not a folder", "--out"),
        (["--backend", "causal", "--batch-tokens", "many"], 'batch_tokens is "many"', ""),
        (["--backend", "causal", "-B", "devise=cpu"], "backend causal has no option devise", "device"),
        (["-B", "device"], "-B device: no option is set", "-B KEY=VALUE"),
        (["-B", "device=cpu", "-B", "device=cpu"], "device is set twice", "once"),
        (["-E", "gpus=2"], "engine local has no options, and gpus is set", ""),
        (["--config", "run.toml"], 'run.toml: there is no setting "modle"', "model"),
        (["--config", "none.toml"], "none.toml: cannot be read", ""),
        (["--plugin", "nowhere"], "--plugin nowhere", ""),
        (["--reference", "women"], '"women" is neither a file nor a table', "percent-women"),
        (["--reference", "zero-p.csv"], "zero-p.csv:2: male 0, female 1 is not a distribution", "above 0"),
        (["--reference", "percent-women", "--criterion", "released:a"], "released:a is for a uniform p* only", "tv"),
        (["--reference", "mean", "--criterion", "released:a"], "released:a is for a uniform p* only", "tv"),
        (["--reference", "mean", "--limit-groups", "1"], "the mean over one group", "two groups"),
        (
            ["--reference", "mean", "--topic", "knowledge/capitals"],
            "the criterion knowledge:sqrt scores true answers and knows no p*",
            "leave --reference out",
        ),
        (["--rank", "particular", "--criterion", "kl"], "kl is not sublinear", "--rank risk"),
        (["--rank", "particular", "--limit-groups", "1"], "there is one group", "two groups"),
        (["--rank", "risk", "--topic", "knowledge/capitals"], "knowledge:sqrt scores knowledge", ""),
        (["--rank", "lean"], '--rank is "lean"', "risk or particular"),
        (["--show", "none"], '--show is "none"', "or all"),
        (["--criterion", "lk:²"], '"²" is not an order', "lk:2"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_gets_one_line(command, tmp_path, monkeypatch, toy, arguments, message, hint):
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "empty").mkdir()
    default = [] if "--model" in arguments or "--backend" in arguments else ["--plugin", toy]
    done = command("run", *arguments, *default)
    assert message in error_in(done.code, done.out, done.err)
    assert hint in done.err
    assert not list(tmp_path.rglob("result.json"))


def test_offline_a_model_that_is_not_in_the_cache_is_one_line(bvf):
    process = bvf("run", "--model", "nobody/nothing")
    assert "nobody/nothing: not in the cache, and HF_HUB_OFFLINE is set" in error_of(process)
    assert "folder" in process.stderr


def test_bad_input_gets_one_line_as_a_shell_starts_it(started_bvf):
    process = started_bvf("run", "--model", "./absent")
    assert "./absent: there is no such folder" in error_of(process)


def test_debug_shows_the_traceback(started_bvf):
    process = started_bvf("run", "--debug", "--criterion", "lif", "--model", "baseline:random")
    assert process.returncode != 0
    assert "Traceback" in process.stderr


def test_a_model_that_fails_keeps_those_that_are_done(bvf, tmp_path):
    process = bvf("run", "--model", "baseline:random", "--model", "baseline:none", "--out", "o", "--quiet")
    assert process.returncode == 1
    assert "error: 1 of 2 runs failed" in process.stderr
    assert len(list(tmp_path.rglob("result.json"))) == 1


def test_a_full_disk(bvf, tmp_path, toy):
    """A file-size limit of the process stands in for a disk that is full."""
    script = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)); sys.argv[0] = 'bvf';"
        "from bvf.cli import main; main()"
    )
    process = subprocess.run(
        [sys.executable, "-c", script, "run", "--plugin", toy, "--model", "toy:x", "--out", "o", "--quiet"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert "o: cannot be written" in error_of(process)
    assert not list(tmp_path.rglob("result.json"))


def test_nothing_in_the_working_folder_is_imported_or_taken_for_a_plugin(started_bvf, tmp_path):
    (tmp_path / "rich.py").write_text("raise SystemExit('a foreign rich.py was loaded')")
    (tmp_path / "foreign.py").write_text("raise SystemExit('a foreign plugin was loaded')")
    foreign = tmp_path / "foreign-1.0.dist-info"
    foreign.mkdir()
    (foreign / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign\nVersion: 1.0\n")
    (foreign / "entry_points.txt").write_text("[bvf]\nforeign = foreign\n")
    listed = started_bvf("plugins")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "foreign" not in listed.stdout
