"""Models that bvf loads. The figures that inspect logs equal those of `bvf run`."""

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import anyio
import numpy as np
import pytest
from bvf_factors.reading.logs.recognising import rows_of
from bvf_inspect.models import BvfModel
from inspect_ai import Task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, GenerateConfig

import bvf
from bvf.errors import BvfError
from bvf.interfaces.backend import Backend

CLOSE = 1e-6
"""Rounding of 32 bits."""
CONTEXTS = """template,count
The [X] said that [Y],5
The [X] was a good [Y],3
The [X] knew the [Y],1
"""
IN_ORDER = ("R", "R_bias", "R_volatility")


def inspect_says(*arguments, folder):
    command = [sys.executable, "-m", "inspect_ai", *arguments, "--display", "plain"]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env={**os.environ, "COLUMNS": "100"})


def same(figures, result):
    risks = [figures[name] for name in ("R", "R^b", "R^v")]
    assert risks == pytest.approx([getattr(result, name) for name in IN_ORDER], abs=CLOSE)
    assert figures["candidate_mass"] == pytest.approx(result.candidate_mass.mean, abs=CLOSE)


def test_the_command_gives_the_figures_of_bvf_run(tmp_path):
    (tmp_path / "own.csv").write_text(CONTEXTS)
    given = {
        "contexts": "own.csv",
        "groups": "accountant,administrator,advisor",
        "criterion": "direction:male",
        "group_weights": "employment",
    }
    chosen = [part for name, value in given.items() for part in ("-T", f"{name}={value}")]
    model = ("--model", "bvf/bundled:en-causal", "-M", "device=cpu")
    logged = ("--log-format", "json", "--log-dir", str(tmp_path))
    done = inspect_says("eval", "bvf/gender", *model, *chosen, *logged, folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = tmp_path.glob("*.json")
    log = json.loads(file.read_text())
    assert log["eval"]["task"] == "bvf/gender"
    assert log["eval"]["packages"]["bvf"] == bvf.__version__
    assert log["eval"]["metadata"]["probabilities"].startswith("exact")
    figures = {name: one["value"] for name, one in log["results"]["scores"][0]["metrics"].items()}
    choices = {**given, "contexts": str(tmp_path / "own.csv")}
    result = bvf.run(model="bundled:en-causal", topic="gender", out=tmp_path / "run", mass_sample="all", **choices)
    assert result.R_volatility > 100 * CLOSE
    same(figures, result)
    assert (figures["missing"], figures["bound"]) == (0, 0)
    rows = list(rows_of(file))
    assert len(rows) == 9
    assert rows[0].values["metadata.group"] == "accountant"
    assert rows[0].values["scores.words.answer"] in {"he", "she"}
    scored = f"choices={json.dumps(log['eval']['scorers'][0]['options']['choices'])}"
    changed = ("--action", "overwrite", "--overwrite")
    done = inspect_says("score", file.name, "--scorer", "bvf/words", "-S", scored, *changed, folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (again,) = json.loads(file.read_text())["results"]["scores"]
    assert {name: one["value"] for name, one in again["metrics"].items()} == pytest.approx(figures)


def test_a_masked_model_sees_what_stands_right_of_the_word(tmp_path, evaluated, figures_of, worked):
    (tmp_path / "own.csv").write_text("template,count\nThe [X] said that [Y] left.,2\n[Y] is the [X].,1\n")
    choices = {**worked, "contexts": str(tmp_path / "own.csv"), "criterion": "lk:2"}
    log = evaluated("bvf/topic", "bvf/bundled:en-masked", **choices)
    assert log.samples[1].input[0].text == "[Y] is the nurse."
    same(figures_of(log), bvf.run(model="bundled:en-masked", out=tmp_path / "run", mass_sample="all", **choices))


@pytest.mark.parametrize(
    ("task", "choices", "said"),
    [
        ("bvf/topic", {"topic": "gendr"}, 'there is no topic "gendr"\ndid you mean gender'),
        ("bvf/gender", {"criterion": "linff"}, 'there is no criterion "linff"\ndid you mean linf'),
        ("bvf/gender", {"limit_group": 3}, "limit_groups"),
        ("bvf/gender", {"limit_groups": "many"}, 'limit_groups is "many"'),
        ("bvf/gender", {"samples": 8}, "models of bvf return probabilities"),
        ("bvf/gender", {"reference": "prior"}, "bvf run asks them"),
    ],
)
def test_a_choice_that_cannot_be_is_refused_before_anything_is_asked(task, choices, said, evaluated):
    with pytest.raises(PrerequisiteError) as refused:
        evaluated(task, "bvf/bundled:en-causal", **choices)
    assert said in str(refused.value.message)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("bundled:en-cusal", 'there is no bundled model "en-cusal"\ndid you mean en-causal'),
        ("baseline:unbiased", "bvf run --model baseline:unbiased"),
    ],
)
def test_a_model_that_cannot_be_asked_is_refused_with_a_hint(model, said, evaluated):
    with pytest.raises(PrerequisiteError) as refused:
        evaluated("bvf/gender", f"bvf/{model}", limit_groups=2)
    assert said in str(refused.value.message)


def test_other_tasks_are_told_that_a_model_of_bvf_is_not_for_them(evaluated):
    log = evaluated(Task(dataset=[Sample("How are you?")]), "bvf/bundled:en-causal")
    assert log.status == "error"
    assert "answers the questions of bvf's own tasks" in log.error.message


def test_a_question_that_cannot_be_asked_takes_no_other_with_it():
    asked = []

    class Picky(Backend):
        def score(self, prompts, words, *, absolute):
            asked.append(len(prompts))
            if any(prompt.left == "bad" for prompt in prompts):
                raise BvfError("too long")
            return np.log(np.full((len(prompts), len(words)), 0.25))

    model, said = BvfModel("picky"), {}
    model.chosen = SimpleNamespace(load=Picky)

    async def ask(left):
        prompt = {"left": left, "right": "", "group": "nurse", "context": left}
        message = ChatMessageUser(content=left, metadata={"bvf": {"prompt": prompt, "words": ["he", "she"]}})
        try:
            said[left] = (await model.generate([message], [], "none", GenerateConfig())).completion
        except BvfError as error:
            said[left] = str(error)

    async def ask_all():
        async with anyio.create_task_group() as group:
            for left in ("first", "good", "bad", "also good"):
                group.start_soon(ask, left)

    anyio.run(ask_all)
    assert said == {"first": "she", "good": "she", "bad": "too long", "also good": "she"}
    assert max(asked) > 1
