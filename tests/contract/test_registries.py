"""Everything that comes with the project, taken from the registries, against every check of the kit."""

import os
from importlib.metadata import entry_points

import numpy as np
import pytest
import torch
from bvf_testing import (
    analysis_checks,
    assert_light_import,
    backend_checks,
    contexts_checks,
    criterion_checks,
    engine_checks,
    language_checks,
    topic_checks,
)
from bvf_testing.check import problem_of
from helpers.two_people import two_people

import bvf
from bvf.hooks.loader import load

PLUGINS = load()
FROM_A_FOLDER = {"documents", "holisticbias", "pararel", "winobias", "winogender"}
"""What needs a folder of the user's is tested where it lives."""
SPECS = {
    "linf": ["linf"],
    "lk": ["lk:1", "lk:2", "lk:7"],
    "direction": ["direction:male"],
    "impact": ["impact", "impact:top=10%,by=sex"],
    "cues": ["cues", "cues:by=sex,cue=mention"],
    "pairs": ["pairs"],
    "released": ["released:a", "released:b"],
    **{name: [name] for name in ("tv", "hellinger", "kl", "js", "chi2")},
    "knowledge": ["knowledge:sqrt", "knowledge:log", "knowledge:power=0.3", "knowledge:power=1"],
}
TEMPLATES = {
    "en": ("The [X] said that [Y]", "a [X] and [Y] left", "[X]s know that [Y]", "It was [Y], not the [X]."),
    "zh": ("[X]说[Y]", "这位[X]认为[Y]很忙。", "一名[X]表示,[Y]", "[Y]是[X]"),
}
TEMPLATES["es"] = ("El [X] dijo que [Y]", "Vimos a una [X] y [Y] se fue", "Era [Y], no el [X].")
GROUPS = {"en": ("engineer", "nurse", "MP", "university teacher"), "zh": ("医生", "孩子", "医生们", "大学", "CEO")}
GROUPS["es"] = ("dentista", "águila", "médico de familia")
ASKED = {
    "en": (("he", "she", "father", "grandmother"), ("nurse", "truck driver", "engineer")),
    "zh": (("他", "她", "父亲", "母亲"), ("护士", "司机", "工程师")),
    "es": (("él", "ella", "padre", "abuela"), ("dentista", "taxista", "artista")),
}


KINDS = {"analyses": analysis_checks, "topics": topic_checks, "contexts": contexts_checks, "engines": engine_checks}
"""The checks of what is made without anything else, by its registry."""
TWO_PEOPLE = two_people(np.random.default_rng(0).normal(size=(3, 3, 12))), {"pairs": PLUGINS.criteria.make("pairs")}
MADE = {("analyses", "pairs"): TWO_PEOPLE}
"""What is tried where the usual measurement does not fit."""
OFFERED = [
    (kind, entry) for kind in KINDS for entry in getattr(PLUGINS, kind) if entry.provider.name not in FROM_A_FOLDER
]


def problems(checks):
    return [problem for problem in map(problem_of, checks) if problem]


@pytest.mark.parametrize("spec", [spec for specs in SPECS.values() for spec in specs])
def test_criteria(spec):
    criterion = PLUGINS.criteria.make(spec)
    if spec.startswith("direction"):
        assert problems(criterion_checks(criterion.for_classes(("male", "female")), classes=[2])) == []
    else:
        assert problems(criterion_checks(criterion)) == []


def test_every_criterion_is_among_them():
    assert set(SPECS) == set(PLUGINS.criteria.names())


@pytest.mark.parametrize(
    ("kind", "entry"),
    OFFERED,
    ids=[f"{kind}-{entry.provider.language}-{entry.provider.name}" for kind, entry in OFFERED],
)
def test_what_is_offered(kind, entry):
    assert problems(KINDS[kind](entry.make(), *MADE.get((kind, entry.provider.name), ()))) == []


@pytest.mark.parametrize("code", ASKED)
def test_languages(code):
    assert problems(language_checks(PLUGINS.languages.make(code), TEMPLATES[code], GROUPS[code])) == []


def test_every_language_is_among_them():
    assert set(ASKED) == set(PLUGINS.languages.names())


MODULES = sorted(point.value for point in entry_points(group="bvf") if point.dist.name == "bvf")
TOGETHER = f"""
from importlib import import_module
from bvf.hooks.loader import KINDS
MODULES = [*map(import_module, {MODULES})]
for name in KINDS:
    globals()[name] = lambda name=name: [each for module in MODULES for each in getattr(module, name, list)()]
"""


def test_plugins_cost_nothing_to_import(tmp_path, monkeypatch):
    """All of them in one process; if something is wrong there, each in a process of its own, which names the plugin."""
    (tmp_path / "together.py").write_text(TOGETHER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    try:
        assert_light_import("together")
    except AssertionError:
        for module in MODULES:
            assert_light_import(module)
        raise


def prompts_and_words(code):
    language, (words, groups) = PLUGINS.languages.make(code), ASKED[code]
    return [language.prompt(bvf.Template(t), group) for t in TEMPLATES[code][:2] for group in groups], words


def questions(name):
    """The model with every backend that reads it; transformers, which makes the backend of the kind, with one."""
    backends = {"causal": ["causal", "llama"], "masked": ["masked"], "seq2seq": ["seq2seq", "transformers"]}
    return [(backend, name) for backend in backends[name.partition("-")[2]]]


@pytest.mark.parametrize(("backend", "model"), [pair for name in PLUGINS.models.names() for pair in questions(name)])
def test_backends_on_bundled_models(backend, model):
    torch.set_num_threads(1)
    folder = PLUGINS.models.find(model).make()
    topic = PLUGINS.topics.in_language(folder.language).find("gender").make()
    entry, request = PLUGINS.backends.find(backend), bvf.ModelRequest(str(folder.path), topic)
    described = entry.described(request)
    checks = backend_checks(entry.make(request), *prompts_and_words(folder.language), description=described)
    assert problems(checks) == []


@pytest.mark.parametrize("name", ["unbiased", "stereotyped", "random"])
def test_reference_models(name):
    topic = PLUGINS.topics.in_language("en").find("gender").make()
    made = PLUGINS.backends.find("baseline").make(bvf.ModelRequest(name, topic))
    assert problems(backend_checks(made, prompts_and_words("en")[0], ("he", "she", "father", "mother"))) == []


def test_every_backend_is_among_them():
    """Permutation and image have no bundled model, openai has a server: tests of their plugins run the kit on one."""
    tried = {backend for name in PLUGINS.models.names() for backend, _ in questions(name)}
    assert tried | {"baseline", "image", "permutation", "openai"} == set(PLUGINS.backends.names())
