"""Probabilities of words after a model has thought: thoughts are drawn, and each is followed by an answer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from bvf import Backend, BvfError, ChosenModel, MeasureConfig, Measurement, Predictions, Prompt, Tokenizing
from bvf.domain import CandidateMass, Computed, MeasurementRecord, ScoreCheck, Thinking, ThoughtsRead
from bvf.files import Rows
from bvf.interfaces import Thought, Tolerance
from bvf.stats import Exact, FloatArray, IntArray, class_probabilities
from bvf.study import AnswerKind, Gathered, Plan, Questions
from bvf_texts.answers import ByThought, Thoughts
from bvf_texts.asking import share_of_others, thoughts_of
from bvf_texts.generated import FEW_TEXTS
from bvf_texts.stats.thoughts import AfterThoughts as ThoughtSample

THOUGHTS, TOKENS, TEMPERATURE = 8, 256, 1.0


class AfterThoughts(AnswerKind):
    """Probabilities of words after thoughts. p is the mean over the thoughts of a prompt."""

    def drawn(self, config: MeasureConfig) -> Mapping[str, Any]:
        """Return how thoughts are drawn: 8 of up to 256 tokens at temperature 1 where the user chose nothing."""
        its = " is not for --reading thought"
        self.refuse(config, ("samples",), its, "write --thoughts")
        hint = "leave it out: every word is scored after each thought"
        self.refuse(config, ("tolerance", "keep_words"), its, hint)
        thinking = Thinking(
            thoughts=config.thoughts or THOUGHTS,
            tokens=config.tokens or TOKENS,
            temperature=TEMPERATURE if config.temperature is None else config.temperature,
            seed=config.seed,
        )
        return {"thinking": thinking}

    def settled(self, config: MeasureConfig, model: ChosenModel) -> MeasureConfig:
        if not model.description.capabilities.thinks:
            raise BvfError(
                f"--reading thought: the backend {model.backend} lets no model think as it is asked here",
                "a causal model thinks in a chat: --backend llama --chat-turn user, or assistant",
            )
        return config

    def check(self, plan: Plan, backend: Backend, in_float32: FloatArray | None) -> ScoreCheck:
        """Let a model think before a few answers, in a batch and alone, and measure the candidate mass afterwards."""
        words, thinking = plan.questions.words, plan.drawn["thinking"].model_copy(update={"thoughts": FEW_TEXTS})
        if isinstance(backend, Tokenizing):
            for prompts in plan.blocks(plan.questions.each_once()):
                backend.check_tokens(list(map(self.begun, prompts)), words)
        plan.checking("part 1 of 3, a few prompts together")
        together = thoughts_of(backend, plan.handful, thinking)
        plan.checking("part 2 of 3, some of them alone")
        alone = [thoughts_of(backend, [prompt], thinking)[0] for prompt in plan.handful[:FEW_TEXTS]]
        plan.checking("part 3 of 3, the candidate mass after these thoughts")
        mass: FloatArray = np.exp(backend.word_logprobs(_after(plan.handful, together), words)).sum(axis=1)
        return ScoreCheck(
            first_prompt=str(plan.prompts([0])[0]),
            first_prompt_ids=None,
            batch_deviation=share_of_others(alone, together),
            candidate_mass=CandidateMass(
                prompts=len(mass),
                mean=float(mass.mean()),
                quantile_05=float(np.quantile(mass, 0.05)),
                quantile_25=float(np.quantile(mass, 0.25)),
            ),
        )

    def layout(self, record: MeasurementRecord) -> dict[str, type[str] | type[float] | int]:
        return {"thought": str, "ended": float, **dict.fromkeys(Rows.names_of(record.asked.classes), float)}

    def ask(self, backend: Backend, prompts: Sequence[Prompt], asked: Questions, tolerance: Tolerance) -> Rows:
        thoughts = thoughts_of(backend, prompts, asked.drawn["thinking"])
        after, every = _after(prompts, thoughts), list(chain.from_iterable(thoughts))
        answers = backend.answers(after, asked.words, asked.class_of_word, Tolerance.on_each(0.0, len(after)))
        p = class_probabilities(answers.logp, asked.class_of_word, len(asked.classes))
        ended = np.array([each.ended for each in every], np.uint8)
        columns = {"thought": [each.text for each in every], "ended": ended, **Rows.of_classes(p, asked.classes)}
        return Rows(columns, asked.samples, answers.remarks)

    def is_sound(self, rows: Rows, asked: Questions) -> bool:
        return bool(np.isin(rows.columns["ended"], (0, 1)).all()) and rows.are_probabilities(asked.classes)

    def gathered(self, asked: Questions, parts: Iterable[tuple[IntArray, Rows]], *, words: bool) -> Gathered:
        size, k, classes, remarks = asked.size, asked.samples, len(asked.classes), dict[str, None]()
        found = Thoughts(
            np.empty(size, dtype=np.object_), np.zeros((size, k), dtype=np.bool_), np.full((size, k, classes), np.nan)
        )
        for places, rows in parts:
            for place, texts in zip(places.tolist(), rows.texts("thought"), strict=True):
                found.texts[place] = texts
            found.ended[places] = np.reshape(rows.columns["ended"], (-1, k))
            found.probabilities[places] = rows.probabilities(asked.classes).reshape(-1, k, classes)
            remarks.update(dict.fromkeys(rows.remarks or ()))
        return Gathered(found.probabilities.mean(axis=1), found, remarks=tuple(remarks))

    def begun(self, prompt: Prompt) -> Prompt:
        return replace(prompt, thought="")

    def told(self, measurement: Measurement, predictions: Predictions) -> Mapping[str, Any]:
        thoughts, after = measurement.answers, predictions.random
        assert isinstance(thoughts, Thoughts)
        assert isinstance(after, ThoughtSample)
        share = share_of_other_class(after, predictions.weights_of_group, predictions.group_weights)
        number, ended = thoughts.ended.size, int(thoughts.ended.sum())
        return {"thoughts": ThoughtsRead(thought=number, ended=ended, other_class=share)}

    def basis(self, answers: Computed, margin: Callable[[FloatArray], FloatArray]) -> Exact:
        assert isinstance(answers, Thoughts)
        return ByThought(margin(answers.probabilities))


def share_of_other_class(after: ThoughtSample, weights: FloatArray, group_weights: FloatArray) -> float:
    """Return how often another class leads after a thought than on average over the thoughts of its prompt.

    The class with the largest p / p* leads. ``weights`` is P(C) for each group, shape (X, C), 0 where it is missing.
    """
    p_star = after.p_star[:, :, np.newaxis]
    leads, on_average = (np.nan_to_num(p / p_star).argmax(axis=3) for p in (after.p, after.mean[:, :, np.newaxis]))
    other = (leads != on_average).mean(axis=2)
    return float(group_weights @ (weights * other).sum(axis=1))


def _after(prompts: Sequence[Prompt], thoughts: Sequence[Sequence[Thought]]) -> list[Prompt]:
    """Each prompt after each of its thoughts, the thoughts of a prompt one after another."""
    both = zip(prompts, thoughts, strict=True)
    return [replace(prompt, thought=each.text) for prompt, of_prompt in both for each in of_prompt]
