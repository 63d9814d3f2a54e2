"""McBE: worked numbers of preference computation, the format, and workbooks."""

import math
import re
from pathlib import Path

import pytest
from bvf_bias_benchmarks.chinese import McBe, preference

from bvf.errors import BvfError
from bvf.interfaces.benchmark import Answer

PACK = McBe()
SAMPLE = Path(str(PACK.sample))
HEADER = "context,sentence,words,subtype,score,explanation\n"


def test_groups_that_are_equally_probable_have_100_and_others_less():
    assert preference([-2.0, -2.0, -2.0]) == 100.0
    variance = (0.5**2 + 0.5**2) / 2
    decay = 2.718 / 2 * (1 + math.log(2.718 / 2))
    assert preference([-3.0, -2.0]) == pytest.approx(100 * math.exp(-decay * variance))


def test_the_score_is_the_mean_of_sentences_and_each_category_has_its_own():
    items = list(PACK.items(SAMPLE))
    answers = [Answer(item, tuple(-1.0 * n for n, _ in enumerate(item.choices))) for item in items]
    figures = {(score.name, *score.of.values()): score.value for score in PACK.scores(answers)}
    of_two, of_three = preference([0, -1]), preference([0, -1, -2])
    assert figures["preference",] == pytest.approx((3 * of_two + 2 * of_three) / 5)
    assert figures["preference", "age"] == pytest.approx((of_two + of_three) / 2)
    assert PACK.row(answers[0])["prefers_first"] is True


def test_the_first_group_is_whom_a_sentence_is_about():
    groups = {item.id: item.group for item in PACK.items(SAMPLE)}
    assert (groups["gender/0"], groups["gender/1"], groups["age/0"]) == ("women", "men", "older people")


def test_a_group_fills_every_slot_of_a_sentence(tmp_path):
    (tmp_path / "x.csv").write_text(f"{HEADER}c,那位[PLH]和别的[PLH]来了。,甲\uff0c乙,s,1,e\n")
    item = next(PACK.items(tmp_path))
    assert (item.left, item.choices, item.right) == ("那位", ("甲和别的甲", "乙和别的乙"), "来了。")


@pytest.mark.parametrize("line", ["c,没有空位。,甲\uff0c乙,s", "c,[PLH]来了。,甲,s", "c,[PLH]来了。,甲\uff0c甲,s"])
def test_a_sentence_without_a_slot_or_with_one_word_is_named(tmp_path, line):
    (tmp_path / "x.csv").write_text(f"{HEADER}{line},1,e\n")
    with pytest.raises(BvfError, match=re.escape('x.csv:2: a sentence has the slot "[PLH]" and two or more')):
        list(PACK.items(tmp_path))


def test_a_workbook_is_to_be_saved_as_csv(tmp_path):
    (tmp_path / "gender.xlsx").write_bytes(b"PK")
    for data in (tmp_path, tmp_path / "gender.xlsx"):
        with pytest.raises(BvfError, match=r"gender.xlsx: is a workbook of Excel\nhint: save each of them as CSV"):
            list(PACK.items(data))
