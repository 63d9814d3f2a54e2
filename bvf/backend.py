"""What turns prompts and words into log-probabilities."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from bvf.errors import ContractError, ScoringError
from bvf.prompt import Prompt
from bvf.topic import Topic

FloatArray = NDArray[np.float64]
Wording = Literal["bare", "chat"]


@dataclass(frozen=True)
class ModelRequest:
    """Which model to load, and how.

    Args:
        model: Hub id, folder, or what stands behind ``backend:`` in ``--model``.
        topic: The topic that will be asked about, for backends that answer from a table.
        unbiased: p* by group, shape (|Y|,) each, for the reference models.
        revision: Branch, tag or commit on the hub.
        device: ``auto``, ``cpu``, ``cuda``, ``cuda:1``, ``mps``.
        dtype: ``auto``, ``float32``, ``bfloat16``, ``float16``.
        device_map: accelerate's device map (``auto``) for models larger than one device; empty: one device.
        trust_remote_code: Run code that comes with the model.
        allow_pickle: Read weights that are not safetensors.
        batch_tokens: Tokens a batch; 0 grows and backs off by itself.
        chat_template: Put every context into the user's turn of the model's chat template.
        system: What the system's turn says; empty: there is none.
    """

    model: str
    topic: Topic
    unbiased: dict[str, FloatArray] = field(default_factory=dict)
    revision: str = ""
    device: str = "auto"
    dtype: str = "auto"
    device_map: str = ""
    trust_remote_code: bool = False
    allow_pickle: bool = False
    batch_tokens: int = 0
    chat_template: bool = False
    system: str = ""


@dataclass(frozen=True)
class ModelFolder:
    """A model that lies inside a plugin, for ``--model bundled:NAME``."""

    path: Path
    summary: str
    language: str


class Backend(ABC):
    """A model that gives words a probability in a slot. Implement `score` and nothing else.

    ``reads_right`` says whether the text behind the slot is seen. Templates in which the group stands
    behind the slot are left out, and counted, for backends that do not see it. ``answers_from_table`` says that
    equal answers everywhere are no sign of a fault. ``wording`` says whether the model reads the bare text of a
    context, or that text in the user's turn of a chat.
    """

    reads_right: ClassVar[bool] = True
    answers_from_table: ClassVar[bool] = False
    wording: ClassVar[Wording] = "bare"

    @property
    def model_name(self) -> str:
        """What error messages call the model."""
        return type(self).__name__

    def word_logprobs(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool = True) -> FloatArray:
        """Return log p-hat(v | x, c) of every word in the slot of every prompt.

        Args:
            prompts: A whole shard, so that work can be shared; length P.
            words: Candidate words as they are written inside a sentence; length W.
            absolute: Normalised over the whole vocabulary. Otherwise a constant a prompt may be added,
                which Eq. 8 cancels.

        Returns:
            Natural logarithms, shape (P, W), float64, -inf for a word that cannot come; <= 0 if absolute.

        Raises:
            ScoringError: A value is NaN or +inf; names the model and the first such prompt.
            ContractError: `score` returned another shape.
        """
        if not prompts or not words:
            return np.empty((len(prompts), len(words)))
        logp = np.asarray(self.score(prompts, words, absolute=absolute), dtype=np.float64)
        if logp.shape != (len(prompts), len(words)):
            raise ContractError(
                f"{type(self).__name__}.score gave shape {logp.shape}, not {(len(prompts), len(words))}"
            )
        wrong = np.isnan(logp) | (logp == np.inf)
        if wrong.any():
            row, column = np.argwhere(wrong)[0]
            raise ScoringError(
                f'{self.model_name} gave {logp[row, column]} for "{words[column]}" in "{prompts[row]}"',
                "the weights may be damaged, or too large for this number format: try --dtype float32",
            )
        return logp

    @abstractmethod
    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> FloatArray:
        """Map prompts and words to log-probabilities, shape (P, W)."""


class Tokenizing(ABC):
    """A backend that can show which token ids a prompt becomes."""

    @abstractmethod
    def token_ids(self, prompt: Prompt, word: str) -> list[int]:
        """Return the ids that the model reads when it is asked for the first piece of ``word``."""


class Fingerprinted(ABC):
    """A backend that can say exactly which weights it uses, and in which number format."""

    @abstractmethod
    def weights_digest(self) -> str:
        """Return a digest of the weights as they are used, or an empty string where there are none on disk."""
