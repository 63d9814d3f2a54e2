"""Several models in one command: what is done, what is said of those that fail, and how each is configured."""

import re

import pytest

import bvf
from bvf.terminal.options import configs_of_models

FEW = ("--limit-groups", "4", "--limit-contexts", "3")
MODELS = """
limit_groups = 4
limit_contexts = 3
dtype = "float32"

[[model]]
name = "toy:hash"
backend = "toy"

[[model]]
name = "bundled:en-causal"
label = {size = "3b"}
[model.backend]
word_boundary = true
dtype = "bfloat16"
"""


def test_four_models_the_third_misspelt(tmp_path, process, toy):
    names = ("baseline:random", "toy:hash", "baseline:unbaised", "baseline:unbiased")
    models = [word for name in names for word in ("--model", name)]
    done = process("run", "--plugin", toy, *models, *FEW, "--details", "--quiet")
    assert done.returncode == 1, done.stderr
    failed, *rest = done.stderr.splitlines()
    assert re.fullmatch(r"failed: baseline:unbaised: there is no reference model.*did you mean unbiased\?", failed)
    assert rest[0] == "error: 1 of 4 runs failed"
    assert len(rest) == 2
    assert len(list(tmp_path.rglob("result.json"))) == 3
    of_all, side_by_side = done.stdout.split("\n\ngroups side by side")
    assert [name in of_all for name in names] == [True, True, False, True]
    assert side_by_side.splitlines()[2].split() == ["group", "baseline:random", "toy:hash", "baseline:unbiased"]
    assert side_by_side.count("results: runs/") == 3


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_names_are_checked_before_a_model_is_asked(command, toy, here, monkeypatch):
    run = ("run", "--plugin", toy, *FEW, "--model")
    monkeypatch.setenv("TOY_COUNT", str(here / "asked"))
    shown = command(*run, "toy:a", "--model", "toy:b", "--topic", "gendre")
    assert (shown.code, shown.err.splitlines()[0]) == (2, 'error: there is no topic "gendre"')
    assert not (here / "asked").exists()
    shown = command(*run, "toy:hash", "--model", "toys:b")
    lines = shown.err.splitlines()
    assert shown.code == 1
    assert lines[0].startswith("left out: toys:b: ")
    assert lines[-3].startswith("failed: toys:b: ")
    shown = command(*run, "baseline:a", "--model", "toys:b")
    assert (shown.code, shown.out) == (2, "")
    assert "none of 2 runs can begin: baseline:a: " in shown.err
    monkeypatch.setenv("TOY_COUNT", str(here))  # a folder: the toy fails when it writes there
    shown = command(*run, "toy:a", "--model", "baseline:random", "--format", "json")
    assert (shown.code, [each["model"] for each in shown.json]) == (1, ["baseline:random"])
    assert re.search(r"^failed: toy:a: .*IsADirectoryError", shown.err, re.MULTILINE)


def test_every_model_has_options_of_its_own(tmp_path):
    file = tmp_path / "run.toml"
    file.write_text(MODELS)
    first, second = configs_of_models({}, file)
    assert (first.model, first.backend) == ("toy:hash", "toy")
    assert (first.backend_options, first.label) == ({"dtype": "float32"}, {})
    assert second.backend_options == {"dtype": "bfloat16", "word_boundary": True}
    assert second.label == {"size": "3b"}
    assert first.limit_groups == second.limit_groups == 4
    over = configs_of_models({"dtype": "float16", "out": "o"}, file)
    assert [each.backend_options["dtype"] for each in over] == ["float16", "float16"]
    assert [each.out for each in over] == ["o/toy-hash", "o/bundled-en-causal"]
    assert over[1].backend_options["word_boundary"] is True
    (alone,) = configs_of_models({"model": ["baseline:random"]}, file)
    assert alone.backend_options == {"dtype": "float32"}
    assert alone.backend == ""


def test_a_list_of_models_in_python(toy, here):
    models = ["toy:hash", "toys:b", {"name": "baseline:unbiased", "label": {"kind": "fair"}}]
    with pytest.warns(UserWarning, match=r'^toys:b: .*there is no backend "toys"'):
        runs = bvf.run(model=models, plugin=toy, limit_groups=4, limit_contexts=3)
    assert [each.model for each in runs] == ["toy:hash", "baseline:unbiased"]
    assert [each.model for each in runs.failures] == ["toys:b"]
    assert "failed: toys:b" in repr(runs)
    assert "FAILED: toys:b" in (runs[:]._repr_html_() or "") or "FAILED: toys:b" in (runs._repr_html_() or "")
    assert set(runs.to_frame()["model"]) == {"toy:hash", "baseline:unbiased"}
    alone = bvf.run(model="toy:hash", plugin=toy, limit_groups=4, limit_contexts=3)
    assert alone.R == runs[0].R
    with pytest.raises(bvf.BvfError, match='the model "toy:hash" occurs 2 times'):
        bvf.run(model=["toy:hash", "toy:hash"])


def test_groups_side_by_side_are_those_of_each_result(command, toy, here):
    models = ("--model", "toy:hash", "--model", "baseline:random")
    shown = command("run", "--plugin", toy, *models, *FEW, "--rank", "risk", "--show", "all", "--details")
    table = shown.out.split("groups side by side: r, highest on average first")[1].split("\n\n")[1]
    rows = {row.split()[0]: [float(cell) for cell in row.split()[1:]] for row in table.splitlines()[2:]}
    assert len(rows) == 4
    for place, name in enumerate(("toy:hash", "baseline:random")):
        result = bvf.run(model=name, plugin=toy, limit_groups=4, limit_contexts=3)
        for group in result.groups:
            assert rows[group.group][place] == pytest.approx(group.r, abs=5e-5)
    means = [sum(row) for row in rows.values()]
    assert means == sorted(means, reverse=True)
