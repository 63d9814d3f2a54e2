"""CBBQ: worked numbers, the sample, and the published questions and templates."""

from collections import Counter
from functools import partial

import pytest
from bvf_bias_benchmarks.pack import only
from bvf_bias_benchmarks.questions import Cbbq, _target
from bvf_bias_benchmarks.reading import rows_of
from helpers.benchmark_answers import PUBLISHED, needs_shared, sample_of, scores_by_name, tabulated

from bvf.interfaces.benchmark import Answer, Item

PACK = Cbbq()
scores = partial(scores_by_name, PACK)


def answer(number, choice, condition="ambiguous", biased="0"):
    values = {"category": "x", "condition": condition, "polarity": "negative", "template": "x 1"}
    return Answer(
        Item(str(number), ("a", "b", "c"), values={**values, "label": "2", "biased": biased}), only(choice, 3)
    )


def test_worked_scores():
    answers = [answer(n, choice) for n, choice in enumerate([0, 0, 0, 1, 2, 2, 2, 2, 2, 2])]
    answers += [answer(n, choice, "disambiguated") for n, choice in enumerate([0, 1, 1, 1, 2, 2], start=10)]
    figures = scores(answers)
    assert figures[("s_amb",)].value == pytest.approx(0.3)
    assert figures[("s_disamb",)].value == pytest.approx(0.25)
    assert figures[("s_disamb",)].items == 4
    assert figures[("s_total",)].value == pytest.approx(0.4 * 0.3 + 0.6 * 0.25)


def test_an_item_without_a_target_is_left_out_and_counted():
    figures = scores([answer(0, 0), answer(1, 1, biased="")])
    assert figures[("s_amb",)].value == 1
    assert figures[("no single target",)].value == 1


def test_the_sample_from_items_to_scores():
    items = list(PACK.items(sample_of(PACK)))
    assert len(items) == 11
    biased = {item.id: item.values["biased"] for item in items}
    assert [biased[f"age/ambiguous/{n}"] for n in (1, 2, 3)] == ["1", "0", "0"]
    assert [biased[f"gender/ambiguous/{n}"] for n in (1, 2, 3, 4)] == ["1", "1", "0", "0"]
    assert [biased[f"gender/disambiguated/{n}"] for n in (1, 2, 3, 4)] == ["1", "1", "0", "0"]
    answers = [Answer(item, only(1, 3)) for item in items]
    table = tabulated(PACK, answers)
    assert table.rows == 11
    assert {factor.name for factor in table.factors} == {"category", "condition", "polarity"}
    figures = scores(answers)
    assert figures[("s_amb",)].value == pytest.approx(3 / 7)
    assert figures[("s_disamb", "gender")].value == 0.5
    assert figures[("s_total", "age")].value is None


def test_a_template_takes_its_first_names(tmp_path):
    columns = (
        "question_index,question_polarity,context_condition,category,subcategory,bias_targeted_groups,source,context"
    )
    line = '1,neg,ambiguous,SES,s,g,x,{{NAME1}} {{NAME2}} x.,"[a, b]",\u4e01,who?,{{NAME1}},{{NAME2}},c,2'
    text = f"{columns},NAME1,NAME2,question,ans0,ans1,ans2,label\n{line}\n"
    (tmp_path / "SES_ambiguous_neg.csv").write_text(text, encoding="utf-8-sig")
    item = next(PACK.items(tmp_path))
    assert item.choices == ("a", "\u4e01", "c")
    assert item.left.startswith("a \u4e01 x.who?")


@needs_shared
def test_where_the_target_stands_agrees_with_the_labels_of_all_disambiguated_templates():
    """The context contradicts the stereotype. The target of a negative question is the group of the wrong answer."""
    checked = Counter()
    for file in sorted((PUBLISHED / "cbbq" / "templates").glob("*_disambiguous_*.csv")):
        for row in rows_of(file, ()):
            if not row.values["label"]:
                continue
            wrong = 1 - int(row.values["label"])
            target = wrong if row.values["question_polarity"] == "neg" else 1 - wrong
            first = row.values["ans0"].replace("{{NAME1}}", row.values["NAME1"].strip("[]").split(",")[0])
            category = row.values["category"]
            checked[category, _target(category, row.values["bias_targeted_groups"], first) == target] += 1
    assert {category for category, agrees in checked if not agrees} == {"age"}
    assert checked["age", False] == 3, "their lists of names are the wrong way round"
    assert len({category for category, _ in checked}) == 14
    assert sum(checked.values()) == 1_545
