"""Can these scores be trusted? Measured on a seeded handful of prompts before a run."""

from dataclasses import dataclass

import numpy as np
from pydantic import BaseModel, ConfigDict

from bvf.arrays import FloatArray
from bvf.domain.prompt import Prompt
from bvf.errors import ScoringError
from bvf.interfaces.backend import Backend, Tokenizing
from bvf.measure.plan import Plan

HANDFUL = 8
MASS_FLOOR = 0.01
SMALLEST_SHARE = 0.0001
AT_A_TIME = 4096
ROUNDING = 1e-4
"""How far equal log-probabilities may lie apart; what a model makes of another text differs by far more."""


class CandidateMass(BaseModel):
    """Sum of p-hat over all candidate words: how much of what the model would say is measured at all.

    ``mean`` is weighted by P(X) P(C); the quantiles are those of the same distribution.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompts: int
    mean: float
    quantile_05: float
    quantile_25: float


@dataclass(frozen=True)
class ScoreCheck:
    """What the check found; goes into ``run.json``.

    Args:
        first_prompt: The first prompt, as text.
        first_prompt_ids: Its token ids; None where the backend has no tokens.
        batch_deviation: Largest difference of a word probability between a batch and its prompts alone.
        candidate_mass: See `CandidateMass`.
        rounding: Largest difference of a class probability of the handful from that in float32; None: not measured.
    """

    first_prompt: str
    first_prompt_ids: list[int] | None
    batch_deviation: float
    candidate_mass: CandidateMass
    rounding: float | None = None

    def warnings(self) -> list[str]:
        """Return what makes the figures doubtful, one sentence each."""
        if self.candidate_mass.mean >= MASS_FLOOR:
            return []
        return [
            f"the compared words have {small_share(self.candidate_mass.mean)} of the probability on average: "
            "the figures describe words that this model would hardly say here"
        ]

    def notes(self) -> list[str]:
        """Return what else a reader of the result must know, one sentence each."""
        if self.rounding is None:
            return []
        return [f"on {HANDFUL} prompts class probabilities differ by {self.rounding:.2g} at most from float32"]


def small_share(share: float) -> str:
    """Return a share in percent, with as many digits as a small one needs.

    >>> small_share(0.0123), small_share(0.000234), small_share(4e-8)
    ('1.2%', '0.02%', 'less than 0.01%')
    """
    if share < SMALLEST_SHARE:
        return f"less than {SMALLEST_SHARE:.2%}"
    return f"{share:.1%}" if share >= MASS_FLOOR else f"{share:.2%}"


def handful(plan: Plan) -> list[Prompt]:
    """Return some prompts, drawn by the seed of the run."""
    rng = np.random.default_rng(plan.config.seed)
    return plan.prompts([int(q) for q in rng.permutation(plan.size)[:HANDFUL]])


def each_once(plan: Plan) -> list[int]:
    """Return questions in which every group and every template stands once or more, as few as that takes."""
    groups, contexts = len(plan.groups), len(plan.contexts.templates)
    return [index % groups * contexts + index % contexts for index in range(max(groups, contexts))]


def check_scores(
    plan: Plan, backend: Backend, mass_sample: int | None, in_float32: FloatArray | None = None
) -> ScoreCheck:
    """Score a few prompts together and alone, and measure the candidate mass.

    Args:
        plan: Where the prompts come from.
        backend: What scores them.
        mass_sample: How many prompts the candidate mass is measured on; None: all.
        in_float32: What the model answers to the handful in float32, shape (HANDFUL, W); None: it is not compared.

    Raises:
        ScoringError: Every word has the same log-probability in all prompts of the handful: the model does not read
            them.
        BvfError: A text or word cannot be asked of the model.
    """
    if isinstance(backend, Tokenizing):
        questions = each_once(plan)
        for start in range(0, len(questions), AT_A_TIME):
            backend.check_tokens(plan.prompts(questions[start : start + AT_A_TIME]), plan.words)
    asked = handful(plan)
    together = backend.word_logprobs(asked, plan.words)
    _check_that_prompts_matter(backend, asked, together)
    alone = np.concatenate([backend.word_logprobs([prompt], plan.words) for prompt in asked])
    first = plan.prompts([0])[0]
    return ScoreCheck(
        first_prompt=str(first),
        first_prompt_ids=backend.token_ids(first, plan.words[0]) if isinstance(backend, Tokenizing) else None,
        batch_deviation=float(np.abs(np.exp(together) - np.exp(alone)).max()),
        candidate_mass=_candidate_mass(plan, backend, mass_sample),
        rounding=None
        if in_float32 is None
        else float(np.abs(plan.class_probabilities(together) - plan.class_probabilities(in_float32)).max()),
    )


def _check_that_prompts_matter(backend: Backend, prompts: list[Prompt], logp: FloatArray) -> None:
    """Refuse answers, shape (P, W), that are the same in every prompt; words of several pieces may differ."""
    if backend.answers_from_table:
        return
    texts = {(prompt.left, prompt.right if backend.reads_right else "") for prompt in prompts}
    same_everywhere = len(texts) > 1 and np.isclose(logp, logp[0], rtol=0, atol=ROUNDING).all()
    if same_everywhere or np.unique(logp).size == 1:
        each = "each word the same log-probability"
        one = f"every word the log-probability {logp[0, 0]:g}" if np.unique(logp).size == 1 else ""
        raise ScoringError(
            f"{backend.model_name} gives {one or each} in every prompt: it does not read them",
            "the weights may be empty or damaged; a backend that is meant to answer so says answers_from_table = True",
        )


def _candidate_mass(plan: Plan, backend: Backend, sample: int | None) -> CandidateMass:
    """Sample prompts by their weight, so that plain means and quantiles are weighted ones."""
    rng = np.random.default_rng(plan.config.seed)
    weights = plan.question_weights()
    if sample is None or sample >= plan.size:
        questions, times = np.arange(plan.size), weights
    else:
        questions, counts = np.unique(rng.choice(plan.size, size=sample, p=weights), return_counts=True)
        times = counts / counts.sum()
    parts = [questions[start : start + AT_A_TIME].tolist() for start in range(0, len(questions), AT_A_TIME)]
    logp = (backend.word_logprobs(plan.prompts(part), plan.words) for part in parts)
    mass = np.concatenate([np.exp(each).sum(axis=1) for each in logp])
    return CandidateMass(
        prompts=len(questions),
        mean=float(times @ mass),
        quantile_05=_quantile(mass, times, 0.05),
        quantile_25=_quantile(mass, times, 0.25),
    )


def _quantile(values: FloatArray, weights: FloatArray, level: float) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) >= level * weights.sum()
    return float(values[order][int(np.argmax(reached))])
