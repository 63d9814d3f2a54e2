"""What the hooks offer."""

import json
import os
import subprocess

import bvf_zh
import pytest
from bvf_zh.rules import Chinese
from helpers.warm import warm_bvf

from bvf.interfaces.language import Language


def test_the_language_has_defaults_that_the_pack_offers():
    (provider,) = bvf_zh.bvf_languages()
    language = provider.load()()
    assert isinstance(language, Language)
    assert (provider.name, language.code) == ("zh", "zh")
    assert language.default_topic in {topic.name for topic in bvf_zh.bvf_topics()}
    assert language.default_model.removeprefix("bundled:") in {model.name for model in bvf_zh.bvf_models()}


@pytest.mark.parametrize("provider", bvf_zh.bvf_models(), ids=lambda provider: provider.name)
def test_a_model_is_the_folder_of_its_name_inside_the_pack(provider):
    folder = provider.load()()
    assert folder.path.parts[-3:] == ("bvf_zh", "models", provider.name)
    assert (folder.summary, folder.language) == (provider.summary, "zh")


def test_every_topic_and_every_group_can_be_asked_about():
    contexts = {provider.name: provider.load()() for provider in bvf_zh.bvf_contexts()}
    for provider in bvf_zh.bvf_topics():
        topic = provider.load()()
        for template in contexts[topic.contexts].templates:
            prompts = [Chinese().prompt(template, group) for group in topic.groups]
            texts = [prompt.left + prompt.right_to_group for prompt in prompts]
            assert [p.group for p, text in zip(prompts, texts, strict=True) if text.count(p.group) != 1] == []
            assert [text for text in texts if " " in text] == []
            right = template.text.partition("[Y]")[2]
            assert [p.right for p in prompts if p.right != right.replace("[X]", p.group)] == []
            assert {prompt.spaced for prompt in prompts} == {False}


@pytest.mark.parametrize("hook", ["bvf_languages", "bvf_topics", "bvf_contexts", "bvf_models"])
def test_everything_is_marked_as_chinese(hook):
    assert {provider.language for provider in getattr(bvf_zh, hook)()} == {"zh"}


def call(folder, *arguments):
    """Run ``bvf`` from the command line."""
    process = subprocess.run(
        [*warm_bvf(), *arguments],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


def columns_of(text):
    """The display width of a text. A Chinese character takes two columns."""
    return sum(2 if "\u2e80" <= char <= "\uffef" else 1 for char in text)


def test_lang_zh_is_all_that_needs_to_be_said(tmp_path):
    first = call(tmp_path, "run", "--lang", "zh", "--limit-groups", "8", "--limit-contexts", "8", "--show", "8", "-q")
    folder = first.split("bvf show --details ")[1].strip()
    details = call(tmp_path, "show", "--details", "--show", "8", folder)
    assert details.split("results: ")[1].strip() == folder
    for printed in (first, details):
        assert_groups_have_meanings_in_aligned_columns(printed)
    result = json.loads((tmp_path / folder / "result.json").read_text(encoding="utf-8"))
    topic = next(provider for provider in bvf_zh.bvf_topics() if provider.name == "gender").load()()
    assert 0 < result["R"] <= 1
    assert len(result["groups"]) == 8
    assert all(group["gloss"] == topic.glosses[group["group"]] for group in result["groups"])


def assert_groups_have_meanings_in_aligned_columns(printed):
    lines = printed.splitlines()
    assert "Discrimination risk: gender (zh)" in lines[0]
    assert "bundled:zh-causal" in printed
    assert max(map(columns_of, lines)) <= 80
    start = next(index for index, line in enumerate(lines) if line.startswith(" group "))
    heading, rows = lines[start], lines[start + 2 : start + 10]
    topic = next(provider for provider in bvf_zh.bvf_topics() if provider.name == "gender").load()()
    named = dict(row.split(maxsplit=1) for row in rows)
    assert len(named) == 8
    assert all(rest.startswith(topic.glosses[group]) for group, rest in named.items())
    assert {columns_of(row) for row in rows} == {columns_of(heading)}
    for row in rows:
        assert columns_of(row[: row.index(row.split()[1])]) == heading.index("meaning")


@pytest.mark.parametrize(
    "topic", sorted(provider.name for provider in bvf_zh.bvf_topics() if provider.name != "gender")
)
def test_the_masked_model_answers_every_topic(tmp_path, topic):
    few = ("--limit-groups", "3", "--limit-contexts", "3", "--format", "json")
    printed = call(tmp_path, "run", "--lang", "zh", "--topic", topic, "--model", "bundled:zh-masked", *few)
    result = json.loads(printed)
    assert (result["topic"], result["language"], result["missing"]) == (topic, "zh", 0)
    assert 0 <= result["R"] <= 1


def test_a_topic_is_shown_with_its_glosses(tmp_path):
    printed = call(tmp_path, "topics", "show", "gender", "--lang", "zh")
    assert "会计 accountant, 建筑师 architect" in printed
    assert max(map(columns_of, printed.splitlines())) <= 80
