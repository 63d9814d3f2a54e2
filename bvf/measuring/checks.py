"""Checks on a few random prompts, before a run, that the scores of a model can be trusted."""

from dataclasses import replace
from itertools import chain

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.generation import Generation
from bvf.domain.measurement import CandidateMass, ScoreCheck
from bvf.domain.prompt import Prompt
from bvf.errors import ScoringError
from bvf.interfaces.backend import Backend, Tokenizing, WordMass
from bvf.interfaces.texts import writing, written_texts
from bvf.measuring.mass import candidate_mass
from bvf.measuring.plan import Plan
from bvf.stats.figures.probabilities import class_probabilities

HANDFUL = 8
"""Prompts that are scored together; the shortest and the longest of them are scored alone too."""
FEW_TEXTS = 2
"""Texts per prompt that are written for a check, and prompts whose texts are written alone too."""
AT_A_TIME = 4096
ROUNDING = 1e-4
"""How far log-probabilities that count as equal may lie apart; for another text they differ by far more."""


def handful(plan: Plan) -> list[Prompt]:
    """Return a few prompts, drawn with the seed of the run."""
    rng = np.random.default_rng(plan.config.seed)
    return plan.prompts([int(q) for q in rng.permutation(plan.questions.size)[:HANDFUL]])


def check_scores(
    plan: Plan, backend: Backend, mass_sample: int | None, in_float32: FloatArray | None = None
) -> ScoreCheck:
    """Check tokens and scores, and measure the candidate mass.

    A few prompts are scored in one batch, and two of them alone.

    Args:
        plan: The plan, which has the prompts.
        backend: The model that scores them.
        mass_sample: On how many prompts the candidate mass is measured; None: on all.
        in_float32: Log p of the words for the handful in float32, shape (HANDFUL, W); None: it is not compared.
    """
    check_tokens(plan, backend)
    asked = handful(plan)
    together = backend.word_logprobs(asked, plan.questions.words)
    if not plan.model.description.samples:  # a word may be in no sample, whatever the prompt
        _check_that_prompts_matter(backend, asked, together)
    lengths = [len(str(prompt)) for prompt in asked]  # in a batch the shortest has the most padding, the longest none
    ends = sorted({lengths.index(min(lengths)), lengths.index(max(lengths))})
    alone = np.concatenate([backend.word_logprobs([asked[q]], plan.questions.words) for q in ends])
    first = plan.prompts([0])[0]
    return ScoreCheck(
        first_prompt=str(first),
        first_prompt_ids=backend.token_ids(first, plan.questions.words[0]) if isinstance(backend, Tokenizing) else None,
        batch_deviation=float(np.abs(np.exp(together[ends]) - np.exp(alone)).max()),
        candidate_mass=_candidate_mass(plan, backend, mass_sample),
        rounding=None if in_float32 is None else _largest_difference(plan, together, in_float32),
    )


def check_tokens(plan: Plan, backend: Backend, thought: str | None = None) -> None:
    """Check the tokens of the words in every group and every template, after a thought if there is one."""
    if not isinstance(backend, Tokenizing):
        return
    questions = plan.questions.each_once()
    for start in range(0, len(questions), AT_A_TIME):
        prompts = plan.prompts(questions[start : start + AT_A_TIME])
        backend.check_tokens([replace(each, thought=thought) for each in prompts], plan.questions.words)


def check_texts(plan: Plan, backend: Backend, generation: Generation) -> ScoreCheck:
    """Check that a model writes texts, and measure how many are others in a batch than alone.

    Rounding may choose another token where two are almost as probable; more than a few other texts are a fault.

    Raises:
        BvfError: A prompt with its texts is too long for the model.
        ScoringError: Every text of a few prompts is empty.
    """
    longest = plan.questions.of_longest_name()
    for start in range(0, len(longest), AT_A_TIME):
        writing(backend).check_lengths(plan.prompts(longest[start : start + AT_A_TIME]), generation)
    few, asked = generation.model_copy(update={"samples": min(generation.samples, FEW_TEXTS)}), handful(plan)
    together = written_texts(backend, asked, few)
    if not any(text.strip() for texts in together for text in texts):
        raise ScoringError(
            f"{plan.model.name} writes nothing: all {len(asked) * few.samples} texts of a few prompts are empty",
            "look at what it reads: bvf run --dry-run; a chat model may need --chat-turn",
        )
    alone = [written_texts(backend, [prompt], few)[0] for prompt in asked[:FEW_TEXTS]]
    pairs = list(zip(chain.from_iterable(alone), chain.from_iterable(together[: len(alone)]), strict=True))
    first = plan.prompts([0])[0]
    return ScoreCheck(
        first_prompt=str(first),
        first_prompt_ids=None,
        batch_deviation=sum(one != other for one, other in pairs) / len(pairs),
        candidate_mass=None,
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
        (prompt.left, prompt.right if reads_right else prompt.right_to_group, prompt.media, prompt.chat)
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
    parts = [questions[start : start + AT_A_TIME].tolist() for start in range(0, len(questions), AT_A_TIME)]
    mass = np.concatenate([_mass(plan, backend, plan.prompts(part)) for part in parts])
    contexts = plan.asked.in_order
    return candidate_mass(mass, times, [contexts[q % len(contexts)] for q in questions.tolist()])


def _mass(plan: Plan, backend: Backend, prompts: list[Prompt]) -> FloatArray:
    """The candidate mass of each prompt, shape (P,), scored with the tolerance of the run."""
    asked = plan.questions
    if isinstance(backend, WordMass):
        return backend.word_mass(prompts, asked.words, asked.class_of_word, asked.tolerance)
    mass: FloatArray = np.exp(backend.word_logprobs(prompts, asked.words)).sum(axis=1)
    return mass
