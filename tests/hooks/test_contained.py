"""Bad neighbours, each an installed package beside bvf: a default run goes on as without them, and names them."""

import json
import os
from itertools import cycle

import pytest
from helpers.made_packages import install_plugins

from bvf.hooks.contained import contained

MODEL = ("--model", "baseline:random")
RUN = ("run", *MODEL, "--limit-groups", "3", "--limit-contexts", "4", "--quiet")
HEAD = "from bvf import Provider, hookimpl\n"
OFFERS = """
@hookimpl
def bvf_{kind}():
    return [Provider({provider})]
"""


def offering(kind, provider, before=""):
    return HEAD + before + OFFERS.format(kind=kind, provider=provider)


LINF = """
def made():
    from bvf import Criterion
    class Mine(Criterion):
        curvature = "convex"
        def risk(self, s):
            return abs(s).max(-1) * 3
    return Mine()
"""
BREAKS = "def made(*args):\n    raise SystemExit('made by nobody')\n"
CRITERION = offering("criteria", '"linf", made, "mine", default=True', LINF)
DAMAGE = {
    "working directory": 'import os\nos.chdir("/")',
    "numpy": 'import numpy\nnumpy.seterr(all="raise")',
    "filters of warnings": 'import warnings\nwarnings.simplefilter("error")',
    "the root of logging": "import logging\nlogging.basicConfig(level=logging.DEBUG)",
    "stdout": "import sys, io\nsys.stdout = sys.stderr = io.StringIO()\nprint('lost')",
    "s to load": "import time\ntime.sleep(1.2)",
}
CLASHES = {
    "a criterion": (CRITERION, 'the criterion "linf" is that of bvf', "linf@bad"),
    "a topic": (offering("topics", '"gender", made, language="en"', BREAKS), 'the topic "gender" is', "gender@bad"),
    "contexts": (
        offering("contexts", '"gender-no-cues", made, language="en"', BREAKS),
        'the context set "gender-no-cues"',
        "gender-no-cues@bad",
    ),
    "a language": (offering("languages", '"en", made', BREAKS), 'the language "en" is that of bvf', "en@bad"),
    "a backend": (offering("backends", '"baseline", made', BREAKS), 'the backend "baseline" is that', "baseline@bad"),
    "an engine": (offering("engines", '"local", made, default=True', BREAKS), 'the engine "local" is', "local@bad"),
}
QUIET = {
    "an analysis that cannot be made": offering("analyses", '"broken", made', BREAKS),
    "a kind of answers": offering("answers", '"probable", made', BREAKS),
    "a function of bvf": offering("functions", '"explain", made', BREAKS),
    "a picture that cannot be made": offering("pictures", '"lean", made', BREAKS),
    "a part of a page": offering("page_parts", '"figures", made', BREAKS),
    "nothing at all": "raise SystemExit(0)",
}


@pytest.fixture
def beside(tmp_path, process):
    """Lay packages into a folder, as pip does, and return ``bvf`` as a process that has them beside those of bvf."""
    site = tmp_path / "site"
    site.mkdir()
    variables = {"PYTHONPATH": os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])}

    def lay(texts, entries=("[bvf]\n{name} = {name}_module\n",)):
        for number, (text, entry) in enumerate(zip(texts, cycle(entries), strict=False)):
            name = f"bad{number}"
            install_plugins(site, f"bvf-{name}", entry.format(name=name), {f"{name}_module": text})
        return lambda *arguments: process(*arguments, cold=True, variables=variables)

    return lay


def test_names_of_bvf_stay_with_bvf_and_the_others_are_reached_by_full_names(beside, process, tmp_path):
    alone = process(*RUN, "--out", "alone")
    bvf = beside([text for text, *_ in CLASHES.values()] + list(QUIET.values()))
    done = bvf(*RUN, "--out", "beside")
    assert (done.returncode, done.stdout.replace("beside", "alone")) == (0, alone.stdout), done.stderr
    for number, (_, said, full) in enumerate(CLASHES.values()):
        (line,) = [line for line in done.stderr.splitlines() if said in line]
        assert line.startswith("warning: ")
        assert line.endswith(f": {full}{number}")
    for arguments in (("show", "beside"), ("report", "beside", "-o", "p.html")):
        done = bvf(*arguments)
        assert (done.returncode, "bad" in done.stdout) == (0, False), done.stderr
    raw = ("--scale", "raw", "--format", "json")
    usual, mine, chosen = (
        json.loads(bvf(*arguments, *raw).stdout)
        for arguments in (
            ("analyse", "beside", "--criterion", "linf"),
            ("analyse", "beside", "--criterion", "linf@bad0"),
            (*RUN, "--plugin", "bad0", "--out", "chosen"),
        )
    )
    assert "bad" not in json.dumps(usual)
    assert (usual["criterion"], mine["criterion"], chosen["criterion"]) == ("linf", "linf@bad0", "linf@bad0")
    assert mine["R"] == chosen["R"] == pytest.approx(3 * usual["R"])


def test_entry_points_of_bvf_cannot_be_shadowed(beside):
    bvf = beside([offering("languages", '"zh", made', BREAKS)], ["[bvf]\nzh = {name}_module\ncore = {name}_module\n"])
    listed = {row["name"]: row for row in json.loads(bvf("plugins", "--format", "json").stdout)}
    assert listed["zh"]["distribution"] == listed["core"]["distribution"] == "bvf"
    assert listed["zh@bvf-bad0"]["problem"] == "its module bad0_module is that of the plugin core@bvf-bad0"
    done = bvf("languages", "show", "zh")
    assert (done.returncode, "zh@bvf-bad0" in done.stderr, "Chinese" in done.stdout) == (0, True, True)


def test_entries_that_cannot_be_read_take_nothing_away(beside):
    bvf = beside(["", "", ""], ("[bvf]\nx =\n", "[bvf]\nx = .a\ny = :\n", "[bvf]\nx = \xe9"))
    assert "Commands" in bvf("--help").stdout
    done = bvf("criteria")
    assert (done.returncode, "linf" in done.stdout) == (0, True), done.stderr


def test_what_a_plugin_changes_at_import_is_put_back_and_named(beside, tmp_path):
    bvf = beside([f"{damage}\n{CRITERION.replace('linf', f'own{n}')}" for n, damage in enumerate(DAMAGE.values())])
    done = bvf(*RUN, "--out", "g4")
    assert (done.returncode, (tmp_path / "g4" / "result.json").is_file()) == (0, True), done.stderr
    for number, what in enumerate(DAMAGE):
        (line,) = [line for line in done.stderr.splitlines() if f"plugin bad{number} " in line]
        assert line.startswith("warning: ")
        assert what in line
    assert (len(done.stderr.splitlines()), "DEBUG" in done.stderr) == (len(DAMAGE), False)


@pytest.mark.parametrize("damage", ["torch.set_default_dtype(torch.float64)", "torch.manual_seed(3)"])
def test_what_a_plugin_changes_of_torch_is_put_back(damage, capsys):
    torch = pytest.importorskip("torch")
    torch.manual_seed(7)
    wanted = torch.rand(2).tolist()
    torch.manual_seed(7)
    with pytest.raises(SystemExit), contained(f"bad {damage}"):
        exec(f"{damage}\nraise SystemExit")
    assert torch.rand(2).tolist() == wanted
    assert f"plugin bad {damage} changed torch's" in capsys.readouterr().err


def test_what_is_missing_because_its_plugin_is_broken_says_so(beside):
    bvf = beside(["import gone\n" + offering("criteria", '"newc", made', LINF)])
    for arguments in (("run", *MODEL, "--criterion", "newc"), ("criteria", "show", "newc")):
        done = bvf(*arguments)
        assert (done.returncode, done.stderr) == (
            2,
            'error: there is no criterion "newc"\n hint: plugin bad0 offers this, and could not be loaded: '
            "ModuleNotFoundError: No module named 'gone'\n",
        )
