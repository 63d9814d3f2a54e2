"""The two Chinese scripts: distinguished, never mixed in a prompt, and both worded by the same rules."""

from importlib.resources import files

import bvf_zh.rules
import pytest
from bvf_zh.rules import Chinese, traditional_in

from bvf import BvfError
from bvf.domain.context import Template


def left(template: str, group: str) -> str:
    return Chinese().prompt(Template(template), group).left


def test_nothing_in_the_pack_is_traditional():
    pack = files("bvf_zh")
    texts = [*(pack / "topics").iterdir(), *(pack / "contexts").iterdir(), pack / "mining" / "lexicon.toml"]
    assert not any(traditional_in(file.read_text("utf-8")) for file in texts if file.name.endswith((".toml", ".csv")))


@pytest.mark.parametrize(
    ("template", "group", "named"),
    [("這位[X]說[Y]", "医生", r"traditional characters \(這說\) beside simplified ones \(医\)"),
     ("这位[X]说[Y]", "醫生", r"traditional characters \(醫\) beside simplified ones \(这说\)"),
     ("這位[X]说[Y]", "作者", r"traditional characters \(這\) beside simplified ones \(说\)")],
)  # fmt: skip
def test_both_scripts_in_one_prompt_are_refused_by_their_characters(template, group, named):
    with pytest.raises(BvfError, match=named) as refused:
        left(template, group)
    assert "opencc -c t2s.json" in refused.value.hint


@pytest.mark.parametrize(
    ("template", "group", "right"),
    [("這位[X]說[Y]", "醫生", "這位醫生說"), ("這位[X]說[Y]", "醫生們", "醫生們說"),
     ("這位[X]說[Y]", "騙子", "這個騙子說"), ("這個[X]說[Y]", "醫院", "這家醫院說"), ("這個[X]叫[Y]", "貓", "這隻貓叫"),
     ("兩位[X]說[Y]", "孩子", "兩個孩子說"), ("這位[X]說[Y]", "所有醫生", "所有醫生說")],
)  # fmt: skip
def test_traditional_templates_are_worded_as_simplified_ones_are(template, group, right):
    assert left(template, group) == right
    assert bvf_zh.rules.simplified(right) == left(*map(bvf_zh.rules.simplified, (template, group)))


def test_the_miner_names_sentences_in_traditional_characters(tmp_path, capsys):
    from bvf_mining.job import mine

    corpus = tmp_path / "mixed.txt"
    corpus.write_text("醫生說他明天不來了。\n\n护士承认她错了。\n", "utf-8")
    (mined,) = mine(corpus=str(corpus), out=str(tmp_path / "mixed.csv"), lang="zh", workers=1)
    (rule,) = [rule for rule in mined.counts.dropped if rule.startswith("in traditional characters")]
    assert (mined.counts.sentences, mined.counts.dropped[rule], mined.counts.kept) == (2, 1, 1)
