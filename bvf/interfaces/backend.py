"""The interface of a backend, which returns log-probabilities of words in prompts, and the tolerance of a run."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from bvf.arrays import FloatArray, IntArray, floats
from bvf.domain.generation import Generation, Thinking
from bvf.domain.measurement import Wording
from bvf.domain.prompt import Prompt
from bvf.domain.topic import Topic
from bvf.errors import ContractError, ScoringError
from bvf.interfaces.engine import Share

MOST_IN_ONE_PROMPT = 10.0
"""No prompt may be further off than this many times the tolerance, since figures of single contexts are shown, too."""


@dataclass(frozen=True)
class Tolerance:
    """How far class probabilities (Eq. 8) may be off where words are left out.

    A risk r_x is a mean over the contexts of a group. So what counts is a mean of error bounds: for the prompts of each
    group, the mean of their bounds with the weights of their contexts must be at most ``value``; and each single bound
    at most ten times that.

    Args:
        value: The largest mean of error bounds, from 0 to 1.
        groups: Number of each prompt's group, shape (P,).
        weights: The positive weight of each prompt in the mean of its group, shape (P,).
    """

    value: float
    groups: IntArray
    weights: FloatArray

    @classmethod
    def on_each(cls, value: float, prompts: int) -> "Tolerance":
        """Return the tolerance that allows an error bound of at most ``value`` for each single prompt."""
        return cls(value, np.arange(prompts), np.ones(prompts))

    @cached_property
    def group_places(self) -> IntArray:
        """The number of each prompt's group if groups are counted 0, 1, 2, and so on without gaps, shape (P,)."""
        return np.unique(self.groups, return_inverse=True)[1]

    def needed(self, bounds: FloatArray) -> FloatArray:
        """Return, for each prompt, the smallest value that allows the error bounds of its group, shape (P,).

        ``bounds`` has the error bound of each prompt, shape (P,).
        """
        place = self.group_places
        means = np.bincount(place, self.weights * bounds) / np.bincount(place, self.weights)
        highest = np.zeros(len(means))
        np.maximum.at(highest, place, bounds)
        return np.maximum(means, highest / MOST_IN_ONE_PROMPT)[place]

    def of(self, prompts: Sequence[int] | IntArray) -> "Tolerance":
        """Return the tolerance for some of the prompts. If all such parts keep theirs, the whole keeps its own."""
        return replace(self, groups=self.groups[prompts], weights=self.weights[prompts])

    def of_distinct(self, places: Sequence[int] | IntArray) -> "Tolerance":
        """Return the tolerance for distinct prompts, of which ``places`` has the number of each prompt, shape (P,).

        Numbers are 0, 1, 2, and so on. A distinct prompt that two groups have in common is a group of its own.
        """
        weights: FloatArray = np.bincount(places, self.weights).astype(np.float64)
        first, last = np.full(len(weights), np.iinfo(np.int64).max), np.full(len(weights), -1)
        np.minimum.at(first, places, self.groups)
        np.maximum.at(last, places, self.groups)
        alone = last.max(initial=-1) + 1 + np.arange(len(weights))
        return Tolerance(self.value, np.where(first == last, first, alone), weights)


RUNTIME = "changes no answer"
"""Metadata of an option, as ``Annotated[str, RUNTIME]``: a run may go on with another value of this option."""
ABOVE_ZERO = 1e-4
"""How far rounding may bring the logarithm of a probability above 0."""
RELATIVE_ROUNDING = 1e-9
"""By what share of itself rounding may bring a mean of error bounds above the tolerance."""


@dataclass(frozen=True)
class ModelRequest:
    """The request for a model: which one to load, the topic of its prompts, options, threads and devices.

    Args:
        model: Hub id, folder, or the text right of the colon in ``--model BACKEND:MODEL``.
        topic: The topic of the prompts, for backends that look probabilities up in a table.
        unbiased: p* by group, shape (|Y|,) each, for backends that are reference models.
        options: The provider's own options as the user set them; None: it has none, or all have their defaults.
        share: The threads of this machine that the backend may use, and which of several devices.
        generation: Which texts the model is to write; None: probabilities of words are asked for.
        thinking: How it is to think before the words are scored; None: it does not think.
        longer_words: Texts that begin with these count for none of the words: 他们 (they) begins with 他 (he).
        in_chats: Contexts bring chats of their own, and an option may say by which template.
    """

    model: str
    topic: Topic
    unbiased: dict[str, FloatArray] = field(default_factory=dict)
    options: Any = None
    share: Share = field(default_factory=Share)
    generation: Generation | None = None
    thinking: Thinking | None = None
    longer_words: tuple[str, ...] = ()
    in_chats: bool = False


@dataclass(frozen=True)
class ModelFolder:
    """The folder of a model that is shipped inside a plugin, for ``--model bundled:NAME``, and the model's language."""

    path: Path
    summary: str
    language: str


@dataclass(frozen=True)
class Capabilities:
    """The capabilities of a backend, known before a model is loaded, so that impossible runs are refused early.

    Args:
        reads_right: The backend sees the text right of the slot. If it does not, results say in what share of the
            contexts words stand there; and unless it reaches the group, templates in which the group stands there are
            left out, and their number is noted.
        reaches_group: Where the group stands right of the slot, it scores each word together with the text up to the
            end of the group, p(v, x | c), for which Eq. 8 gives p(y | x, c) by Bayes' rule. It reads no further text.
        leaves_words_out: It can leave out words too improbable to change class probabilities beyond a tolerance.
        answers_from_table: It looks probabilities up in a table, so that equal ones for all prompts are not a fault.
        wording: Whether the model reads the bare text of a context, that text in the user's turn of a chat, or that
            text as the beginning of the assistant's answer.
        media: Kinds of media that the model takes with a text, such as ``image``; contexts with others are refused.
        reads_chats: It puts a prompt into the chat that the prompt brings, and in any chat behind what was said before;
            if not, contexts with chats and conversations are refused.
        writes_texts: It is a `bvf.interfaces.Writing`, for ``--reading generated``.
        thinks: It is a `bvf.interfaces.ThinkingBackend`, for ``--reading thought``.
        lists_tokens: It is a `bvf.interfaces.TokenCounting` with `single_tokens`, for ``--other-words``.
        reads_beside: Its `score_beside` reads further words of one token where it reads the others, so that every run
            has other words.
    """

    reads_right: bool = True
    reaches_group: bool = False
    leaves_words_out: bool = False
    answers_from_table: bool = False
    wording: Wording = "bare"
    media: frozenset[str] = frozenset()
    reads_chats: bool = False
    writes_texts: bool = False
    thinks: bool = False
    lists_tokens: bool = False
    reads_beside: bool = False

    @property
    def sees_group_right_of_slot(self) -> bool:
        """Whether templates in which the group stands right of the slot can be asked."""
        return self.reads_right or self.reaches_group


@dataclass(frozen=True)
class ModelDescription:
    """The description of a model before it is loaded: its capabilities, digests, and number of parameters.

    Args:
        capabilities: What its backend can do.
        weights: A digest of the weights and their number format as used; empty: there are no weights on disk.
        settings: A digest of the other files that probabilities depend on: configuration, tokenizer, chat template.
        parameters: Number of parameters in the weights; None: not known.
        read_as: Anything else that probabilities depend on: the model's kind, or that its own code is executed.
        revision: Branch, tag or commit of the files, if one was named.
        word_boundary: A word counts only where it ends: no 'he' in 'heir'.
        start: The rule for the token before a word with nothing left of it, as an option names it; or empty.
        longer_words: Texts that begin with these count for none of the words: those of the request, if the backend can
            tell such texts; None: it gives a word only what ends there, as masked models do, so that there are none.
        system: The system's turn of a chat; empty: there is none.
        user: The user's turn where contexts begin the assistant's answer; else empty.
        chat_variables: Variables of the chat template that the user set, as texts by name.
        chat_date: The date that the chat template takes for today's; empty: it writes none.
        rounds: Options under which the weights are not rounded, as ``{"dtype": "float32"}``; empty: they never are.
        libraries: Python distributions whose versions are recorded with the measurement.
        samples: Number of continuations per prompt from which probabilities are estimated; 0: they are computed.
        probe: For a model that no file identifies: its log-probabilities (natural) for some questions of the backend,
            by question. A run goes on only while they stay the same but for rounding.
        name: The name in the model's own files; empty: there is none, and the path is the name.
        base: The folder or hub id of the model whose weights an adapter changes; empty: it is no adapter.
        memory: Bytes that the weights take once they are loaded; None: not known, or they are on several devices.
        in_main_memory: They are loaded into the main memory; False: into the memory of an accelerator.
    """

    capabilities: Capabilities = field(default_factory=Capabilities)
    weights: str = ""
    settings: str = ""
    parameters: int | None = None
    read_as: str = ""
    revision: str = ""
    word_boundary: bool = False
    start: str = ""
    longer_words: tuple[str, ...] | None = None
    system: str = ""
    user: str = ""
    chat_variables: Mapping[str, str] = field(default_factory=dict)
    chat_date: str = ""
    rounds: Mapping[str, Any] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()
    samples: int = 0
    probe: Mapping[str, float] = field(default_factory=dict)
    name: str = ""
    base: str = ""
    memory: int | None = None
    in_main_memory: bool = True


@dataclass(frozen=True)
class Answers:
    """What a backend returns for prompts: log-probabilities of words, and what is known of their errors.

    Args:
        logp: log p-hat of every word in every prompt, natural logarithms, shape (P, W); -inf for an impossible word;
            estimates for words that were left out.
        bounds: Error bound of the class probabilities (Eq. 8) of each prompt, shape (P,); None: they are exact. p-hat
            of a word in ``logp`` is then at the middle of what it may be.
        remarks: Notes for readers of the result on how the model was read, one sentence each.
        hits: If probabilities are estimated by sampling: how many continuations of each prompt were a candidate word,
            shape (P,); None: probabilities are computed.
        beside: Log p-hat of the words that were asked beside these, up to a constant per prompt; None: there are none.
    """

    logp: FloatArray
    bounds: FloatArray | None = None
    remarks: tuple[str, ...] = ()
    hits: FloatArray | None = None
    beside: FloatArray | None = None


class Backend(ABC):
    """A model that gives words a probability in a prompt's slot. Implement `score` and declare ``capabilities``."""

    capabilities: ClassVar[Capabilities] = Capabilities()

    @property
    def model_name(self) -> str:
        """The name of the model in error messages."""
        return type(self).__name__

    def word_logprobs(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool = True) -> FloatArray:
        """Return log p-hat(v | x, c), the model's log-probability, of every word in the slot of every prompt.

        Args:
            prompts: A whole shard, so that work can be shared; length P.
            words: Candidate words as they are written inside a sentence; length W.
            absolute: Normalised over the whole vocabulary. Otherwise a constant per prompt may be added,
                which Eq. 8 cancels.

        Returns:
            Natural logarithms, shape (P, W), float64, -inf for an impossible word; <= 0 if absolute.

        Raises:
            ScoringError: A value is NaN or +inf, or above 0 if absolute; the message names the first such prompt.
            ContractError: `score` returned another shape, or no numbers.
        """
        if not prompts or not words:
            return np.empty((len(prompts), len(words)))
        logp = self._checked(self.score(prompts, words, absolute=absolute), prompts, words).logp
        if absolute and logp.max() > ABOVE_ZERO:
            row, column = np.argwhere(logp > ABOVE_ZERO)[0]
            raise ScoringError(
                f'{self.model_name} gave log p = {logp[row, column]:g} for "{words[column]}" in "{prompts[row]}": '
                "above 0, so no probability",
                "are these logits? the backend has to normalise them where it is asked for absolute ones",
            )
        return logp

    def answers(
        self,
        prompts: Sequence[Prompt],
        words: Sequence[str],
        class_of_word: IntArray,
        tolerance: Tolerance,
        beside: Sequence[str] = (),
    ) -> Answers:
        """Return `Answers`: log p-hat up to a constant per prompt, error bounds of class probabilities, and remarks.

        Args:
            prompts: A whole shard; length P.
            words: Candidate words; length W.
            class_of_word: Index of each word's class, shape (W,).
            tolerance: How far class probabilities (Eq. 8) may be off by leaving words out; its value 0: all are scored.
            beside: Further words, which belong to no class and change nothing for the others.

        Raises:
            ScoringError: A log-probability is NaN or otherwise impossible, or the error bounds are above the tolerance.
            ContractError: `score` or `score_within` returned other shapes, no numbers, or invalid bounds or hits.
        """
        if not prompts or not words:
            return Answers(np.empty((len(prompts), len(words))))
        if beside:
            together = self.score_beside(prompts, words, class_of_word, tolerance, beside)
            read = self._checked(Answers(together.beside), prompts, beside, "score_beside").logp  # type: ignore[arg-type]
            answers = replace(self._checked(together, prompts, words, "score_beside"), beside=read)
        elif tolerance.value and self.capabilities.leaves_words_out:
            given = self.score_within(prompts, words, class_of_word, tolerance)
            implemented = type(self).score_within is not Backend.score_within
            answers = self._checked(given, prompts, words, "score_within" if implemented else "score")
        else:
            answers = self._checked(self.score(prompts, words, absolute=False), prompts, words)
        reached = 0.0 if answers.bounds is None else float(tolerance.needed(answers.bounds).max())
        if reached > tolerance.value * (1.0 + RELATIVE_ROUNDING):
            raise ScoringError(
                f"{self.model_name}: class probabilities are known only to within {reached:.2g}",
                f"--tolerance {_up_to_two_digits(reached):g} takes that",
            )
        return answers

    def _checked(
        self, given: object, prompts: Sequence[Prompt], words: Sequence[str], method: str = "score"
    ) -> Answers:
        answers = given if isinstance(given, Answers) else Answers(given)  # type: ignore[arg-type] # checked below
        called, shape = f"{type(self).__name__}.{method}", (len(prompts), len(words))
        logp = floats(answers.logp, called, ContractError)
        if logp.shape != shape:
            raise ContractError(f"{called} gave shape {logp.shape}, not {shape}")
        wrong = np.isnan(logp) | (logp == np.inf)
        if wrong.any():
            row, column = np.argwhere(wrong)[0]
            raise ScoringError(
                f'{self.model_name} gave {logp[row, column]} for "{words[column]}" in "{prompts[row]}"',
                "the weights may be damaged, or too large for this number format: try --dtype float32",
            )
        bounds = _of_each_prompt(answers.bounds, f"{called}, bounds", len(prompts))
        hits = _of_each_prompt(answers.hits, f"{called}, hits", len(prompts))
        return Answers(logp, bounds, tuple(answers.remarks), hits)

    @abstractmethod
    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> Answers | FloatArray:
        """Return log p-hat (log-probabilities) of words in prompts, (P, W), or `Answers`, with bounds and remarks."""

    def score_within(
        self, prompts: Sequence[Prompt], words: Sequence[str], class_of_word: IntArray, tolerance: Tolerance
    ) -> Answers | FloatArray:
        """Return log p-hat of words up to a constant per prompt. Words too improbable to matter may be left out.

        `Answers.bounds` say how far the class probabilities of each prompt may be off. They are small enough if
        `Tolerance.needed` returns no more than the tolerance's value. Backends with the capability ``leaves_words_out``
        override this method.
        """
        return self.score(prompts, words, absolute=False)

    def score_beside(
        self,
        prompts: Sequence[Prompt],
        words: Sequence[str],
        class_of_word: IntArray,
        tolerance: Tolerance,
        beside: Sequence[str],
    ) -> Answers:
        """Return exactly what `answers` returns for ``words`` alone, with log p-hat of further words as its ``beside``.

        Backends with the capability ``reads_beside`` override this method, and read words of one token in the same
        forward passes. By default further words are scored by themselves.
        """
        answers = self.answers(prompts, words, class_of_word, tolerance)
        return replace(answers, beside=self._checked(self.score(prompts, beside, absolute=False), prompts, beside).logp)


def _up_to_two_digits(number: float) -> float:
    """Return the smallest number with two digits that is at least ``number``, which is above 0."""
    digits = 1 - math.floor(math.log10(number))
    return math.ceil(number * 10.0**digits * (1.0 - RELATIVE_ROUNDING)) / 10.0**digits


def _of_each_prompt(given: FloatArray | None, called: str, prompts: int) -> FloatArray | None:
    """Return ``given`` as an array. Raises `ContractError` unless it is None or has a number >= 0 per prompt."""
    if given is None:
        return None
    numbers = floats(given, called, ContractError)
    if numbers.shape != (prompts,) or not (numbers >= 0).all():
        raise ContractError(f"{called} must be one number of 0 or more per prompt")
    return numbers


class Tokenizing(ABC):
    """A backend that can show the token ids that it makes of a prompt and a word."""

    @abstractmethod
    def token_ids(self, prompt: Prompt, word: str) -> list[int]:
        """Return the token ids that the model reads to predict the first token of ``word``."""

    def text_of(self, ids: Sequence[int]) -> str:
        """Return the text of token ids, special tokens included. Empty: it is not known."""
        return ""

    def check_tokens(self, prompts: Sequence[Prompt], words: Sequence[str]) -> None:  # noqa: B027, by default nothing
        """Check, before scoring, that all texts and words can be tokenized.

        ``prompts`` contain every group and template.

        Raises:
            BvfError: A text or word cannot be tokenized, two words have the same tokens, or a text is too long.
        """


class WordMass(ABC):
    """A backend that can sum the probabilities of all words without scoring words too improbable to matter."""

    @abstractmethod
    def word_mass(
        self, prompts: Sequence[Prompt], words: Sequence[str], class_of_word: IntArray, tolerance: float
    ) -> FloatArray:
        """Return the summed probability p-hat of all words in the slot, given what the model reads, shape (P,).

        Where a backend scores words together with a group right of the slot, it is the share of these words among what
        may stand between the text and the group: p(v, x | c) of all words over that of all words and of whatever else
        the backend tries.

        Words may be left out that can move no class probability (Eq. 8) by more than ``tolerance``; 0: none.
        ``class_of_word`` is the index of each word's class, shape (W,).
        """


class Metered(ABC):
    """A backend whose use costs money."""

    @abstractmethod
    def check_budget(self, prompts: Sequence[Prompt], words: Sequence[str], number: int) -> None:
        """Check, before scoring, that the budget covers a run of ``number`` prompts (or texts) such as these.

        Raises:
            BvfError: The run would cost more than is allowed; the message says how much.
        """


class TokenCounting(ABC):
    """A backend that can say how many tokens a word or sentence has."""

    @abstractmethod
    def token_counts(self, prompt: Prompt, words: Sequence[str]) -> list[int]:
        """Return the number of tokens of each word in the slot of a prompt.

        Raises:
            BvfError: A word cannot be tokenized there, or two words have the same tokens.
        """

    def single_tokens(self) -> Sequence[str]:
        """Return the text of each token of the vocabulary, in its order, as words inside a sentence have it.

        Some are no words, or have more tokens in a slot: `token_counts` says so. Empty: they are not known.
        """
        return ()


@dataclass(frozen=True)
class TextTokens:
    """The tokens of a text, without the special tokens around it.

    ``ids`` are their vocabulary ids, length L; ``logp`` is log p of each token given all the others, shape (L,).
    """

    ids: tuple[int, ...]
    logp: FloatArray


class TokenScoring(ABC):
    """A backend that can mask one token of a text and compute its probability, given all the other tokens."""

    @abstractmethod
    def token_logprobs(self, texts: Sequence[str]) -> list[TextTokens]:
        """Return the tokens and their log p for each text. Their sum is the pseudo-log-likelihood.

        Raises:
            BvfError: A text has more tokens than the model has positions.
        """
