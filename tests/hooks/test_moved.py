"""A plugin that names a module which moved says where it is now."""

import pytest

from bvf.errors import PluginError
from bvf.hooks.importing import imported
from bvf.hooks.loader import load
from bvf.hooks.moved import MOVED
from bvf.hooks.provider import Provider


def test_a_plugin_of_before_is_refused_with_the_name_that_changed(tmp_path):
    file = tmp_path / "before.py"
    file.write_text("from bvf.testing import criterion_checks\n")
    with pytest.raises(PluginError, match=r"No module named 'bvf\.testing'; bvf\.testing is bvf_testing now"):
        load(extra=[file])


def test_what_a_provider_names_is_looked_up_too():
    with pytest.raises(PluginError, match=r"bvf\.analyses\.explain is bvf_insights\.explain now"):
        Provider("x", "bvf.analyses.explain.analysis:explain").load()


@pytest.mark.parametrize("new", sorted(set(MOVED.values())))
def test_the_new_name_is_there(new):
    package, _, module = new.rpartition(".")
    assert imported(f"{package}:{module}" if package else f"{new}:__doc__")
