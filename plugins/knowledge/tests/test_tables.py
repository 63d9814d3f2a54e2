"""Tables of knowledge: the models that give it a scale, and what each subject says."""

import numpy as np
import pytest
from bvf_knowledge.analysis import knowledge_rows
from bvf_knowledge.result import models_section, sentence, subject_section
from helpers.rendered import body, lines, scores

from bvf.builtin.criteria import knowledge


def test_the_models_that_give_knowledge_a_scale():
    of_each = (np.eye(3) > 0, np.ones((3, 3)) > 0, np.full(3, 1 / 3))
    rows = knowledge_rows(knowledge("sqrt"), *of_each)
    guesser, constant, knower = ((each.mastery, each.gap, each.accuracy, each.consistency) for each in rows)
    assert guesser[:3] == pytest.approx((3**-0.5, 3**-0.5 - 1 / 3, 1 / 3))
    assert constant == pytest.approx((1 / 3, 0, 1 / 3, 1))
    assert knower == (1, 0, 1, 1)
    rendered = lines(models_section([scores(references=tuple(rows))]))
    assert [line.split()[0] for line in body(rendered)[:4]] == ["guesser", "always", "knower", "m"]


def test_subjects_say_what_is_true_and_what_the_model_says():
    rendered = lines(subject_section(scores(), 0))
    assert next(line for line in rendered if "truth" in line).split()[:4] == ["subject", "meaning", "truth", "says"]
    assert [row.split()[2:4] for row in body(rendered)] == [["巴黎", "伦敦"], ["东京", "-"], ["伦敦", "伦敦"]]
    assert "33.3% would be right by chance; most frequent answer: 伦敦 (2 of 3 subjects)" in rendered
    differing = scores().model_copy(update={"subjects_with_it": 1})
    assert sentence(differing) == "33.3% would be right by chance; no answer is on top of two subjects"
