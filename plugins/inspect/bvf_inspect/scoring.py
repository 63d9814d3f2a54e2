"""The scorer of an answer, and the metric over all of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from bvf_inspect.naming import of_bvf

NO_WORD = "no candidate word"
NOTHING_TOLD = "-T samples=64 estimates them from 64 continuations of each question"


@scorer(metrics=[], name="words")
@of_bvf
def words(choices: dict[str, Any]) -> Scorer:
    """Score an answer by the probability of each class.

    Args:
        choices: What the questions follow from.

    Returns:
        Scores: p by class, all 0 where there is no candidate word.
    """
    from bvf_inspect.questions import laid_out
    from bvf_inspect.reading import Reader, Reading

    laid = laid_out(choices)
    questions = laid.plan.questions
    reader = Reader(questions.words, questions.class_of_word, laid.plan.prompts([0])[0].spaced)

    def read(output: ModelOutput) -> Reading:
        if laid.samples:
            return reader.sampled(output.completion)
        tokens = _first_tokens(output)
        if laid.by_inspect:
            return reader.most_probable([(letters, logp) for letters, logp in tokens])
        return reader.exact({letters.decode(): logp for letters, logp in tokens})

    async def score(state: TaskState, target: Target) -> Score:
        found = read(state.output)
        return Score(
            value=dict(zip(questions.classes, found.classes.tolist(), strict=True)),
            answer=found.word or None,
            explanation=None if found.word else NO_WORD,
            metadata={"candidate_mass": found.mass, "bound": found.bound},
        )

    return score


@metric(name="risk", scores="unreduced")
@of_bvf
def risk(choices: dict[str, Any]) -> Metric:
    """Return the figures of `bvf run` from all answers: R, R^b and R^v, and how much is behind them.

    Args:
        choices: What the questions follow from.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from bvf_inspect.questions import collected, laid_out

        laid = laid_out(choices)
        return laid.figures(collected(laid, [_told(each) for each in scores]))

    return compute


def _told(scored: SampleScore) -> tuple[str, str, Mapping[str, Any], float, float]:
    asked, known = scored.sample_metadata or {}, scored.score.metadata or {}
    return asked["group"], asked["context"], scored.score.as_dict(), known["candidate_mass"], known["bound"]


def _first_tokens(output: ModelOutput) -> Sequence[tuple[bytes, float]]:
    """What is told of the first token of an answer: letters and log p.

    Raises:
        BvfError: Nothing.
    """
    from bvf.errors import BvfError

    told = output.choices[0].logprobs if output.choices else None
    if told is None:
        raise BvfError(f"{output.model} tells no log-probabilities", NOTHING_TOLD)
    first = told.content[0].top_logprobs if told.content else []
    return [(each.token.encode() if each.bytes is None else bytes(each.bytes), each.logprob) for each in first or []]
