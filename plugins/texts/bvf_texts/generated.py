"""Texts that a model generates, which a reader reads."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from bvf import Backend, BvfError, ChosenModel, MeasureConfig, Measurement, Prompt, Study
from bvf.domain import Asked, Generation, MeasurementRecord, ScoreCheck
from bvf.errors import ScoringError
from bvf.files import Rows
from bvf.hooks import Plugins
from bvf.interfaces import Tolerance, Writing
from bvf.stats import FloatArray, IntArray
from bvf.study import AnswerKind, Gathered, Plan, Questions
from bvf_texts.answers import Written
from bvf_texts.around import CUT, answer_in
from bvf_texts.asking import share_of_others, texts_owing, written_texts
from bvf_texts.misread import doubt_of
from bvf_texts.reader import ChosenReader
from bvf_texts.readers.as_kept import KEPT
from bvf_texts.reading import as_read, chosen_reader

FEW_TEXTS = 2
"""Texts per prompt that are written for a check, and prompts whose texts are written alone too."""


def owed_names(classes: Sequence[str]) -> list[str]:
    """Return the names of the columns with what texts owe to the words of classes."""
    return [f"owed_{name}" for name in classes]


class Texts(AnswerKind):
    """Generated texts. p is known when a reader has read them."""

    scores_words = False
    needs_reader = True

    def drawn(self, config: MeasureConfig) -> Mapping[str, Any]:
        words, its = ("tolerance", "keep_words"), "with --reading generated"
        self.refuse(config, words, f": no probability of a word is computed {its}", "leave it out")
        self.refuse(config, ("thoughts",), f": the model does not think {its}", "add --reading thought")
        return {"generation": Generation.of(config.samples, config.tokens, config.temperature, config.seed)}

    def settled(self, config: MeasureConfig, model: ChosenModel) -> MeasureConfig:
        if not model.description.capabilities.writes_texts:
            raise BvfError(
                f"--reading generated: the backend {model.backend} writes no texts",
                "choose a causal model, or a server: bvf backends",
            )
        return config

    def check(self, plan: Plan, backend: Backend, in_float32: FloatArray | None) -> ScoreCheck:
        """Check that prompts are short enough and texts are not empty, and count those that are others in a batch."""
        generation: Generation = plan.drawn["generation"]
        if isinstance(backend, Writing):
            for prompts in plan.blocks(plan.questions.of_longest_name()):
                backend.check_lengths(prompts, generation)
        few, asked = generation.model_copy(update={"samples": min(generation.samples, FEW_TEXTS)}), plan.handful
        plan.checking("part 1 of 2, a few prompts together")
        together = written_texts(backend, asked, few)
        answers, number = [answer_in(text) for texts in together for text in texts], len(asked) * few.samples
        if all(answer.why == CUT for answer in answers):
            raise ScoringError(
                f"{plan.model.name} has not answered yet: all {number} texts of a few prompts end within a thought",
                f"let it write longer texts: --tokens, which is {few.tokens}",
            )
        if not any(answer.text.strip() or answer.why for answer in answers):
            raise ScoringError(
                f"{plan.model.name} writes nothing: all {number} texts of a few prompts are empty",
                "look at what it reads: bvf run --dry-run; a chat model may need --chat-turn",
            )
        plan.checking("part 2 of 2, some of them alone")
        alone = [written_texts(backend, [prompt], few)[0] for prompt in asked[:FEW_TEXTS]]
        return ScoreCheck(
            first_prompt=str(plan.prompts([0])[0]),
            first_prompt_ids=None,
            batch_deviation=share_of_others(alone, together),
            candidate_mass=None,
        )

    def layout(self, record: MeasurementRecord) -> dict[str, type[str] | None]:
        return {"text": str, **dict.fromkeys(owed_names(record.asked.classes))}

    def ask(self, backend: Backend, prompts: Sequence[Prompt], asked: Questions, tolerance: Tolerance) -> Rows:
        words = [np.array(asked.words)[asked.class_of_word == y].tolist() for y in range(len(asked.classes))]
        texts, owed = texts_owing(backend, prompts, asked.drawn["generation"], words)
        columns: dict[str, Any] = {"text": list(chain.from_iterable(texts))}
        if owed is not None:
            columns |= zip(owed_names(asked.classes), owed.reshape(-1, len(words)).T, strict=True)
        return Rows(columns, asked.samples)

    def gathered(self, asked: Questions, parts: Iterable[tuple[IntArray, Rows]], *, words: bool) -> Gathered:
        texts, shape = np.empty(asked.size, dtype=np.object_), (asked.samples, len(asked.classes))
        owed: FloatArray = np.full((asked.size, *shape), np.nan)
        for places, rows in parts:
            for place, of_prompt in zip(places.tolist(), rows.texts("text"), strict=True):
                texts[place] = of_prompt
            if rows.columns.keys() >= set(owed_names(asked.classes)):
                owing = [rows.columns[name] for name in owed_names(asked.classes)]
                owed[places] = np.stack(owing, axis=-1).reshape(-1, *shape)
        return Gathered(np.full((asked.size, len(asked.classes)), np.nan), Written(texts, owed))

    def reader(self, name: str, asked: Asked, plugins: Plugins) -> ChosenReader:
        return chosen_reader(name, asked, plugins)

    def reader_of(self, result: Any) -> str:
        by = result.texts.read_by if result.texts else ""
        return f"{KEPT}:{by} {result.reader}" if ":" in result.reader else result.reader

    def read(self, measurement: Measurement, reader: Any, words: Mapping[str, tuple[str, ...]]) -> Measurement:
        return as_read(measurement, reader, words)

    def told(self, measurement: Measurement, predictions: Any) -> Mapping[str, Any]:
        return {"texts": measurement.answers.summary}

    def doubt(self, study: Study) -> tuple[Any, ...]:
        return doubt_of(study)
