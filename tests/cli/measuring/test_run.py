"""What is chosen on the command line counts as it was typed, or is refused."""

import pytest

from bvf import BvfError
from bvf.running.config import RunConfig
from bvf.terminal.options import configs_of_models

NOISY = """
print("hello at import")
from bvf import Provider, hookimpl
from bvf.builtin.criteria import Linf

def make():
    print("hello when made")
    return Linf()

@hookimpl
def bvf_criteria():
    print("hello in the hook")
    return [Provider("loud", make, "as linf")]
"""


def test_the_words_of_a_class_are_given_once():
    with pytest.raises(BvfError, match='the class "male" occurs twice') as error:
        configs_of_models({"words": ["male=he", "male=him"]}, None)
    assert "male=he,him" in error.value.hint
    with pytest.raises(BvfError, match='the class "male" occurs twice'):
        RunConfig.checked({"words": ["male=he", "male=him"]}, "environment")
    (config,) = configs_of_models({"words": ["male=he", "female=she"]}, None)
    assert config.words == {"male": ("he",), "female": ("she",)}


def test_context_files_of_like_names_have_folders_of_their_own():
    files = ["sub/a-b.csv", "sub-a/b.csv", "c.csv"]
    first, second, third = (config.out for config in configs_of_models({"contexts": files, "out": "o"}, None))
    assert len({first, second, third}) == 3
    assert first.startswith("o/sub-a-b.csv-")
    assert second.startswith("o/sub-a-b.csv-")
    assert third == "o/c.csv"


def test_what_a_plugin_prints_stays_out_of_the_result(command, toy, tmp_path):
    noisy = tmp_path / "noisy.py"
    noisy.write_text(NOISY)
    shown = command(
        *("run", "--plugin", toy, "--plugin", noisy, "--model", "toy:hash", "--criterion", "loud"),
        *("--limit-groups", "3", "--out", tmp_path / "out", "--format", "json"),
    )
    assert shown.code == 0, shown.err
    assert shown.json
    assert all(f"hello {when}" in shown.err for when in ("at import", "in the hook", "when made"))
