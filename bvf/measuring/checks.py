"""Checks on a few random prompts, before a run, that the scores of a model can be trusted."""

from functools import partial

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.measurement import CandidateMass, ScoreCheck
from bvf.domain.prompt import Prompt
from bvf.errors import ScoringError
from bvf.interfaces.backend import Backend, Tokenizing, WordMass
from bvf.measuring.kind import AnswerKind
from bvf.measuring.plan import Plan
from bvf.stats.figures.probabilities import class_probabilities

ROUNDING = 1e-4
"""How far log-probabilities that count as equal may lie apart; for another text they differ by far more."""


def check_scores(
    plan: Plan, backend: Backend, mass_sample: int | None, in_float32: FloatArray | None = None
) -> ScoreCheck:
    """Check tokens and scores, and measure the candidate mass.

    A few prompts are scored in one batch, and two of them alone.

    Args:
        plan: The plan, which has the prompts.
        backend: The model that scores them.
        mass_sample: On how many prompts the candidate mass is measured; None: on all.
        in_float32: Log p of the words for `Plan.handful` in float32, shape (P, W); None: it is not compared.
    """
    if isinstance(backend, Tokenizing):
        for prompts in plan.blocks(plan.questions.each_once()):
            for places, words in plan.questions.by_forms(prompts):
                backend.check_tokens([prompts[place] for place in places], words)
    asked, in_forms = plan.handful, plan.questions.in_forms
    together = in_forms(asked, backend.word_logprobs)
    if not plan.model.description.samples:  # a word may be in no sample, whatever the prompt
        _check_that_prompts_matter(backend, asked, together)
    lengths = [len(str(prompt)) for prompt in asked]  # in a batch the shortest has the most padding, the longest none
    ends = sorted({lengths.index(min(lengths)), lengths.index(max(lengths))})
    alone = np.concatenate([in_forms([asked[q]], backend.word_logprobs) for q in ends])
    first = plan.prompts([0])[0]
    (_, words), *_ = plan.questions.by_forms([first])
    return ScoreCheck(
        first_prompt=str(first),
        first_prompt_ids=backend.token_ids(first, words[0]) if isinstance(backend, Tokenizing) else None,
        batch_deviation=float(np.abs(np.exp(together[ends]) - np.exp(alone)).max()),
        candidate_mass=_candidate_mass(plan, backend, mass_sample),
        rounding=None if in_float32 is None else _largest_difference(plan, together, in_float32),
    )


def _largest_difference(plan: Plan, logp: FloatArray, other: FloatArray) -> float:
    """The largest difference of a class probability between two scorings of the same prompts, log p of shape (P, W)."""
    questions = plan.questions
    p, q = (class_probabilities(each, questions.class_of_word, len(questions.classes)) for each in (logp, other))
    return float(np.abs(p - q).max())


def _check_that_prompts_matter(backend: Backend, prompts: list[Prompt], logp: FloatArray) -> None:
    """Refuse log p, shape (P, W), that is the same in every prompt. Backends that read it from a table are exempt."""
    if backend.capabilities.answers_from_table:
        return
    reads_right = backend.capabilities.reads_right
    texts = {
        (prompt.left, prompt.right if reads_right else prompt.right_to_group, prompt.media, prompt.chat, prompt.before)
        for prompt in prompts
    }
    same_everywhere = len(texts) > 1 and np.isclose(logp, logp[0], rtol=0, atol=ROUNDING).all()
    if same_everywhere or np.unique(logp).size == 1:
        each = "each word the same log-probability"
        one = f"every word the log-probability {logp[0, 0]:g}" if np.unique(logp).size == 1 else ""
        raise ScoringError(
            f"{backend.model_name} gives {one or each} in every prompt: it does not read them",
            "the weights may be empty or damaged; Capabilities(answers_from_table=True) is for those that mean it",
        )


def _candidate_mass(plan: Plan, backend: Backend, sample: int | None) -> CandidateMass:
    """Return the candidate mass of all prompts, or of a random sample. The sample is drawn by context weight."""
    rng = np.random.default_rng(plan.config.seed)
    weights = np.tile(plan.asked.context_weights / len(plan.groups), len(plan.groups))
    if sample is None or sample >= plan.questions.size:
        questions, times = np.arange(plan.questions.size), weights
    else:
        questions, counts = np.unique(rng.choice(plan.questions.size, size=sample, p=weights), return_counts=True)
        times = counts / counts.sum()
    mass = np.concatenate([_mass(plan, backend, prompts) for prompts in plan.blocks(questions.tolist())])
    contexts = plan.asked.in_order
    return AnswerKind.candidate_mass(mass, times, [contexts[q % len(contexts)] for q in questions.tolist()])


def _mass(plan: Plan, backend: Backend, prompts: list[Prompt]) -> FloatArray:
    """The candidate mass of each prompt, shape (P,), scored with the tolerance of the run."""
    asked = plan.questions
    if isinstance(backend, WordMass):
        mass_of = partial(backend.word_mass, class_of_word=asked.class_of_word, tolerance=asked.tolerance)
        return asked.in_forms(prompts, mass_of)
    mass: FloatArray = (
        np.exp(asked.in_forms(prompts, backend.word_logprobs)).sum(axis=1).clip(max=1.0)
    )  # of bounds: more
    return mass
