"""What the hooks offer."""

import json

import bvf_zh
import pytest

import bvf

GLOSSES = next(provider for provider in bvf_zh.bvf_topics() if provider.name == "gender").load()().glosses


def columns_of(text):
    """The display width of a text. A Chinese character takes two columns."""
    return sum(2 if "\u2e80" <= char <= "\uffef" else 1 for char in text)


def test_lang_zh_is_all_that_needs_to_be_said(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    few = ("--limit-groups", "8", "--limit-contexts", "8", "--show", "8", "-q")
    first = command("run", "--lang", "zh", *few).out
    folder = first.split("bvf show --details ")[1].strip()
    details = command("show", "--details", "--show", "8", folder).out
    assert details.split("results: ")[1].strip() == folder
    assert_groups_have_meanings_in_aligned_columns(details)
    result = json.loads((tmp_path / folder / "result.json").read_text(encoding="utf-8"))
    assert 0 < result["R"] <= 1
    assert len(result["groups"]) == 8
    assert all(group["gloss"] == GLOSSES[group["group"]] for group in result["groups"])
    assert all(f" {group['group']} ({group['gloss']})" in first for group in result["groups"])
    assert "gender (zh)" in first
    assert max(map(columns_of, first.splitlines())) <= 80


def assert_groups_have_meanings_in_aligned_columns(printed):
    lines = printed.splitlines()
    assert "bundled:zh-causal" in printed
    assert max(map(columns_of, lines)) <= 80
    start = next(index for index, line in enumerate(lines) if line.startswith(" group "))
    heading, rows = lines[start], lines[start + 2 : start + 10]
    named = dict(row.split(maxsplit=1) for row in rows)
    assert len(named) == 8
    assert all(rest.startswith(GLOSSES[group]) for group, rest in named.items())
    assert {columns_of(row) for row in rows} == {columns_of(heading)}
    for row in rows:
        assert columns_of(row[: row.index(row.split()[1])]) == heading.index("meaning")


@pytest.mark.parametrize("topic", ["names", "religion", "weekday"])
def test_the_masked_model_answers_other_topics(tmp_path, topic):
    few = {"limit_groups": 3, "limit_contexts": 3, "out": str(tmp_path)}
    result = bvf.run(lang="zh", topic=topic, model="bundled:zh-masked", **few)
    assert (result.topic, result.language, result.missing) == (topic, "zh", 0)
    assert 0 <= result.R <= 1


def test_a_topic_is_shown_with_its_glosses(command):
    printed = command("topics", "show", "gender", "--lang", "zh").out
    assert "会计 accountant, 建筑师 architect" in printed
    assert max(map(columns_of, printed.splitlines())) <= 80
