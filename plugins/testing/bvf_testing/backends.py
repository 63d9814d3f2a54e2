"""Checks of backends, whatever model they load, and a plain computation to compare them with."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from bvf_texts.asking import thoughts_of, written_texts
from numpy.typing import ArrayLike

from bvf import Backend, Capabilities, ModelDescription, Prompt
from bvf.domain import Generation, Thinking
from bvf.interfaces import Tolerance
from bvf.stats import FloatArray, class_probabilities
from bvf_testing.check import Check, checks_of, require

Plain = Callable[[Prompt, str], float]
TOLERANCE = 1e-4
"""Nats by which batching and order may change a log-probability in float32."""
RARELY = 0.2
"""The share of prompts whose texts rounding may change: two tokens that are almost as probable."""
TOLERANCES = (0.0, 1e-3, 0.1, 0.9)
PROMPTS = tuple(
    Prompt(text.replace("[X]", group), right, group, f"{text} [Y]{right}")
    for group in ("nurse", "truck driver", "teacher")
    for text, right in (
        ("The [X] said that", ""),
        ("Everybody told the [X] that", " would leave."),
        ("A [X] knows", "."),
    )
)
WORDS = ("he", "she", "father", "mother")


def own_probabilities(begun: ArrayLike, tokens: Sequence[Sequence[int]]) -> FloatArray:
    """Return p of the texts that begin with each word and with no longer one of the words, shape (..., W).

    >>> own_probabilities([0.5, 0.2, 0.1], [[7], [7, 8], [9]]).round(6).tolist()
    [0.3, 0.2, 0.1]

    Args:
        begun: p of the texts that begin with each word, by the chain rule, shape (..., W).
        tokens: The token ids of each word, length W.
    """
    whole = np.asarray(begun, dtype=np.float64)
    own: FloatArray = whole.copy()
    for longer, ids in enumerate(tokens):
        shorter = [w for w, word in enumerate(tokens) if len(word) < len(ids) and list(ids[: len(word)]) == list(word)]
        if shorter:
            own[..., max(shorter, key=lambda w: len(tokens[w]))] -= whole[..., longer]
    return own


def backend_checks(
    backend: Backend,
    prompts: Sequence[Prompt] = PROMPTS,
    words: Sequence[str] = WORDS,
    plain: Plain | None = None,
    description: ModelDescription | None = None,
) -> list[Check]:
    """Return the checks of a backend.

    Log-probabilities are at most 0, never NaN, the same in every call, and independent of the batch and its order;
    those that are not absolute differ from them by one constant per prompt; no prompts or no words are no error; text
    right of the slot changes nothing for a backend that does not read it; bounds hold; remarks are sentences; the
    capabilities are those described before loading; texts, if it writes any, depend on their prompt alone.

    Args:
        backend: A loaded backend.
        prompts: Three or more prompts that it can score; default: English ones.
        words: Two or more words that it can score; default: English ones.
        plain: A function that computes log p-hat of one word in one prompt in another way, for comparison; None: none.
        description: What ``describe`` of its provider returns; None: capabilities are compared with those of its class.
    """
    given = (backend, tuple(prompts), tuple(words))
    checks = [*checks_of(BACKEND_CHECKS, *given), *checks_of([it_can_what_was_described], backend, description)]
    return checks if plain is None else [*checks, *checks_of([agrees_with_a_plain_computation], *given, plain)]


def log_probabilities_are_at_most_zero(backend: Backend, prompts: Sequence[Prompt], words: Sequence[str]) -> None:
    """Absolute log-probabilities are at most 0, as `Backend.word_logprobs` demands, and not all the same."""
    logp = backend.word_logprobs(prompts, words)
    require(logp.shape == (len(prompts), len(words)), f"shape {logp.shape}, not {(len(prompts), len(words))}")
    require(
        backend.capabilities.answers_from_table or np.unique(logp).size > 1,
        f"every word has log p {logp.flat[0]:g} in every prompt; say answers_from_table if that is meant",
    )


def batch_does_not_matter(backend: Backend, prompts: Sequence[Prompt], words: Sequence[str]) -> None:
    """A prompt gets the same log-probabilities alone and in a batch, even if the batch has it twice."""
    together = backend.word_logprobs([*prompts, *prompts[:2]], words)
    alone = np.concatenate([backend.word_logprobs([prompt], words) for prompt in [*prompts, *prompts[:2]]])
    require_same(together, alone, "alone and in a batch", prompts)


def order_does_not_matter(backend: Backend, prompts: Sequence[Prompt], words: Sequence[str]) -> None:
    """Prompts and words in another order get the same log-probabilities."""
    backwards = backend.word_logprobs(prompts[::-1], words[::-1])[::-1, ::-1]
    require_same(backend.word_logprobs(prompts, words), backwards, "in one order and in the other", prompts)


def calls_do_not_matter(backend: Backend, prompts: Sequence[Prompt], words: Sequence[str]) -> None:
    """The same prompts and words get the same log-probabilities in a second call."""
    first, second = (backend.word_logprobs(prompts, words) for _ in range(2))
    require_same(first, second, "the first and the second time; is something sampled?", prompts)


def a_constant_is_all_that_may_be_left_out(backend: Backend, prompts: Sequence[Prompt], words: Sequence[str]) -> None:
    """With ``absolute=False``, only a constant per prompt may be added to absolute values, which Eq. 8 cancels."""
    from scipy.special import log_softmax  # which other checks do without

    absolute, relative = (
        log_softmax(backend.word_logprobs(prompts, words, absolute=each), axis=1) for each in (True, False)
    )
    require_same(absolute, relative, "with absolute=True and False, normalised over the words,", prompts)


def nothing_is_asked_of_nothing(backend: Backend, prompts: Sequence[Prompt], words: Sequence[str]) -> None:
    """An empty list of prompts or of words is not an error."""
    for some_prompts, some_words in (((), words), (prompts, ())):
        shape = backend.word_logprobs(some_prompts, some_words).shape
        expected = (len(some_prompts), len(some_words))
        require(shape == expected, f"{expected[0]} prompts and {expected[1]} words give shape {shape}")


def reads_right_is_true_to_its_word(backend: Backend, prompts: Sequence[Prompt], words: Sequence[str]) -> None:
    """If a backend declares that it does not read right of the slot, the text there does not change its results."""
    if backend.capabilities.reads_right:
        return
    other = [replace(prompt, right=" and that was all.") for prompt in prompts]
    require_same(
        backend.word_logprobs(prompts, words),
        backend.word_logprobs(other, words),
        "with another text right of the slot, although reads_right is False,",
        prompts,
    )


def bounds_hold(backend: Backend, prompts: Sequence[Prompt], words: Sequence[str]) -> None:
    """Errors of class probabilities are within the bounds; without bounds, the probabilities are exact."""
    class_of_word = np.arange(len(words)) % 2
    exact = class_probabilities(backend.word_logprobs(prompts, words), class_of_word, 2)
    for tolerance in TOLERANCES if backend.capabilities.leaves_words_out else TOLERANCES[-1:]:
        answers = backend.answers(prompts, words, class_of_word, Tolerance.on_each(tolerance, len(prompts)))
        bounds = np.zeros(len(prompts)) if answers.bounds is None else answers.bounds
        apart = np.abs(class_probabilities(answers.logp, class_of_word, 2) - exact).max(axis=1)
        row = int((apart - bounds).argmax())
        require(
            bool(apart[row] <= bounds[row] + TOLERANCE),
            f'with a tolerance of {tolerance:g} a class probability of "{prompts[row]}" is {apart[row]:.3g} from the '
            f"exact one, and the bound says {bounds[row]:.3g}",
        )


def remarks_are_sentences(backend: Backend, prompts: Sequence[Prompt], words: Sequence[str]) -> None:
    """Remarks are sentences: they become notes of a result for people who do not know the backend."""
    for tolerance in (0.0, TOLERANCES[-1]):
        allowed = Tolerance.on_each(tolerance, len(prompts))
        for remark in backend.answers(prompts, words, np.arange(len(words)) % 2, allowed).remarks:
            require(
                isinstance(remark, str) and remark == " ".join(remark.split()) and " " in remark,
                f"the remark {remark!r} is not a sentence in one line; remarks are a tuple of sentences",
            )


def it_can_what_was_described(backend: Backend, description: ModelDescription | None) -> None:
    """Capabilities equal those described before loading, by which a run refuses early what a backend cannot do."""
    capabilities: object = backend.capabilities
    require(isinstance(capabilities, Capabilities), f"capabilities is {capabilities!r}, not bvf.Capabilities(...)")
    known = description.capabilities if description else type(backend).capabilities
    for name, value in asdict(backend.capabilities).items():
        before = getattr(known, name)
        require(
            value == before,
            f"the loaded model has {name} {value!r}, and before it was loaded that was {before!r}: let describe= of "
            "the provider say so, and give the check what it returns",
        )


def agrees_with_a_plain_computation(
    backend: Backend, prompts: Sequence[Prompt], words: Sequence[str], plain: Plain
) -> None:
    """Every value agrees with an independent computation, one prompt and one word at a time."""
    expected = np.array([[plain(prompt, word) for word in words] for prompt in prompts])
    require_same(backend.word_logprobs(prompts, words), expected, "from the backend and computed plainly", prompts)


def texts_depend_on_their_prompt_alone(backend: Backend, prompts: Sequence[Prompt], words: Sequence[str]) -> None:
    """A backend that writes texts writes the same ones alone, in a batch and in another order; one that says so can."""
    if not getattr(backend.capabilities, "writes_texts", False):
        return
    generation = Generation(samples=2, tokens=6, temperature=1.0, seed=0)
    _require_same_alone(lambda asked: written_texts(backend, asked, generation), prompts, "texts")


def thoughts_depend_on_their_prompt_alone(backend: Backend, prompts: Sequence[Prompt], words: Sequence[str]) -> None:
    """A backend that thinks has the same thoughts alone, in a batch and in another order; one that says so can."""
    if not getattr(backend.capabilities, "thinks", False):
        return
    thinking = Thinking(thoughts=2, tokens=6, temperature=1.0, seed=0)
    _require_same_alone(lambda asked: thoughts_of(backend, asked, thinking), prompts, "thoughts")


def _require_same_alone(ask: Callable[[Sequence[Prompt]], Sequence[Any]], prompts: Sequence[Prompt], what: str) -> None:
    together, backwards, alone = ask(prompts), ask(prompts[::-1])[::-1], [ask([prompt])[0] for prompt in prompts]
    for others, when in ((backwards, "in another order"), (alone, "alone")):
        apart = [prompt for prompt, one, other in zip(prompts, together, others, strict=True) if one != other]
        require(
            len(apart) <= RARELY * len(prompts),
            f"{len(apart)} of {len(prompts)} prompts have other {what} {when}, first "
            f'"{apart[0] if apart else ""}": take random numbers from bvf.interfaces.random_stream',
        )


BACKEND_CHECKS = (
    log_probabilities_are_at_most_zero,
    batch_does_not_matter,
    order_does_not_matter,
    calls_do_not_matter,
    a_constant_is_all_that_may_be_left_out,
    nothing_is_asked_of_nothing,
    reads_right_is_true_to_its_word,
    bounds_hold,
    remarks_are_sentences,
    texts_depend_on_their_prompt_alone,
    thoughts_depend_on_their_prompt_alone,
)


def require_same(one: FloatArray, other: FloatArray, when: str, prompts: Sequence[Prompt]) -> None:
    """Require log-probabilities to agree within the tolerance, and -inf with -inf."""
    with np.errstate(invalid="ignore"):
        apart = np.where(one == other, 0.0, np.abs(one - other))
    row = int(apart.max(axis=1).argmax())
    message = f'log p {when} differ by {apart.max():.3g}, first in "{prompts[row % len(prompts)]}"'
    require(apart.max() <= TOLERANCE, message)
