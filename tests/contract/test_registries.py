"""Everything that comes with the project, taken from the registries, against every check of the kit."""

from importlib.metadata import entry_points

import pytest
import torch

import bvf
from bvf.hooks.loader import load
from bvf.testing import (
    analysis_checks,
    assert_light_import,
    backend_checks,
    contexts_checks,
    criterion_checks,
    engine_checks,
    language_checks,
    topic_checks,
)

PLUGINS = load()
FROM_A_FOLDER = "pararel"  # needs a folder of the user's; tested where it lives
SPECS = {
    "linf": ["linf"],
    "lk": ["lk:1", "lk:2", "lk:7"],
    "direction": ["direction:male"],
    "released": ["released:a", "released:b"],
    **{name: [name] for name in ("tv", "hellinger", "kl", "js", "chi2")},
    "knowledge": ["knowledge:sqrt", "knowledge:log", "knowledge:power=0.3", "knowledge:power=1"],
}
TEMPLATES = {
    "en": ("The [X] said that [Y]", "a [X] and [Y] left", "[X]s know that [Y]", "It was [Y], not the [X]."),
    "zh": ("[X]说[Y]", "这位[X]认为[Y]很忙。", "一名[X]表示,[Y]", "[Y]是[X]"),
}
GROUPS = {"en": ("engineer", "nurse", "MP", "university teacher"), "zh": ("医生", "孩子", "医生们", "大学", "CEO")}
ASKED = {
    "en": (("he", "she", "father", "grandmother"), ("nurse", "truck driver", "engineer")),
    "zh": (("他", "她", "父亲", "母亲"), ("护士", "司机", "工程师")),
}


def each(made):
    return [pytest.param(check, id=f"{name}-{check}") for name, checks in made for check in checks]


def criteria():
    for spec in (spec for specs in SPECS.values() for spec in specs):
        criterion = PLUGINS.criteria.make(spec)
        if spec.startswith("direction"):
            yield spec, criterion_checks(criterion.for_classes(("male", "female")), classes=[2])
        else:
            yield spec, criterion_checks(criterion)


def of(registry, checks):
    for entry in registry:
        if entry.provider.name != FROM_A_FOLDER:
            yield f"{entry.provider.language}-{entry.provider.name}", checks(entry.make())


@pytest.mark.parametrize("check", each(criteria()))
def test_criteria(check):
    check()


def test_every_criterion_is_among_them():
    assert set(SPECS) == set(PLUGINS.criteria.names())


@pytest.mark.parametrize("check", each(of(PLUGINS.analyses, analysis_checks)))
def test_analyses(check):
    check()


@pytest.mark.parametrize("check", each(of(PLUGINS.topics, topic_checks)))
def test_topics(check):
    check()


@pytest.mark.parametrize("check", each(of(PLUGINS.contexts, contexts_checks)))
def test_contexts(check):
    check()


@pytest.mark.parametrize("check", each(of(PLUGINS.engines, engine_checks)))
def test_engines(check):
    check()


@pytest.mark.parametrize(
    "check",
    each((code, language_checks(PLUGINS.languages.make(code), TEMPLATES[code], GROUPS[code])) for code in ASKED),
)
def test_languages(check):
    check()


def test_every_language_is_among_them():
    assert set(ASKED) == set(PLUGINS.languages.names())


@pytest.mark.parametrize(
    "module", sorted(point.value for point in entry_points(group="bvf") if point.dist.name == "bvf")
)
def test_plugins_cost_nothing_to_import(module):
    assert_light_import(module)


def prompts_and_words(code):
    language, (words, groups) = PLUGINS.languages.make(code), ASKED[code]
    return [language.prompt(bvf.Template(t), group) for t in TEMPLATES[code][:2] for group in groups], words


def questions(name):
    """Backend, model and language, for every backend that reads models and every bundled model that it can read."""
    kind = name.partition("-")[2]
    backends = {"causal": ["causal", "llama"], "masked": ["masked"], "seq2seq": ["seq2seq"]}[kind]
    return [(backend, name) for backend in ["transformers", *backends]]


@pytest.mark.parametrize(("backend", "model"), [pair for name in PLUGINS.models.names() for pair in questions(name)])
def test_backends_on_bundled_models(backend, model):
    torch.set_num_threads(1)
    folder = PLUGINS.models.find(model).make()
    topic = PLUGINS.topics.in_language(folder.language).find("gender").make()
    entry, request = PLUGINS.backends.find(backend), bvf.ModelRequest(str(folder.path), topic)
    described = entry.described(request)
    for check in backend_checks(entry.make(request), *prompts_and_words(folder.language), description=described):
        check()


@pytest.mark.parametrize("name", ["unbiased", "stereotyped", "random"])
def test_reference_models(name):
    topic = PLUGINS.topics.in_language("en").find("gender").make()
    made = PLUGINS.backends.find("baseline").make(bvf.ModelRequest(name, topic))
    for check in backend_checks(made, prompts_and_words("en")[0], ("he", "she", "father", "mother")):
        check()


def test_every_backend_is_among_them():
    """Permutation has no bundled model, and openai a server: the tests of their plugins run the kit on one."""
    tried = {backend for name in PLUGINS.models.names() for backend, _ in questions(name)}
    assert tried | {"baseline", "permutation", "openai"} == set(PLUGINS.backends.names())
