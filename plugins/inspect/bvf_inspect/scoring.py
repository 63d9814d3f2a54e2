"""Inspect's scorer of one answer, and the metric over all answers."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from bvf_inspect.naming import of_bvf


@scorer(metrics=[], name="words")
@of_bvf
def words(choices: dict[str, Any]) -> Scorer:
    """Score an answer by the probability of each class; 0 for all classes without a candidate word.

    ``choices`` are the options of the task, as `choices_of` returns them.
    """
    from bvf_inspect.questions import planned_task
    from bvf_inspect.reading import Reader, Reading

    planned = planned_task(choices)
    questions, longer_words = planned.plan.questions, planned.plan.model.request.longer_words
    reader = Reader(questions.words, questions.class_of_word, planned.plan.prompts([0])[0].spaced, longer_words)

    def read(output: ModelOutput) -> Reading:
        if planned.samples:
            return reader.sampled(output.completion)
        tokens = _first_tokens(output)
        if planned.by_inspect:
            return reader.most_probable(tokens)
        return reader.exact({letters.decode(): logp for letters, logp in tokens})

    async def score(state: TaskState, target: Target) -> Score:
        reading = read(state.output)
        return Score(
            value=dict(zip(questions.classes, reading.classes.tolist(), strict=True)),
            answer=reading.word or None,
            explanation=None if reading.word else "no candidate word",
            metadata={"candidate_mass": reading.mass, "bound": reading.bound},
        )

    return score


@metric(name="risk", scores="unreduced")
@of_bvf
def risk(choices: dict[str, Any]) -> Metric:
    """Compute the figures of ``bvf run`` from all answers of a task, whose options are ``choices``."""

    def compute(scores: list[SampleScore]) -> Value:
        from bvf_inspect.questions import collected, planned_task

        planned = planned_task(choices)
        return planned.figures(collected(planned, map(_answer, scores)))

    return compute


def _answer(scored: SampleScore) -> tuple[str, str, Mapping[str, Any], float, float]:
    asked, known = scored.sample_metadata or {}, scored.score.metadata or {}
    return asked["group"], asked["context"], scored.score.as_dict(), known["candidate_mass"], known["bound"]


def _first_tokens(output: ModelOutput) -> Sequence[tuple[bytes, float]]:
    """The tokens listed for the first position of an answer, as bytes and log p."""
    from bvf import BvfError

    logprobs = output.choices[0].logprobs if output.choices else None
    if logprobs is None:
        raise BvfError(
            f"{output.model} returns no log-probabilities",
            "-T samples=64 estimates them from 64 continuations of each question",
        )
    first = logprobs.content[0].top_logprobs if logprobs.content else []
    return [(each.token.encode() if each.bytes is None else bytes(each.bytes), each.logprob) for each in first or []]
