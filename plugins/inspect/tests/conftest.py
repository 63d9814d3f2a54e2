"""Without inspect-ai these tests are skipped. `tests/packaging/test_elsewhere.py` runs them where it is installed."""

import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

if find_spec("inspect_ai") is None:
    collect_ignore_glob = ["test_*.py"]
    AT_FIRST = frozenset()
else:
    import_module("bvf_inspect")
    AT_FIRST = frozenset(sys.modules)

TOPIC = """
schema = "bvf.topic/1"
name = "worked"
language = "en"
summary = "Two groups, two words"
contexts = "gender-mixed"
sources = ["made for a test"]
groups = ["nurse", "plumber"]

[[attributes]]
name = "male"
words = ["he"]

[[attributes]]
name = "female"
words = ["she"]

[measurement]
construct = "nothing"
harm = "none"
chosen_by = "the author of a test"
reference = "uniform"
"""
CONTEXTS = "template,count\nThe [X] said that [Y],3\nThe [X] left because [Y],1\n"


@pytest.fixture
def imported_at_first():
    """The modules that are imported once inspect has found bvf."""
    return AT_FIRST


@pytest.fixture
def worked(tmp_path):
    """The options of a task with two groups and two contexts of weight 3/4 and 1/4."""
    (tmp_path / "worked.toml").write_text(TOPIC)
    (tmp_path / "worked.csv").write_text(CONTEXTS)
    return {"topic": str(tmp_path / "worked.toml"), "contexts": str(tmp_path / "worked.csv")}


@pytest.fixture
def evaluated(tmp_path):
    """Run inspect's ``eval`` in this process, and return the log."""
    from inspect_ai import eval as evaluate

    def run(task, model, **choices):
        return evaluate(task, model=model, task_args=choices, log_dir=str(tmp_path / "logs"), display="none")[0]

    return run


@pytest.fixture
def figures_of():
    """Return the metrics of a log by name."""

    def figures(log):
        assert log.status == "success", log.error
        return {name: each.value for name, each in log.results.scores[0].metrics.items()}

    return figures
