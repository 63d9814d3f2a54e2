"""Chinese wording, in either script."""

import doctest
from importlib.resources import files

import bvf_zh.rules
import pytest
from bvf_mining.job import mine
from bvf_texts.readers.words_in import finder
from bvf_zh.rules import Chinese, classifier, simplified, traditional_in
from hypothesis import example, given
from hypothesis import strategies as st

from bvf import BvfError
from bvf.domain.context import Template
from bvf.domain.topic import Attribute
from bvf.hooks.loader import load
from bvf.measuring.config import MeasureConfig
from bvf.measuring.plan import plan_of

CHINESE = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF).map(simplified), min_size=1, max_size=6)


def prompt(template: str, group: str):
    return Chinese().prompt(Template(template), group)


@pytest.mark.parametrize(
    ("template", "group", "left", "right"),
    [
        ("[X]说[Y]", "医生", "医生说", ""),
        ("[X]说[Y]", "医生们", "医生们说", ""),
        ("[X]说，[Y]来了。", "护士", "护士说，", "来了。"),
        ("这位[X]说[Y]", "医生", "这位医生说", ""),
        ("这位[X]说[Y]", "小偷", "这个小偷说", ""),
        ("这位[X]说[Y]", "孩子", "这个孩子说", ""),
        ("这位[X]说[Y]", "人", "这个人说", ""),
        ("这位[X]说[Y]", "人们", "人们说", ""),
        ("这位[X]说[Y]", "大学", "这所大学说", ""),
        ("一名[X]说[Y]", "小偷", "一名小偷说", ""),
        ("一名[X]说[Y]", "医生", "一名医生说", ""),
        ("那个[X]说[Y]", "医生", "那个医生说", ""),
        ("有一位[X]说[Y]", "骗子", "有一个骗子说", ""),
        ("有位[X]说[Y]", "老师", "有位老师说", ""),
        ("两位[X]都说[Y]", "教徒们", "教徒们都说", ""),
        ("我认识的那位[X]是[Y]", "所有医生", "我认识的所有医生是", ""),
        ("[Y]认识这位[X]。", "流氓", "", "认识这个流氓。"),
        ("单位[X]说[Y]", "小偷", "单位小偷说", ""),
        ("著名[X]说[Y]", "孩子", "著名孩子说", ""),
        ("[X]说[Y]", "CEO", "CEO说", ""),
        ("这位[X]说[Y]", "CEO", "这位CEO说", ""),
        ("NBA[X]说[Y]", "MVP", "NBA MVP说", ""),
        ("NBA[X]说[Y]", "球员", "NBA球员说", ""),
        ("2024年的[X]说[Y]", "120", "2024年的120说", ""),
        ("这位[X]和那位[X]说[Y]认识NBA[X]", "CEO", "这位CEO和那位CEO说", "认识NBA CEO"),
    ],
)
def test_a_template_is_filled(template, group, left, right):
    made = prompt(template, group)
    assert (made.left, made.right) == (left, right)
    assert (made.group, made.context, made.spaced) == (group, template, False)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("[X] 说 [Y]", "医生说[Y]"),
        ("这位 [X] 说, [Y] 。", "这位医生说，[Y]。"),
        ("[X]说:“[Y]”", "医生说：“[Y]”"),
        ("[X]来了;[Y]走了!", "医生来了；[Y]走了！"),
        ("[Y]认识[X].", "[Y]认识医生。"),
        ("[X]花了3,000元,[Y]说.", "医生花了3,000元，[Y]说。"),
        ("[X]在Apple Inc.说[Y]", "医生在Apple Inc.说[Y]"),
    ],
)
def test_punctuation_is_full_width_and_nothing_stands_between_words(written, read):
    assert str(prompt(written, "医生")) == read


def test_a_space_behind_latin_text_stays():
    made = prompt("[X] said [Y]", "医生")
    assert (made.left, made.right, made.spaced) == ("医生 said", "", True)


@pytest.mark.parametrize(
    ("groups", "classifiers"),
    [
        ("医生 护士 工人 作家 首席执行官 大学生 银行家 盲人 河南人 佛教徒 学徒 工作人员 残障人士 穆斯林", "位名个"),
        ("小偷 罪犯 杀人犯 骗子 人贩子 歹徒 恐怖分子 犯罪嫌疑人", "个名个"),  # nobody is honoured for a crime
        ("人 中国", "个个个"),
        ("公司", "家家家"),
        ("清真寺", "座座座"),
        ("球队", "支支支"),
        ("猫", "只只只"),
        ("医生们 人们 佛教徒们 弱势群体 民众 这位医生 一名医生 三个工人 所有医生 他的医生 某医生", ["", "", ""]),
    ],
)
def test_the_classifier_is_that_of_the_template_for_a_person_and_otherwise_its_own_or_none(groups, classifiers):
    found = {group: [classifier(group, polite) for polite in "位名个"] for group in groups.split()}
    assert found == {group: [*classifiers] for group in groups.split()}


TEMPLATES = st.tuples(
    st.sampled_from(["", "这位", "一名", "有个", "据", "昨天，那两位"]),
    st.sampled_from(["说", "说，", "认为 ", "很", ", "]),
    st.sampled_from(["", "。", "来了", "."]),
    st.sampled_from([("[X]", "[Y]"), ("[Y]", "[X]")]),
).map(lambda parts: "{0}{s0}{1}{s1}{2}".format(*parts[:3], **dict(zip(("s0", "s1"), parts[3], strict=True))))


@given(TEMPLATES, CHINESE)
@example("这位[X]说[Y]", "这位")
@example("[X]说[Y]", "说")
def test_no_space_comes_in_and_the_group_is_there_once_more_than_in_the_template(template, group):
    made = prompt(template, group)
    assert " " not in str(made)
    assert not made.spaced
    bare = template.replace("[X]", "|")
    assert (made.left + made.right).count(group) >= 1
    if not set(group) & set(bare):
        assert (made.left + made.right).count(group) == 1


@given(st.text(min_size=1).map(simplified).filter(lambda text: "[" not in text and text.strip() == text))
def test_any_group_at_all_can_be_put_in(group):
    made = prompt("这位[X]说[Y]", group)
    assert group in made.left
    assert made.left.endswith("说")


def test_the_examples_in_the_docstrings():
    assert doctest.testmod(bvf_zh.rules).failed == 0
    assert doctest.testmod(bvf_zh.rules).attempted >= 3


def test_what_may_be_swapped_without_harm():
    assert Chinese().harmless("[X]说[Y]") == {"stop": "[X]说[Y]。"}
    assert Chinese().harmless("[X]说[Y]已经……") == {"stop": "[X]说[Y]已经…"}
    assert Chinese().harmless("2010年[X]说[Y]。") == {"stop": "2010年[X]说[Y]", "year": "2011年[X]说[Y]。"}


def test_readers_the_miner_and_models_leave_out_the_same_longer_words():
    chinese, words = Chinese(), ("他", "她", "女子", "公主", "王子")
    find = finder([Attribute(name=word, words=(word,)) for word in words], chinese)
    taken = chinese.longer_than(words)
    held = [each for each in chinese.longer_words() if "他" in each or "她" in each]
    assert len(held) > 20
    for each in held:
        text = f"昨天{each}来了，他走了"
        assert (find(text), chinese.alone("他她").findall(text)) == (["他"], ["他"]), each
        assert (each in taken) == (each[0] in "他她" and not set(each[1:]) & {"他", "她"}), each
    assert taken[-2:] == ("女子学院", "女子学校")
    assert chinese.longer_than(["他们", "他"])[:6] == ("他们", "他人", "他乡", "他国", "他日", "他杀")


def test_the_record_says_which_longer_words_a_model_leaves_out():
    left_out = {}
    for name in ("zh-causal", "zh-masked", "en-causal"):
        plan = plan_of(MeasureConfig(lang=name[:2], model=f"bundled:{name}"), load())
        left_out[name] = plan.measured_model.longer_words
        assert ("longer words" in plan.identity) == bool(left_out[name])
    assert left_out["zh-causal"][:3] == ("他们", "她们", "他人")
    assert (left_out["zh-masked"], left_out["en-causal"]) == (None, ())
    texts = plan_of(MeasureConfig(lang="zh", reading="generated"), load())
    assert texts.measured_model.longer_words == ()  # readers leave them out of texts


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
        prompt(template, group)
    assert "opencc -c t2s.json" in refused.value.hint


@pytest.mark.parametrize(
    ("template", "group", "right"),
    [("這位[X]說[Y]", "醫生", "這位醫生說"), ("這位[X]說[Y]", "醫生們", "醫生們說"),
     ("這位[X]說[Y]", "騙子", "這個騙子說"), ("這個[X]說[Y]", "醫院", "這家醫院說"), ("這個[X]叫[Y]", "貓", "這隻貓叫"),
     ("兩位[X]說[Y]", "孩子", "兩個孩子說"), ("這位[X]說[Y]", "所有醫生", "所有醫生說")],
)  # fmt: skip
def test_traditional_templates_are_worded_as_simplified_ones_are(template, group, right):
    assert prompt(template, group).left == right
    assert simplified(right) == prompt(simplified(template), simplified(group)).left


def test_the_miner_names_sentences_in_traditional_characters(tmp_path, capsys):
    corpus = tmp_path / "mixed.txt"
    corpus.write_text("醫生說他明天不來了。\n\n护士承认她错了。\n", "utf-8")
    (mined,) = mine(corpus=str(corpus), out=str(tmp_path / "mixed.csv"), lang="zh", workers=1)
    (rule,) = [rule for rule in mined.counts.dropped if rule.startswith("in traditional characters")]
    assert (mined.counts.sentences, mined.counts.dropped[rule], mined.counts.kept) == (2, 1, 1)
