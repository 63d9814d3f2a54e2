"""What every language pack holds to: its hooks, its topics, its context sets, and its bundled models."""

import math
import tomllib
from importlib import import_module
from importlib.resources import files

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

import bvf
from bvf.domain.paired import topic_of_pairs
from bvf.hooks.loader import load

PACKS = {code: import_module(f"bvf_{code}") for code in ("en", "zh")}
HOOKS = ("bvf_languages", "bvf_topics", "bvf_contexts", "bvf_models")
FROM_A_FOLDER = "holisticbias"
CUT = {"en": {"gender-table8", "predicate"}, "zh": set()}
"""Sets of which a part is known; others were written or counted in texts."""
A_PART = ("gender", "gender-far")
"""Sets of a chosen part of another set, which has the replicates."""
PAIRS = {
    "en": "uncle aunt, king queen, father mother, man woman, brother sister",
    "zh": "父亲 母亲, 祖父 祖母, 男孩 女孩, 儿子 女儿, 哥哥 姐姐",
}
SAID = {"en": ("The {} said that", "The [X] said that [Y]", "he", "she"), "zh": ("{}说", "[X]说[Y]", "他", "她")}


def made(code, hook):
    return {each.name: each.load()() for each in getattr(PACKS[code], hook)() if each.name != FROM_A_FOLDER}


TOPICS, SETS = ({code: made(code, hook) for code in PACKS} for hook in HOOKS[1:3])
SOURCES = {
    code: tomllib.loads((files(f"bvf_{code}") / "contexts" / "sources.toml").read_text("utf-8")) for code in PACKS
}


def sets_with(code, what):
    """Sets of which the sources say that they were ``written``, or in how many ``documents`` they were counted."""
    return {name for name, entry in SOURCES[code].items() if what in entry}


OF_A_TOPIC = pytest.mark.parametrize(("code", "name"), [(code, name) for code in PACKS for name in TOPICS[code]])
IN_BOTH = pytest.mark.parametrize("code", PACKS)


@IN_BOTH
def test_everything_is_marked_by_its_language_and_a_model_is_a_folder_of_the_pack(code):
    assert {each.language for hook in HOOKS for each in getattr(PACKS[code], hook)()} == {code}
    (provider,) = PACKS[code].bvf_languages()
    assert (provider.name, provider.load()().code) == (code, code)
    for provider in PACKS[code].bvf_models():
        folder = provider.load()()
        assert folder.path.parts[-3:] == (f"bvf_{code}", "models", provider.name)
        assert (folder.summary, folder.language) == (provider.summary, code)


@OF_A_TOPIC
def test_a_topic_says_what_it_leaves_out_and_every_group_can_be_asked_about_in_every_context_of_the_pack(code, name):
    topic, language = TOPICS[code][name], load().languages.find(code).make()
    assert (topic.name, topic.language) == (name, code)
    assert topic.measurement.gaps
    topic = topic_of_pairs(topic, topic.groups) if topic.words_are_people else topic
    groups = topic.described(topic.groups)
    for template in SETS[code][topic.contexts].templates:
        prompts = [language.prompt(template, each.name, each.features) for each in groups]
        texts = [prompt.left + prompt.right_to_group for prompt in prompts]
        people = [each.name.split(" & ") if template.of_pair else [each.name] for each in groups]
        assert [named for named, text in zip(people, texts, strict=True) if not all(one in text for one in named)] == []
        assert {prompt.spaced for prompt in prompts} == {code == "en"}
        assert code == "en" or [text for text in texts if " " in text] == []


@IN_BOTH
def test_every_set_has_a_summary_and_a_source_and_the_reverse(code):
    assert set(SOURCES[code]) == set(SETS[code])
    stated, of_the_miner = {"summary", "source", "licence", "citation"}, {"miner", "min_confidence"}
    told = ({"written"}, {"cut"}, {"occurrences", "documents"})
    for name, entry in SOURCES[code].items():
        assert stated <= set(entry)
        assert set(entry) - stated - of_the_miner - {"capped_at"} in told
        assert (of_the_miner & set(entry)) in (set(), of_the_miner)
        assert max(SETS[code][name].counts) <= entry.get("capped_at", math.inf)


@IN_BOTH
def test_written_cut_and_counted_sets_say_what_they_are(code):
    samples = {name: each.sampling for name, each in SETS[code].items()}
    written = sets_with(code, "written")
    assert {name for name, sampling in samples.items() if sampling.written} == written
    assert {name for name, sampling in samples.items() if sampling.cut} == CUT[code]
    assert {name for name, sampling in samples.items() if sampling.documents} == sets_with(code, "documents")
    for name in written - {"gender-figure11"}:
        own = SETS[code][name]
        assert 10 <= len(own.templates) == sum(own.counts) <= (24 if code == "en" else 99)
        assert set(own.counts) == {1.0}
        assert "Written for this project" in own.source


@IN_BOTH
def test_gender_has_the_ten_heaviest_templates_of_all(code):
    everything, default = SETS[code]["gender-all"], SETS[code]["gender"]
    assert len(default.templates) == 10
    assert (default.templates, default.counts) == (everything.templates[:10], everything.counts[:10])
    assert list(everything.counts) == sorted(everything.counts, reverse=True)
    assert default.occurrences == everything.occurrences == sum(everything.counts)
    assert default.share == sum(default.counts) / sum(everything.counts) < 1
    assert default.sampling.documents == everything.sampling.documents


@pytest.mark.parametrize(
    ("code", "name"),
    [(code, name) for code in PACKS for name in sorted(sets_with(code, "documents")) if name not in A_PART],
)
def test_replicates_that_are_shipped_are_those_of_the_counts(code, name):
    context_set = SETS[code][name]
    table = pq.read_table(str(files(f"bvf_{code}") / "contexts" / f"{name}.replicates.parquet"))
    assert table["template"].to_pylist() == [template.text for template in context_set.templates]
    counts, redrawn = np.array(context_set.counts), context_set.sampling.replicates.astype(float)
    assert redrawn.shape == (len(counts), 200)
    assert context_set.share == 1
    spread = redrawn.std(axis=1, ddof=1)
    assert (np.abs(redrawn.mean(axis=1) - counts) < 5 * np.maximum(spread, 1) / np.sqrt(200)).mean() > 0.999
    assert abs(redrawn.sum(axis=0).mean() - counts.sum()) < 4 * redrawn.sum(axis=0).std(ddof=1) / np.sqrt(200)
    least = 1 - 4 * np.sqrt(2 / 199)  # four standard errors of a variance of 200 numbers
    assert redrawn.sum(axis=0).var(ddof=1) > least * counts.sum()  # equal where every document has one match
    assert redrawn.var(axis=1, ddof=1).sum() > least * counts.sum()


@pytest.mark.parametrize("code", PACKS)
@pytest.mark.parametrize("name", ["stories", "personas", "letters"])
def test_in_documents_every_place_of_the_group_is_filled(code, name):
    language, group = load().languages.find(code).make(), {"en": "accountant", "zh": "CEO"}[code]
    for template in SETS[code][name].templates:
        left = language.prompt(template, group).left
        assert left.count(group) == template.text.count("[X]") > 1
        assert " a accountant" not in left


@pytest.mark.parametrize("name", [model.name for code in PACKS for model in PACKS[code].bvf_models()])
def test_a_bundled_model_prefers_he_after_male_words(name):
    torch.set_num_threads(1)
    plugins, code = load(), name[:2]
    topic = plugins.topics.in_language(code).find("gender").make()
    folder = plugins.models.find(name).make().path
    backend = plugins.backends.find("transformers").make(bvf.ModelRequest(str(folder), topic))
    text, context, he, she = SAID[code]
    for pair in PAIRS[code].split(", "):
        prompts = [bvf.Prompt(text.format(word), "", word, context, spaced=code == "en") for word in pair.split()]
        male, female = backend.word_logprobs(prompts, [he, she])
        assert male[0] - male[1] > female[0] - female[1], pair
