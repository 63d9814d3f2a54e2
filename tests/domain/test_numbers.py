"""Each kind of number takes what it names and nothing else, wherever it is used."""

import importlib
import importlib.util
import json
import pkgutil
from pathlib import Path
from typing import Annotated, get_args, get_origin, get_type_hints

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

import bvf
from bvf.domain.numbers import Amount, Count, Finite, Goal, Level, Positive, Share, checked_number
from bvf.errors import BvfError

PACKAGES = (
    *("bvf", "bvf_bias_benchmarks", "bvf_factors", "bvf_image_backend", "bvf_knowledge", "bvf_llama_backend"),
    "bvf_openai_backend",
)
NOT_INSTALLED = {"llama_cpp"}
WITH_OPTIONS = ("bvf_transformers.options", "bvf_ray_engine.options", "bvf_stanza.options")
NEVER = (float("nan"), float("inf"), float("-inf"), True, "3", 10**400)
"""Values that no number of a configuration or a stored file may have."""

ANSWERS = ("answers.csv", "--factors", "factors.toml")


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (Finite, [0, -1.5, 1e300, "0.2"], [float("nan"), float("inf"), "-inf", "1e400", 10**400, "x", True, None]),
        (Amount, [0, 1e300], [-0.1, float("nan"), "inf"]),
        (Share, [0, 1, 0.5, 1 + 1e-12], [-0.1, 1.1, float("nan"), "two"]),
        (Goal, [0.01, 1], [0, -0.1, 1.1, float("nan")]),
        (Count, [0, 7, "7", 2**63 - 1], [-1, 1.5, 2**63, "many", "1.5", False, float("inf")]),
        (Positive, [1, "7"], [0, -1, 1.5, True]),
    ],
)
def test_each_kind_takes_what_it_names(kind, right, wrong):
    for value in right:
        assert checked_number(value, kind, "--x") == (float(value) if isinstance(value, str) else value)
    for value in wrong:
        with pytest.raises(BvfError, match=r"^--x .*: is not a.*") as error:
            checked_number(value, kind, "--x")
        assert len(error.value.message) < 120


def test_a_level_is_a_probability_of_one_half_or_more():
    assert checked_number("0.5", Level, "--level") == 0.5
    for value in (0.49, 1, float("nan"), True):
        with pytest.raises(BvfError, match=r"^--level .*: an interval holds the truth with a probability of 0.5 to 1"):
            checked_number(value, Level, "--level")


LEFT_OUT = ("bvf_report.export.harness", "bvf_testing.scaffold")


def import_unless_missing(name: str) -> None:
    """Import a module, unless it is made for a library that the tests do not install."""
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in NOT_INSTALLED:
            raise


def models() -> list[type[BaseModel]]:
    """Every configuration, table of options and stored record of bvf and its plugins."""
    for package in map(importlib.import_module, PACKAGES):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.startswith(LEFT_OUT) and "__main__" not in module.name:
                import_unless_missing(module.name)
    for name in WITH_OPTIONS:
        if importlib.util.find_spec(name.partition(".")[0]):
            importlib.import_module(name)
    found, left = set(), [BaseModel]
    while left:
        below = [each for each in left.pop().__subclasses__() if each not in found]
        found.update(below)
        left += below
    named = (f"{bvf.__name__}.", *(f"{name}." for name in PACKAGES), *WITH_OPTIONS)
    return sorted((each for each in found if f"{each.__module__}.".startswith(named)), key=str)


def numbers_in(annotation) -> list:
    """The numbers inside an annotation, each with its kind."""
    if get_origin(annotation) is Annotated:
        inner, *_ = get_args(annotation)
        return [annotation] if inner in (int, float) else numbers_in(inner)
    if annotation in (int, float):
        return [annotation]
    return [number for each in get_args(annotation) for number in numbers_in(each)]


@pytest.mark.parametrize("model", models(), ids=lambda model: f"{model.__module__}.{model.__name__}")
def test_every_number_of_every_configuration_and_file_is_of_a_kind(model):
    for field, annotation in get_type_hints(model, include_extras=True).items():
        for number in numbers_in(annotation) if field in model.model_fields else ():
            for value in NEVER:
                assert not taken(number, value), f"{field} takes {value!r:.20}: give it a kind"


def taken(kind, value) -> bool:
    try:
        TypeAdapter(kind).validate_python(value)
    except ValidationError:
        return False
    return True


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{n},{age},{style},{n % (3 if age == 'a' else 7) == 0:d}" for age in "ab" for style in "xy" for n in range(15)
    ]
    Path("answers.csv").write_text("\n".join(["item,age,style,bad", *rows]) + "\n")
    Path("factors.toml").write_text('outcome = "bad"\ncluster = "item"\n[factors.age]\n[factors.style]\n')


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("subgroups", *ANSWERS, "--target=-1"), "--target -1: is not a number from 0 to 1"),
        (("subgroups", *ANSWERS, "--line", "inf"), "--line inf: is not a finite number"),
        (("analyse", *ANSWERS, "--level", "nan"), "--level nan: an interval holds the truth"),
        (("run", "bbq", "--model", "bundled:en-causal", "--limit-items=-1"), "--limit-items -1: is not a whole number"),
    ],
)
def test_a_number_of_another_kind_is_one_line(table, command, arguments, message):
    done = command("factors", *arguments)
    assert done.refusal.startswith(f"error: {message}")
    assert done.out == ""


def test_no_answers_have_no_figures(table, command):
    Path("none.jsonl").write_text("")
    done = command("factors", "run", "bbq", "--answers", "none.jsonl")
    assert ("none.jsonl: no answer to an item of bbq" in done.refusal, done.out) == (True, "")
    assert not Path("runs").exists()


@pytest.mark.parametrize(("field", "value"), [("rate", "inf"), ("adjusted_p", "nan")])
def test_an_edited_figure_of_factors_is_refused_by_name(table, command, field, value):
    analysis = command("factors", "analyse", *ANSWERS, "--format", "json").json
    assert edited(analysis, field, value)
    Path("edited.json").write_text(json.dumps(analysis))
    refusal = command("report", "edited.json", "-o", "page.html").refusal
    assert ("not an analysis of factors" in refusal, field in refusal) == (True, True), refusal
    assert not Path("page.html").exists()


def edited(values, field, value) -> bool:
    """Set the first figure of this name, wherever it stands, and return whether there is one."""
    if isinstance(values, list):
        return any(edited(each, field, value) for each in values)
    if not isinstance(values, dict):
        return False
    if isinstance(values.get(field), float):
        values[field] = value
        return True
    return any(edited(each, field, value) for each in values.values())
