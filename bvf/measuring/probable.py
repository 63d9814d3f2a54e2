"""Probabilities of words, computed by a model or estimated from samples of a server, and checked."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from bvf.arrays import FloatArray, IntArray
from bvf.asking.model import ChosenModel
from bvf.domain.answers import Computed, Samples
from bvf.domain.measurement import CandidateMass, MeasurementRecord, ScoreCheck
from bvf.domain.prompt import Prompt
from bvf.errors import BvfError, ScoringError
from bvf.files.shard_files import Layout, Rows
from bvf.interfaces.backend import Answers, Backend, Tokenizing, Tolerance, WordMass
from bvf.measuring.config import MeasureConfig
from bvf.measuring.kind import AnswerKind, Gathered
from bvf.measuring.plan import Plan
from bvf.measuring.questions import Questions, in_place
from bvf.stats.figures.probabilities import class_probabilities
from bvf.tables.words import counted

ALIKE = 1e-4
"""How far log-probabilities that count as equal may lie apart; for another text they differ by far more."""


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
    same_everywhere = len(texts) > 1 and np.isclose(logp, logp[0], rtol=0, atol=ALIKE).all()
    if same_everywhere or np.unique(logp).size == 1:
        each = "each word the same log-probability"
        one = f"every word the log-probability {logp[0, 0]:g}" if np.unique(logp).size == 1 else ""
        raise ScoringError(
            f"{backend.model_name} gives {one or each} in every prompt: it does not read them",
            "the weights may be empty or damaged; Capabilities(answers_from_table=True) is for those that mean it",
        )


def _candidate_mass(plan: Plan, backend: Backend) -> CandidateMass:
    """Return the candidate mass of all prompts, or of a random sample. The sample is drawn by context weight."""
    rng, sample = np.random.default_rng(plan.config.seed), plan.config.mass_sample
    weights = np.tile(plan.asked.context_weights / len(plan.groups), len(plan.groups))
    if sample == "all" or sample >= plan.questions.size:
        questions, times = np.arange(plan.questions.size), weights
    else:
        questions, counts = np.unique(rng.choice(plan.questions.size, size=sample, p=weights), return_counts=True)
        times = counts / counts.sum()
    plan.checking(f"part 3 of 3, the candidate mass in {counted(len(questions), 'prompt')}")
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


BOUND = "deviation_bound"
HITS = "samples"
"""Column with the number of sampled continuations that were a candidate word."""
WORDS = "log_p"
"""Column with log p-hat of every word, in the order of the words in ``measurement.json``."""
ROUNDING = 0.01
"""How far a class probability may lie from the one on another machine, which rounds differently."""
TOLERANCE_OF_DRAWN = 1e-3
"""Default tolerance where contexts are drawn: intervals are some twenty times as wide."""


class Probable(AnswerKind):
    """Probabilities of words."""

    writes = False
    asks_in_forms = True

    def drawn(self, config: MeasureConfig) -> Mapping[str, Any]:
        of_texts, its = ("samples", "tokens", "temperature"), "with --reading probable"
        self.refuse(config, of_texts, f": the model writes no text {its}", "add --reading generated")
        self.refuse(config, ("thoughts",), f": the model does not think {its}", "add --reading thought")
        return {}

    def settled(self, config: MeasureConfig, model: ChosenModel) -> MeasureConfig:
        """Return the configuration with a tolerance: the user's, or that of a backend that leaves words out, or 0."""
        leaves_words_out = model.description.capabilities.leaves_words_out
        if config.tolerance and not leaves_words_out:
            raise BvfError(
                f"--tolerance {config.tolerance:g}: the backend {model.backend} cannot leave words out",
                "leave the option out: every word is asked",
            )
        if config.tolerance is not None:
            return config
        default = TOLERANCE_OF_DRAWN if config.sample_contexts and leaves_words_out else 0.0
        return config.model_copy(update={"tolerance": default})

    def check(self, plan: Plan, backend: Backend, in_float32: FloatArray | None) -> ScoreCheck:
        """Check tokens and scores, and measure the candidate mass. A few prompts are scored together, and two alone."""
        if isinstance(backend, Tokenizing):
            for prompts in plan.blocks(plan.questions.each_once()):
                for places, words in plan.questions.by_forms(prompts):
                    backend.check_tokens([prompts[place] for place in places], words)
        asked, in_forms = plan.handful, plan.questions.in_forms
        plan.checking(f"part 1 of 3, {counted(len(asked), 'prompt')} together")
        together = in_forms(asked, backend.word_logprobs)
        if not plan.model.description.samples:  # a word may be in no sample, whatever the prompt
            _check_that_prompts_matter(backend, asked, together)
        lengths = [len(str(each)) for each in asked]  # in a batch the shortest has the most padding, the longest none
        ends = sorted({lengths.index(min(lengths)), lengths.index(max(lengths))})
        plan.checking(f"part 2 of 3, {counted(len(ends), 'prompt')} alone")
        alone = np.concatenate([in_forms([asked[q]], backend.word_logprobs) for q in ends])
        first = plan.prompts([0])[0]
        (_, words), *_ = plan.questions.by_forms([first])
        return ScoreCheck(
            first_prompt=str(first),
            first_prompt_ids=backend.token_ids(first, words[0]) if isinstance(backend, Tokenizing) else None,
            batch_deviation=float(np.abs(np.exp(together[ends]) - np.exp(alone)).max()),
            candidate_mass=_candidate_mass(plan, backend),
            rounding=None if in_float32 is None else _largest_difference(plan, together, in_float32),
        )

    def layout(self, record: MeasurementRecord) -> Layout:
        asked = record.asked
        return {
            **dict.fromkeys((*Rows.names_of(asked.classes), BOUND), float),
            **({HITS: float} if record.model.samples else {}),
            **({WORDS: len(asked.words)} if record.keeps_words else {}),
        }

    def ask(self, backend: Backend, prompts: Sequence[Prompt], asked: Questions, tolerance: Tolerance) -> Rows:
        return self.ask_beside(backend, prompts, asked, tolerance, ())[0]

    def ask_beside(
        self, backend: Backend, prompts: Sequence[Prompt], asked: Questions, tolerance: Tolerance, words: Sequence[str]
    ) -> tuple[Rows, Rows | None]:
        parts, found = asked.by_forms(prompts), list[Answers]()
        for places, forms in parts:
            of_topic = [prompts[place] for place in places], forms, asked.class_of_word, tolerance.of(places)
            try:
                found += [backend.answers(*of_topic, beside=words) if words else backend.answers(*of_topic)]
            except BvfError:  # of the further words, or of the topic's, and then it comes again
                found += [backend.answers(*of_topic)]
        answers = _together(found, [places for places, _ in parts])
        beside = None if answers.beside is None else _rows(Answers(answers.beside), np.arange(len(words)), words)
        return _rows(answers, asked.class_of_word, asked.classes), beside

    def is_sound(self, rows: Rows, asked: Questions) -> bool:
        words = np.asarray(rows.columns.get(WORDS, ()))
        numbers = [np.asarray(rows.columns[name]) for name in (BOUND, HITS) if name in rows.columns]
        sound = all((np.isfinite(each) & (each >= 0)).all() for each in numbers)
        return bool(sound and not (np.isnan(words) | (words == np.inf)).any()) and rows.are_probabilities(asked.classes)

    def are_alike(self, one: Rows, other: Rows, asked: Questions) -> bool:
        p, q = (each.probabilities(asked.classes) for each in (one, other))
        return np.allclose(p, q, 0, ROUNDING, True)

    def gathered(self, asked: Questions, parts: Iterable[tuple[IntArray, Rows]], *, words: bool) -> Gathered:
        p, bounds, hits = np.full((asked.size, len(asked.classes)), np.nan), np.zeros(asked.size), np.zeros(asked.size)
        logp = np.full((asked.size, len(asked.words)), np.nan, np.float32) if words else None
        remarks, sampled = dict[str, None](), False
        for places, rows in parts:
            p[places], bounds[places] = rows.probabilities(asked.classes), rows.columns[BOUND]
            if HITS in rows.columns:
                hits[places], sampled = rows.columns[HITS], True
            if logp is not None and WORDS in rows.columns:
                logp[places] = rows.columns[WORDS]
            remarks.update(dict.fromkeys(rows.remarks or ()))
        return Gathered(p, Samples(hits) if sampled else Computed(), bounds, logp, tuple(remarks))


def _together(found: Sequence[Answers], places: Sequence[Sequence[int]]) -> Answers:
    """The answers to some prompts from parts of them, each with the places of its prompts."""

    def whole(parts: Sequence[FloatArray | None]) -> FloatArray | None:
        there = [part for part in parts if part is not None]
        return in_place(there, places) if len(there) == len(parts) else None

    bounds = [np.zeros(len(each.logp)) if each.bounds is None else each.bounds for each in found]
    return Answers(
        in_place([each.logp for each in found], places),
        in_place(bounds, places),
        tuple(dict.fromkeys(chain.from_iterable(each.remarks for each in found))),
        whole([each.hits for each in found]),
        whole([each.beside for each in found]),
    )


def _rows(answers: Answers, class_of_word: IntArray, classes: Sequence[str]) -> Rows:
    most = answers.logp.max(axis=1, keepdims=True)
    columns = {
        **Rows.of_classes(class_probabilities(answers.logp, class_of_word, len(classes)), classes),
        BOUND: np.zeros(len(answers.logp)) if answers.bounds is None else answers.bounds,
        **({} if answers.hits is None else {HITS: answers.hits}),
        WORDS: answers.logp - np.where(np.isfinite(most), most, 0.0),  # so that seven digits are enough
    }
    return Rows(columns, remarks=answers.remarks)
