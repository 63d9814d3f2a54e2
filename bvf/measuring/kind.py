"""Kinds of answers: what a model is asked for, and how its answers are stored and read. Plugins bring further ones."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from bvf.arrays import FloatArray, IntArray
from bvf.asking.model import ChosenModel
from bvf.domain.answers import Computed
from bvf.domain.asked import Asked, AskedTemplate
from bvf.domain.measurement import CandidateMass, Measurement, MeasurementRecord, ScoreCheck
from bvf.domain.prompt import Prompt
from bvf.domain.topic import Topic
from bvf.domain.variants.formats import FORMAT
from bvf.errors import BvfError, nearest
from bvf.files.shard_files import Layout, Rows
from bvf.hooks.installed import FAILED, because_broken, parts_of
from bvf.hooks.loader import Plugins
from bvf.hooks.provider import Provider
from bvf.interfaces.backend import Backend, Tolerance
from bvf.interfaces.texts import NamedReader
from bvf.measuring.config import MeasureConfig
from bvf.measuring.questions import Questions
from bvf.stats.figures.quantiles import weighted_quantile
from bvf.stats.sampling.sampled_answers import Exact


@dataclass(frozen=True)
class Gathered:
    """The answers of a model, by question.

    Args:
        probabilities: p(y | x, c), shape (X * C, Y); NaN where it is missing, or not known yet.
        answers: What there is of them beside p, in arrays whose first axis is X * C.
        bounds: Error bound of the class probabilities of each question, shape (X * C,); None: they are exact.
        logp: log p-hat of every word, shape (X * C, W), float32 as it is stored; None: not read.
        remarks: Remarks of the backend.
    """

    probabilities: FloatArray
    answers: Computed
    bounds: FloatArray | None = None
    logp: "np.ndarray[Any, Any] | None" = None
    remarks: tuple[str, ...] = ()


class AnswerKind(ABC):
    """A kind of answers: what a model is asked for, and how its answers are stored and read.

    Attributes:
        writes: The model writes, so that it is asked with what stands left of the slot alone.
        scores_words: It is asked for probabilities of words, which do not count where a longer word begins with them.
        needs_reader: p is known when a reader has read the answers.
        asks_in_forms: Each group is asked for the forms of words that agree with it.
    """

    writes: ClassVar[bool] = True
    scores_words: ClassVar[bool] = True
    needs_reader: ClassVar[bool] = False
    asks_in_forms: ClassVar[bool] = False

    @abstractmethod
    def drawn(self, config: MeasureConfig) -> Mapping[str, Any]:
        """Return how the model writes: ``generation`` or ``thinking`` of its request; empty: it does not write.

        Raises:
            BvfError: An option is for another kind, or the choices do not go together.
        """

    @staticmethod
    def refuse(config: MeasureConfig, names: Sequence[str], why: str, hint: str) -> None:
        """Raise `BvfError` if one of some options is not at its default."""
        for option in config.chosen_of(names):
            raise BvfError(f"{option}{why}", hint)

    def refuse_agreeing(self, topic: Topic) -> None:
        """Raise `BvfError` if the words of a topic agree with groups, and these answers are read in one form."""
        if topic.words_agree_with and not self.asks_in_forms:
            raise BvfError(
                f"the words of {topic.name} agree with groups, and this --reading looks for one form of each",
                "leave --reading out, or take a topic without words_agree_with",
            )

    @abstractmethod
    def settled(self, config: MeasureConfig, model: ChosenModel) -> MeasureConfig:
        """Return the configuration with defaults that depend on the model.

        Raises:
            BvfError: The model cannot answer like this.
        """

    @abstractmethod
    def check(self, plan: Any, backend: Backend, in_float32: FloatArray | None) -> ScoreCheck:
        """Ask the model a few questions of a `bvf.study.Plan` before it is asked all.

        ``in_float32`` is log p of the words for ``plan.handful`` in float32, shape (P, W), where the model rounds.

        Raises:
            ScoringError: Its answers cannot be right.
        """

    @abstractmethod
    def layout(self, record: MeasurementRecord) -> Layout:
        """Return the columns of the shards in which the answers of a measurement are stored."""

    @abstractmethod
    def ask(self, backend: Backend, prompts: Sequence[Prompt], asked: Questions, tolerance: Tolerance) -> Rows:
        """Return the answers to the prompts of a shard, without their questions; what is not in `layout` is dropped."""

    def ask_beside(
        self, backend: Backend, prompts: Sequence[Prompt], asked: Questions, tolerance: Tolerance, words: Sequence[str]
    ) -> tuple[Rows, Rows | None]:
        """As `ask`, and the probabilities of further words, each a class, that the same forward passes give.

        None: there are no such words, or these answers have no probabilities of words.
        """
        return self.ask(backend, prompts, asked, tolerance), None

    @abstractmethod
    def gathered(self, asked: Questions, parts: Iterable[tuple[IntArray, Rows]], *, words: bool) -> Gathered:
        """Put shards together. ``parts`` are the numbers of questions with their answers.

        ``words``: log p-hat of every word is stored, and wanted.
        """

    @staticmethod
    def candidate_mass(mass: FloatArray, weights: FloatArray, contexts: Sequence[AskedTemplate]) -> CandidateMass:
        """Return the distribution of the candidate mass over prompts, and its mean in each format.

        Args:
            mass: The candidate mass of each prompt, shape (P,); of texts: the share that was read.
            weights: How much each prompt counts, shape (P,), sums to 1.
            contexts: The context of each prompt, length P.
        """
        formats = np.array([context.columns.get(FORMAT, "") for context in contexts])
        named = [name for name in dict.fromkeys(formats.tolist()) if name and weights[formats == name].any()]
        return CandidateMass(
            prompts=len(mass),
            mean=float(weights @ mass),
            quantile_05=weighted_quantile(mass, weights, 0.05),
            quantile_25=weighted_quantile(mass, weights, 0.25),
            by_format={n: float(np.average(mass[formats == n], weights=weights[formats == n])) for n in named},
        )

    def is_sound(self, rows: Rows, asked: Questions) -> bool:
        """Whether the columns of a file hold such answers."""
        return True

    def are_alike(self, one: Rows, other: Rows, asked: Questions) -> bool:
        """Whether two machines answered the same questions alike but for rounding. What is drawn is never compared."""
        return True

    def begun(self, prompt: Prompt) -> Prompt:
        """Return a prompt as the model reads it where it answers."""
        return prompt

    def reader(self, name: str, asked: Asked, plugins: Plugins) -> NamedReader | None:
        """Return the reader that ``--reader`` names, or the default one; None: nothing is read.

        Raises:
            BvfError: There is no such reader, it does not fit the classes, or there is nothing to read.
        """
        if name:
            message = f"--reader {name}: the model was asked for probabilities, and wrote no text"
            raise BvfError(message, "leave it out, or measure with --reading generated")
        return None

    def reader_of(self, result: Any) -> str:
        """Return the value of ``--reader`` by which a stored result is computed again.

        A run may be of anybody: the reader opens, loads and reaches nothing that the result names.
        """
        return str(result.reader)

    def read(
        self, measurement: Measurement, reader: NamedReader | None, words: Mapping[str, tuple[str, ...]]
    ) -> Measurement:
        """Return a measurement with p(y | x, c) as a reader reads the answers; read already, it is unchanged.

        ``words`` are the words of each class that count; classes without an entry keep all.

        Raises:
            BvfError: A word was not asked for, or nothing could be read.
        """
        return measurement

    def told(self, measurement: Measurement, predictions: Any) -> Mapping[str, Any]:
        """Return what a result says of the answers, by its field: one per entry of `drawn`, and ``described``.

        ``predictions`` are the `bvf.Predictions` of the measurement, which is read.
        """
        return {}

    def doubt(self, study: Any) -> tuple[Any, ...]:
        """Return what is not known of how the answers of a `bvf.Study` were read: fields of `Doubt`, or nothing."""
        return ()

    def basis(self, answers: Computed, margin: Callable[[FloatArray], FloatArray]) -> Exact:
        """Return what p rests on, if it is no share of samples. ``margin`` sums p over classes of the last axis."""
        return Exact()


def kind_called(name: str) -> AnswerKind:
    """Return the kind of answers that ``--reading`` calls by this name; its plugin must be installed.

    Raises:
        BvfError: None is called so.
    """
    offered = parts_of("bvf_answers")
    if name not in offered:
        broken = because_broken("bvf_answers", name, FAILED)
        raise BvfError(f'--reading: there is no kind of answers "{name}"', broken or nearest(name, list(offered)))
    return _made(offered[name])


@cache
def _made(offered: Provider[AnswerKind]) -> AnswerKind:
    return offered.load()()


def as_read(measurement: Measurement, reader: NamedReader | None, words: Mapping[str, tuple[str, ...]]) -> Measurement:
    """Return a measurement with p(y | x, c) as its kind of answers reads them; see `AnswerKind.read`."""
    return kind_called(measurement.record.asked.reading).read(measurement, reader, words)
