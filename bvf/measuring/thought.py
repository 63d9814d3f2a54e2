"""Lets a model think before it answers: the probabilities after each thought, and a check of a few."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.measurement import CandidateMass, ScoreCheck
from bvf.domain.prompt import Prompt
from bvf.domain.thought import Thinking
from bvf.files.thought_shards import StoredThoughts
from bvf.interfaces.backend import Backend
from bvf.interfaces.thoughts import Thought, thoughts_of
from bvf.interfaces.tolerance import Tolerance
from bvf.measuring.checks import FEW_TEXTS, check_tokens, handful
from bvf.measuring.plan import Plan
from bvf.measuring.questions import Questions
from bvf.measuring.shards import Shard
from bvf.stats.figures.probabilities import class_probabilities

NO_THOUGHT = ""


def after_thoughts(
    backend: Backend, prompts: Sequence[Prompt], shard: Shard, asked: Questions, thinking: Thinking
) -> StoredThoughts:
    """Return the thoughts before the answers to the prompts of a shard, and p of the classes after each of them."""
    thoughts = thoughts_of(backend, prompts, thinking)
    after = _after(prompts, thoughts)
    answers = backend.answers(after, asked.words, asked.class_of_word, Tolerance.on_each(0.0, len(after)))
    p = class_probabilities(answers.logp, asked.class_of_word, len(asked.classes))
    return StoredThoughts(
        *asked.asked(shard), thoughts, p.reshape(len(prompts), thinking.thoughts, len(asked.classes)), answers.remarks
    )


def check_thoughts(plan: Plan, backend: Backend, thinking: Thinking) -> ScoreCheck:
    """Let a model think before a few answers, in a batch and alone, and measure the candidate mass after its thoughts.

    Rounding may choose another token where two are almost as probable; more than a few other thoughts are a fault.
    """
    asked, few = handful(plan), thinking.model_copy(update={"thoughts": FEW_TEXTS})
    words = plan.questions.words
    check_tokens(plan, backend, NO_THOUGHT)
    together = thoughts_of(backend, asked, few)
    alone = [thoughts_of(backend, [prompt], few)[0] for prompt in asked[:FEW_TEXTS]]
    pairs = list(zip(chain.from_iterable(alone), chain.from_iterable(together), strict=False))
    mass: FloatArray = np.exp(backend.word_logprobs(_after(asked, together), words)).sum(axis=1)
    return ScoreCheck(
        first_prompt=str(plan.prompts([0])[0]),
        first_prompt_ids=None,
        batch_deviation=sum(one != other for one, other in pairs) / len(pairs),
        candidate_mass=CandidateMass(
            prompts=len(mass),
            mean=float(mass.mean()),
            quantile_05=float(np.quantile(mass, 0.05)),
            quantile_25=float(np.quantile(mass, 0.25)),
        ),
    )


def _after(prompts: Sequence[Prompt], thoughts: Sequence[Sequence[Thought]]) -> list[Prompt]:
    """Each prompt after each of its thoughts, the thoughts of a prompt one after another."""
    both = zip(prompts, thoughts, strict=True)
    return [replace(prompt, thought=each.text) for prompt, of_prompt in both for each in of_prompt]
