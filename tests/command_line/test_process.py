"""The command line as a process: exit code, stdout, stderr."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.made_packages import install_plugins

WRITING = Path(__file__).resolve().parents[1] / "data" / "writing_plugin.py"


def error_in(code, out, err):
    """The error line of a command that failed as it should."""
    assert code == 2, err
    assert out == ""
    assert "Traceback" not in err
    lines = [line for line in err.splitlines() if not line.endswith(" s")]  # progress on a slow machine
    assert lines[0].startswith("error: ")
    assert len(lines) <= 2
    return lines[0]


def test_what_has_no_parts_says_why(in_json, tmp_path):
    chosen = ("run", "--model", "baseline:random", "--limit-groups")
    for arguments, why in (((3, "--criterion", "kl"), "kl is not sublinear"), ((1,), "there is one group")):
        result = in_json(*chosen, *arguments, "--out", tmp_path / why)
        assert (result["shared"], result["particular"], result["groups"][0]["particular"]) == (None, None, None)
        assert any("is undefined" in note and why in note for note in result["notes"])


def test_options_over_environment_over_file(process, tmp_path):
    chosen = 'model = "baseline:unbiased"\nlimit_groups = 7\nscale = "raw"\ncriterion = "lk:2"\n'
    (tmp_path / "run.toml").write_text(chosen)
    outside = {"BVF_CRITERION": "lk:3", "BVF_LIMIT_GROUPS": "5"}
    done = process("run", "--config", "run.toml", "--limit-groups", 3, "--format", "json", variables=outside)
    result = json.loads(done.stdout)
    assert (result["model"], result["scale"], result["criterion"]) == ("baseline:unbiased", "raw", "lk:3")
    assert len(result["groups"]) == 3


BAD = [
    ("--contexts no-x.csv", "no-x.csv:3: a template needs [X], and [Y] once", "The [X] said that [Y]"),
    ("--contexts absent.csv", "absent.csv: cannot be read", ""),
    ("--contexts gendr", 'there is no context set "gendr"', "did you mean gender"),
    ("--criterion direction:males", 'there is no class "males"', "male or female"),
    ("--mass-sample 0", 'mass_sample is "0"', ""),
    ("-B device", "-B device: no option is set", "-B KEY=VALUE"),
    ("--reference mean --topic knowledge/capitals", "scores true answers and knows no p*", "leave"),
    ("--criterion lif", 'there is no criterion "lif"', "linf"),
    ("--backend casual", 'there is no backend "casual"', "causal"),
    ("--model pakcage:tiny_model", "pakcage", "did you mean package or image?"),
    ("--model baseline:randm", 'there is no reference model "baseline:randm"', "random"),
    ("--model ./absent", "./absent: there is no such folder", "bundled:NAME"),
    ("--model empty", "empty: no config.json in this folder", ""),
    ("--words male", '--words "male" names no words', "male=he,him"),
    ("--words men=he", 'no class "men"', "did you mean male?"),
    ("--name A --name B", "2 names for 1 model", ""),
    ("--threads x", "--threads", "bvf run --help"),
    ("--without nonsense", 'there is no plugin "nonsense" to leave out', "transformers"),
    ("--backend masked --model bundled:en-causal", "cannot be read that way", "leave --backend out"),
    ("--out no-x.csv", "no-x.csv is not a folder", "--out"),
    ("--backend causal -B devise=cpu", "backend causal has no option devise", "device"),
    ("--plugin nowhere", "--plugin nowhere", ""),
    ("--rank particular --criterion kl", "kl is not sublinear", "--rank risk"),
    ("--rank particular --limit-groups 1", "there is one group", "two groups"),
    ("--controls --part 1/2", "error: --controls with --part 1/2", ""),
    ("--cross ,", 'cross is ",": there is no name in it', ""),
    ("--cross race,gender --topic race", "--topic race and --cross race,gender", ""),
    ("--cross race,gender --words femal=girl", 'none of the crossed topics has the class "femal"', ""),
    ("--topic race --phrase [race]", "no topics are crossed", ""),
    ("--topic race --margin race", "the classes of race have no factors", ""),
    ("--reading spoken", "reading", ""),
    ("--model bundled:en-masked --reading thought", "the backend transformers lets no model think", ""),
    ("--model bundled:en-causal --reading thought", "", "--backend llama --chat-turn user"),
    (f"--plugin {WRITING} --model writing:known --reading generated --reader no-such", 'is no reader "no-such"', ""),
    (f"--plugin {WRITING} --model writing:known --reading generated --reader pattern:none.toml", "none.toml", ""),
]


@pytest.mark.parametrize(("arguments", "message", "hint"), BAD, ids=[arguments for arguments, *_ in BAD])
def test_bad_input_gets_one_line(refused, tmp_path, monkeypatch, toy, arguments, message, hint):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "no-x.csv").write_text("template,count\nThe [X] said that [Y],1\nThe nurse said that [Y],1\n")
    (tmp_path / "empty").mkdir()
    default = [] if "--model" in arguments or "--backend" in arguments else ["--plugin", toy]
    said = refused("run", *arguments.split(), *default)
    assert message in said.splitlines()[0]
    assert hint in said
    assert {each.name for each in tmp_path.iterdir()} == {"no-x.csv", "empty"}


def test_errors_are_one_line_as_a_shell_starts_it(process):
    done = process("run", "--model", "nobody/nothing", cold=True)
    said = "nobody/nothing: not in the cache, and HF_HUB_OFFLINE is set"
    assert said in error_in(done.returncode, done.stdout, done.stderr)


def test_a_full_disk(tmp_path, toy):
    """A file-size limit of the process stands in for a disk that is full."""
    script = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)); sys.argv[0] = 'bvf';"
        "from bvf.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "run", "--plugin", toy, "--model", "toy:x", "--out", "o", "--quiet"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert "o: cannot be written" in error_in(done.returncode, done.stdout, done.stderr)
    assert not list(tmp_path.rglob("result.json"))


def test_nothing_in_the_working_folder_is_imported_or_taken_for_a_plugin(process, tmp_path):
    (tmp_path / "rich.py").write_text("raise SystemExit('a foreign rich.py was loaded')")
    text = "raise SystemExit('a foreign plugin was loaded')"
    install_plugins(tmp_path, "foreign", "[bvf]\nforeign = foreign\n", {"foreign": text})
    listed = process("plugins", cold=True)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "foreign" not in listed.stdout
