"""A plugin that names a module which moved says where it is now."""

import shutil
from pathlib import Path

import pytest

from bvf.errors import PluginError
from bvf.hooks.loader import load
from bvf.hooks.moved import moved
from bvf.hooks.provider import Provider, imported

FROZEN = Path(__file__).resolve().parents[1] / "frozen" / "bvf-frozen-1" / "bvf_frozen_1"
GONE = {
    "from bvf.stats import AfterThoughts, ": "; bvf.stats.AfterThoughts is bvf_texts.stats.thoughts.AfterThoughts now",
    "import bvf.export\nfrom bvf.stats import ": "No module named 'bvf.export'; bvf.export is bvf_report.export now",
    "from bvf.stats import Gone, ": "cannot import name 'Gone' from 'bvf.stats'",
}


def test_a_plugin_of_before_is_refused_with_the_name_that_changed(tmp_path):
    file = tmp_path / "before.py"
    file.write_text("from bvf.testing import criterion_checks\n")
    with pytest.raises(PluginError, match=r"No module named 'bvf\.testing'; bvf\.testing is bvf_testing now"):
        load(extra=[file])


def test_what_a_provider_names_is_looked_up_too():
    with pytest.raises(PluginError, match=r"bvf\.analyses\.explain is bvf_insights\.explain now"):
        Provider("x", "bvf.analyses.explain.analysis:explain").load()


@pytest.mark.parametrize("new", sorted(set(moved().values())))
def test_the_new_name_is_there(new):
    package, _, module = new.rpartition(".")
    assert imported(f"{package}:{module}" if package else f"{new}:__doc__")


@pytest.mark.parametrize("asked", GONE)
def test_a_frozen_package_that_asks_for_a_name_that_is_gone_gets_one_line(process, tmp_path, asked):
    parts = Path(shutil.copytree(FROZEN, tmp_path / "site" / FROZEN.name)) / "parts.py"
    parts.write_text(parts.read_text().replace("from bvf.stats import ", asked))
    run = ("run", "--plugin", FROZEN.name, "--engine", "local", "--criterion", "frozen-mean")
    done = process(*run, "--model", "baseline:random", variables={"PYTHONPATH": str(tmp_path / "site")})
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: frozen-mean: cannot import bvf_frozen_1.parts:Mean: ")
    assert (done.returncode, GONE[asked] in line) == (2, True)
