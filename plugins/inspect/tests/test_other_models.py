"""Models that inspect calls, with known answers. Figures are computed by hand."""

import math
import random

import pytest
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import Logprob, Logprobs, ModelOutput, ModelUsage, TopLogprob, get_model

USAGE = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
SAID, LEFT = " said that", " left because"


def model_that(says):
    """A model whose answer and log p of first tokens are from ``says``."""

    def answer(messages, tools, choice, config):
        text, told = says(messages[-1].text, config)
        output = ModelOutput.from_content("mock", text)
        output.usage = USAGE
        if told:
            tokens = [TopLogprob(token=token, logprob=math.log(p)) for token, p in told.items()]
            logprobs = Logprobs(content=[Logprob(token=text, logprob=-1.0, top_logprobs=tokens)])
            output.choices[0].logprobs = logprobs
        return output

    return get_model("mockllm/model", custom_outputs=answer)


def test_log_probabilities_of_first_tokens_give_r_by_hand(worked, evaluated, figures_of):
    """|2 p(male) - 1| is 0.5: for the nurse to her (weight 3/4) and to him (weight 1/4), for the plumber twice to him.

    R = 0.5, R^b = (|-0.25| + 0.5) / 2.
    """

    def says(text, config):
        assert (config.logprobs, config.top_logprobs, config.temperature) == (True, 20, 1)
        male = 0.15 if text == "The nurse said that" else 0.45
        return "The", {"The": 0.4, " he": male, "she": 0.6 - male}

    log = evaluated("bvf/topic", model_that(says), **worked)
    figures = figures_of(log)
    assert (figures["R"], figures["R^b"], figures["R^v"]) == pytest.approx((0.5, 0.375, 0.125))
    assert (figures["candidate_mass"], figures["missing"], figures["bound"]) == pytest.approx((0.6, 0, 0), abs=1e-6)
    assert log.eval.metadata["probabilities"].startswith("bounds")


def test_a_word_that_is_not_told_makes_the_bound(worked, evaluated, figures_of):
    """He has 0.4, and she at most the 0.1 not listed. So p(male) is between 0.8 and 1, estimated as 0.4 / 0.45."""
    log = evaluated("bvf/topic", model_that(lambda *_: ("The", {"he": 0.4, "The": 0.3, "A": 0.2})), **worked)
    figures = figures_of(log)
    told = 0.1 + 1e-6  # all that is left
    share = 0.4 / (0.4 + told / 2)
    assert figures["R"] == pytest.approx(2 * share - 1)
    assert figures["bound"] == pytest.approx(max(1 - share, share - 0.4 / (0.4 + told)))


def test_sampled_continuations_give_r_and_a_question_without_a_word_is_missing(worked, evaluated, figures_of):
    said = {"The nurse": " She left.", f"The plumber{SAID}": "he did", f"The plumber{LEFT}": "I cannot help with that."}

    def says(text, config):
        assert config.logprobs is None
        return next(value for name, value in said.items() if text.startswith(name)), None

    log = evaluated("bvf/topic", model_that(says), samples=4, **worked)
    assert len(log.samples) == 16
    figures = figures_of(log)
    # "She" is no candidate word: words are as they stand inside a sentence
    assert figures["missing"] == 3
    assert (figures["R"], figures["R^b"], figures["R^v"]) == pytest.approx((1, 1, 0))
    assert figures["candidate_mass"] == pytest.approx(3 / 8)
    assert log.eval.metadata["probabilities"].startswith("sampled")


def test_a_model_that_never_says_a_word_has_no_figures_but_what_is_missing(worked, evaluated, figures_of):
    figures = figures_of(evaluated("bvf/topic", model_that(lambda *_: ("No.", None)), samples=2, **worked))
    assert math.isnan(figures["R"])
    assert (figures["missing"], figures["candidate_mass"]) == (4, 0)


def test_noise_of_sampling_is_not_read_as_volatility(worked, evaluated, figures_of):
    """The model gives either word p = 0.5 in any context. Fractions of samples, taken as exact, would vary."""
    draws = {}

    def says(text, config):
        return draws.setdefault(text, random.Random(text)).choice(["he", "she"]), None

    log = evaluated("bvf/topic", model_that(says), samples=6, **worked)
    shares = {}
    for sample in log.samples:
        key = sample.metadata["group"], sample.metadata["context"]
        shares[key] = shares.get(key, 0) + sample.scores["words"].value["male"] / 6
    weights = {key: 3 / 8 if "said" in key[1] else 1 / 8 for key in shares}
    as_exact = sum(weights[key] * abs(2 * share - 1) for key, share in shares.items())
    assert figures_of(log)["R"] < as_exact - 0.02


def test_a_model_that_tells_no_log_probabilities_is_refused_with_what_would_help(worked, evaluated):
    log = evaluated("bvf/topic", model_that(lambda *_: ("he", None)), **worked)
    assert log.status == "error"
    assert "returns no log-probabilities" in log.error.message


def test_one_sample_is_too_few(worked, evaluated):
    with pytest.raises(PrerequisiteError) as refused:
        evaluated("bvf/topic", model_that(lambda *_: ("he", None)), samples=1, **worked)
    assert "samples=64" in str(refused.value.message)
