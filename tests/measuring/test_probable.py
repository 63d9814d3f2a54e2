"""What is looked at before a run: a model that does not read its prompts, and every group and template."""

import numpy as np
import pytest

import bvf
from bvf.domain.prompt import Prompt
from bvf.errors import ScoringError
from bvf.hooks.loader import load
from bvf.measuring.plan import plan_of
from bvf.measuring.probable import Probable


class Blind(bvf.Backend):
    """Gives every word a probability of its own, the same in every prompt."""

    def score(self, prompts, words, *, absolute):
        return np.tile([-1.0 - len(word) for word in words], (len(prompts), 1))


class Frank(Blind):
    capabilities = bvf.Capabilities(answers_from_table=True)


class Careful(Blind, bvf.Tokenizing):
    capabilities = bvf.Capabilities(answers_from_table=True)

    def __init__(self):
        self.seen = []

    def token_ids(self, prompt: Prompt, word: str) -> list[int]:
        return []

    def check_tokens(self, prompts, words):
        self.seen += prompts


def plan_with(groups, contexts, topic="gender"):
    few = {"limit_groups": groups, "limit_contexts": contexts}
    return plan_of(bvf.RunConfig(model="baseline:random", topic=topic, **few), load())


@pytest.fixture(scope="module")
def small_plan():
    return plan_with(7, 5, "gender-2026")


def test_answers_that_are_the_same_in_every_prompt_are_refused(small_plan):
    with pytest.raises(ScoringError, match="Blind gives each word the same log-probability in every prompt") as error:
        Probable().check(small_plan, Blind(), None)
    assert "answers_from_table=True" in error.value.hint


def test_a_backend_may_say_that_it_answers_from_a_table_and_one_prompt_tells_nothing(small_plan):
    assert Probable().check(small_plan, Frank(), None).batch_deviation == 0
    assert Probable().check(plan_with(1, 1), Blind(), None).batch_deviation == 0


def test_every_group_and_every_template_is_looked_at_before_anything_is_scored(small_plan):
    backend = Careful()
    Probable().check(small_plan, backend, None)
    assert len(backend.seen) == 7
    assert {prompt.group for prompt in backend.seen} == set(small_plan.groups)
    assert {prompt.context for prompt in backend.seen} == {template.text for template in small_plan.contexts.templates}


@pytest.mark.parametrize(("groups", "contexts"), [(1, 1), (3, 9), (9, 3), (6, 6)])
def test_every_group_and_template_is_asked_with_as_few_questions_as_that_takes(groups, contexts):
    questions = plan_with(groups, contexts).questions.each_once()
    assert len(questions) == max(groups, contexts)
    assert {question // contexts for question in questions} == set(range(groups))
    assert {question % contexts for question in questions} == set(range(contexts))
