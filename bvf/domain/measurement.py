"""A measurement: what was asked, the model, and its probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from bvf.arrays import FloatArray
from bvf.domain.answers import COMPUTED, Computed
from bvf.domain.asked import Asked
from bvf.domain.model_names import model_name
from bvf.domain.numbers import Amount, Count, Finite, Record, Share

MEASUREMENT = "bvf.measurement/1"
RECORD = "measurement.json"
"""The file that makes a folder a measurement."""
PRIOR_FOLDER = "prior"
"""The subfolder of a measurement that holds the answers for neutral subjects."""
Wording = Literal["bare", "chat", "chat-assistant", "by-context"]
WORDINGS: dict[Wording, str] = {
    "bare": "bare",
    "chat": "chat",
    "chat-assistant": "chat, assistant's turn",
    "by-context": "by context",
}
"""The name of each wording in tables, labels and messages."""
WORDING_MEANS = (
    "bare: contexts as they are; chat: each in the user's turn; chat-assistant: each begins the answer; "
    "by-context: each in the chat that it brings, or bare"
)

VARIABLES_MEAN = "Variables of the chat template that the user set, by name; values as in TOML"
DATE_MEANS = "The date that the chat template took for today's; empty: it writes none"


class ModelPackage(Record):
    """The Python package that a model was found in."""

    distribution: str
    version: str
    licence: str = Field(description="Of the package by its metadata, or of the model where bvf knows it; may be empty")
    file: str = Field(description="The model's file or folder in the package")
    digest: str = Field(
        description="SHA-256 of the file; of a folder: of the lines that `sha256sum *` would print for its files"
    )

    @property
    def described(self) -> str:
        """A phrase with the package's name, version and licence, and the model file in it."""
        return f"{self.distribution} {self.version} (licence: {self.licence or 'not stated'}), file {self.file}"


class MeasuredModel(Record):
    """The model of a measurement, and how it was prompted."""

    name: str = Field(description="Its short name, which tables and figures show")
    path: str = Field("", description="What --model said; empty: ``name`` is that, as in records of before")
    backend: str
    revision: str
    weights: str = Field(description="Digest of the weights as they were used; empty where there are none on disk")
    settings: str = Field(description="Digest of configuration, tokenizer and chat template")
    parameters: Count | None = Field(description="How many numbers the weights have; null: not known")
    read_as: str = Field("", description="Kind of the model; adapter and quantisation; empty in records of before")
    base: str = Field("", description="Folder or hub id of the model that an adapter changes; empty: no adapter")
    wording: Wording = Field(description=WORDING_MEANS)
    system: str = Field(description="What the system's turn of the chat said")
    user: str = Field("", description="What the user's turn said where contexts begin the assistant's answer")
    chat_variables: dict[str, str] = Field({}, description=VARIABLES_MEAN)
    chat_date: str = Field("", description=DATE_MEANS)
    word_boundary: bool = Field(description="A word counts only where it ends: no 'he' in 'heir'")
    start: str = Field("", description="Rule for the token before a word with nothing left of it; may be empty")
    longer_words: tuple[str, ...] | None = Field(
        (),
        description="Texts that begin with these count for none of the words, as 他们 for 他; null: the model gives a "
        "word only what ends there; empty in records of before",
    )
    tolerance: Share = Field(description="What --tolerance allowed; 0: every word was asked")
    samples: Count = Field(
        0, description="From how many continuations or texts per prompt p is estimated; 0: it is computed"
    )
    left_only: bool = Field(False, description="It read only the text left of the slot; false in records of before")
    probe: dict[str, Finite] = Field(
        default={}, description="Log p that a model without files answered to some questions, when the run began"
    )
    package: ModelPackage | None = Field(
        None, description="Where --model package:NAME found the files; null: elsewhere"
    )

    def with_short_name(self) -> "MeasuredModel":
        """Return the model with a short name and its path. In old records ``name`` is the value of --model."""
        return self if self.path else self.model_copy(update={"name": model_name(self.name), "path": self.name})


class CandidateMass(Record):
    """Sum of p-hat over all candidate words: how much of what the model would say is measured at all.

    ``mean`` is weighted by P(C), with all groups alike; the quantiles are those of the same distribution.
    """

    prompts: Count
    mean: Amount
    quantile_05: Amount
    quantile_25: Amount
    by_format: dict[str, Amount] = Field({}, description="Its mean in each format, where contexts have several")
    FLOOR: ClassVar[float] = 0.01
    """Figures are doubtful where the mean is below it."""
    SMALLEST_SHOWN: ClassVar[float] = 0.0001

    def times(self, share: float) -> "CandidateMass":
        """Return the mass of some of the words, which have this share of it."""
        formats = {name: mean * share for name, mean in self.by_format.items()}
        amounts = {name: getattr(self, name) * share for name in ("mean", "quantile_05", "quantile_25")}
        return self.model_copy(update={**amounts, "by_format": formats})

    @classmethod
    def in_percent(cls, share: float) -> str:
        """Return a share of the probability as text in percent. Small ones have more digits.

        >>> CandidateMass.in_percent(0.0123), CandidateMass.in_percent(0.000234), CandidateMass.in_percent(4e-8)
        ('1.2%', '0.02%', 'less than 0.01%')
        """
        if share < cls.SMALLEST_SHOWN:
            return f"less than {cls.SMALLEST_SHOWN:.2%}"
        return f"{share:.1%}" if share >= cls.FLOOR else f"{share:.2%}"

    @property
    def of_formats(self) -> str:
        """The mean in each format as text: ``bare 11.5%, user 0.02%``."""
        return ", ".join(f"{name} {self.in_percent(share)}" for name, share in self.by_format.items())


class ScoreCheck(Record):
    """A check of the scores on a few prompts, chosen by a seed, that are scored before the others."""

    first_prompt: str
    first_prompt_ids: list[Count] | None = Field(description="Its token ids; null where the backend has no tokens")
    batch_deviation: Amount = Field(
        description="Largest difference of a word probability between a batch and its prompts alone; of texts: the "
        "share that is not the same"
    )
    candidate_mass: CandidateMass | None = Field(
        description="null: texts were generated, and which of them can be read depends on the reader"
    )
    rounding: Amount | None = Field(
        None, description="Largest difference of a class probability of the handful from float32; null: not measured"
    )


class MeasurementRecord(Record):
    """The content of ``measurement.json``: everything of a measurement but its probabilities."""

    schema_: Literal["bvf.measurement/1"] = Field("bvf.measurement/1", alias="schema")
    identity: dict[str, str] = Field(description="Digests of everything that an answer depends on")
    asked: Asked
    model: MeasuredModel
    check: ScoreCheck
    digest: str = Field(description="Digest of the identity; shards and results name their measurement by it")
    content: str = Field("", description="Digest of everything else in this file, to detect damage")
    order: Literal["groups", "contexts"] = Field(description="In which order the questions lie in the shards")
    keeps_words: bool = Field(description="Whether log p-hat of every word is stored, not only p of the classes")
    notes: tuple[str, ...] = Field(description="What was left out or chosen, one sentence each")
    labels: dict[str, str] = Field({}, description="Labels of the run, from --label; no part of the identity")
    begun_with: dict[str, str] = Field(
        {}, description="Versions of the software that answers, at the start; the measurement goes on only with these"
    )


Redrawn = NDArray[np.unsignedinteger]
"""Counts of the templates in each bootstrap resample of the source documents, shape (C, R)."""


@dataclass(frozen=True)
class Measurement:
    """A measurement: the questions to a model (groups, contexts, words), and the class probabilities that it gave.

    Args:
        record: Everything but the arrays below: questions, model, settings.
        probabilities: p(y | x, c), shape (X, C, Y); NaN where it is missing.
        bounds: Error bound of the class probabilities of each prompt, shape (X, C).
        remarks: Notes of the backend on how it read the model.
        word_logprobs: log p-hat of every word, up to a constant per prompt, shape (X, C, W), float32 as it is stored;
            None: not read or kept.
        folder: Where it is stored; None if it is not.
        replicates: Context counts in each bootstrap resample of the source documents, shape (C, R); None: not known.
        prior: Folder for the measurement of neutral subjects, which may not exist yet; None if ``folder`` is None.
        answers: What kind of answers they are, and what there is of them beside p: hits, texts, or thoughts.
        format: The format of all its contexts, where it is that part of a run in formats; empty: it is a whole run.
    """

    record: MeasurementRecord
    probabilities: FloatArray
    bounds: FloatArray
    remarks: tuple[str, ...] = ()
    word_logprobs: NDArray[Any] | None = None
    folder: Path | None = None
    replicates: Redrawn | None = None
    prior: Path | None = None
    answers: Computed = COMPUTED
    format: str = ""

    @property
    def run_name(self) -> str:
        """Its name for messages: its folder, or its model if not stored, and its format."""
        name = str(self.folder or self.record.model.name)
        return f"{name} ({self.format})" if self.format else name

    def first_draws(self, number: int | None) -> "Measurement":
        """Return the measurement as it was when ``number`` contexts were drawn. None, or as many: unchanged."""
        asked, draws = self.record.asked, self.record.asked.draws
        if number is None or draws is None or number >= draws.number:
            return self
        asked = asked.with_draws(draws.up_to(number))
        return self.at(asked, range(len(self.probabilities)), range(len(asked.in_order)))

    def at(self, asked: Asked, rows: Sequence[int], columns: Sequence[int]) -> "Measurement":
        """Return the answers of some groups (``rows``) and contexts (``columns``), in this order.

        ``asked`` are the questions to these groups in these contexts.
        """

        def pick(values: NDArray[Any]) -> NDArray[Any]:
            whole = all(list(each) == list(range(n)) for each, n in zip((rows, columns), values.shape, strict=False))
            return values if whole else values[np.ix_(rows, columns)]

        logp, replicates = self.word_logprobs, self.replicates
        return replace(
            self,
            record=self.record.model_copy(update={"asked": asked}),
            probabilities=pick(self.probabilities),
            bounds=pick(self.bounds),
            word_logprobs=None if logp is None else pick(logp),
            replicates=None if replicates is None else replicates[columns],
            answers=self.answers.each(pick),
        )
