"""What turns prompts and words into log-probabilities."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from bvf.arrays import FloatArray, IntArray, floats
from bvf.domain.prompt import Prompt
from bvf.domain.topic import Topic
from bvf.errors import BvfError, ContractError, ScoringError

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
        word_boundary: A word is probable only where it ends: the next token begins another, or ends the sentence.
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
    word_boundary: bool = False


@dataclass(frozen=True)
class ModelFolder:
    """A model that lies inside a plugin, for ``--model bundled:NAME``."""

    path: Path
    summary: str
    language: str


class Backend(ABC):
    """A model that gives words a probability in a slot. Implement `score` and nothing else.

    ``reads_right`` says whether the text behind the slot is seen. Templates in which the group stands
    behind the slot are left out, and counted, for backends that do not see it. ``sees_word_ends`` says that
    ``word_boundary`` is heeded. ``answers_from_table`` says that
    equal answers everywhere are no sign of a fault. ``wording`` says whether the model reads the bare text of a
    context, or that text in the user's turn of a chat.
    """

    reads_right: ClassVar[bool] = True
    answers_from_table: ClassVar[bool] = False
    sees_word_ends: ClassVar[bool] = False
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
            ContractError: `score` returned another shape, or no numbers.
        """
        if not prompts or not words:
            return np.empty((len(prompts), len(words)))
        return self._checked(self.score(prompts, words, absolute=absolute), prompts, words)

    def _checked(self, answer: object, prompts: Sequence[Prompt], words: Sequence[str]) -> FloatArray:
        logp = floats(answer, f"{type(self).__name__}.score", ContractError)
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


def check_wishes(request: ModelRequest, backend: type[Backend], name: str) -> None:
    """Check that a backend does what is asked of it; its class knows that before the model is loaded.

    Raises:
        BvfError: It asks for no boundary, or reads no chats.
    """
    if request.word_boundary and not backend.sees_word_ends:
        raise BvfError(f"--word-boundary: the backend {name} asks for no boundary", "leave it out: causal models can")
    if request.chat_template and backend.wording != "chat":
        raise BvfError(
            f"--chat-template: the backend {name} reads bare texts only",
            "chat versions of Llama, Mistral and Qwen are read with --backend llama; of other models, leave it out",
        )


class Bounding(Backend):
    """A backend that can leave words out which are too improbable to matter. Implement `score_within`."""

    def logprobs_within(
        self, prompts: Sequence[Prompt], words: Sequence[str], class_of_word: IntArray, tolerance: float
    ) -> tuple[FloatArray, FloatArray]:
        """Return log p-hat up to a constant a prompt, and how far from exact class probabilities can be.

        Args:
            prompts: A whole shard; length P.
            words: Length W.
            class_of_word: Index of each word's class, shape (W,).
            tolerance: Largest change of any class probability (Eq. 8) that is allowed.

        Returns:
            Natural logarithms, shape (P, W), estimates for words that were left out; and the bound that was reached,
            shape (P,), 0 where every word was asked.

        Raises:
            ScoringError: See `word_logprobs`.
            ContractError: `score_within` returned other shapes, or a bound above the tolerance.
        """
        if not prompts or not words:
            return np.empty((len(prompts), len(words))), np.zeros(len(prompts))
        answers: object = self.score_within(prompts, words, class_of_word, tolerance)
        called = f"{type(self).__name__}.score_within"
        if not (isinstance(answers, tuple) and len(answers) == 2):
            raise ContractError(f"{called}: no pair of log-probabilities and bounds")
        bounds = floats(answers[1], f"{called}, bounds", ContractError)
        if bounds.shape != (len(prompts),) or not (bounds <= tolerance).all():
            raise ContractError(f"{called}: bounds must be one a prompt, at most {tolerance}")
        return self._checked(answers[0], prompts, words), bounds

    @abstractmethod
    def score_within(
        self, prompts: Sequence[Prompt], words: Sequence[str], class_of_word: IntArray, tolerance: float
    ) -> tuple[FloatArray, FloatArray]:
        """Map prompts and words to log-probabilities, shape (P, W), and bounds, shape (P,)."""


class Remarking(ABC):
    """A backend that has something to say of how it read the model."""

    @abstractmethod
    def remarks(self) -> list[str]:
        """Return what a reader of the result should know, one sentence each."""


class Tokenizing(ABC):
    """A backend that can show which token ids a prompt becomes."""

    @abstractmethod
    def token_ids(self, prompt: Prompt, word: str) -> list[int]:
        """Return the ids that the model reads when it is asked for the first piece of ``word``."""

    def check_tokens(self, prompts: Sequence[Prompt], words: Sequence[str]) -> None:  # noqa: B027, by default nothing
        """Check, before anything is scored, that the model can be asked: with prompts of every group and template.

        Raises:
            BvfError: A text or word cannot be written, two words are written alike, or a text is too long.
        """


class Fingerprinted(ABC):
    """A backend that can say exactly which weights it uses, and in which number format."""

    @abstractmethod
    def weights_digest(self) -> str:
        """Return a digest of the weights as they are used, or an empty string where there are none on disk."""

    def settings_digest(self) -> str:
        """Return a digest of the other files that decide on the answers: configuration, tokenizer, chat template.

        Empty where there are none.
        """
        return ""
