"""Templates with [Y] left of [X] on servers: exact ones read up to the group, the others refuse them."""

import numpy as np
import pytest
import torch
from bvf_openai_backend.dialects import Vllm
from loopback import FOLDER, NAME

import bvf
from bvf.domain.prompt import Prompt
from bvf.errors import BvfError
from bvf.measuring.plan import plan_of
from bvf.stats.figures.probabilities import class_probabilities

EXACT = ["vllm", "sglang", "llama.cpp"]
WORDS = ["young", "old", "elderly", "unlucky"]
CLASSES = np.array([0, 1, 1, 0])
PROMPTS = [
    Prompt("The", " nurse said that", "nurse", "The [Y] [X] said that"),
    Prompt("The", " truck driver", "truck driver", "The [Y] [X]"),
    Prompt("I met a very", " and tired doctor.", "doctor", "I met a very [Y] and tired [X]."),
    Prompt("The nurse was", "", "nurse", "The [X] was [Y]"),
    Prompt("The nurse met a nurse and a", " nurse.", "nurse", "The [X] met a [X] and a [Y] [X]."),
]
ENDS = [" nurse", " truck driver", " and tired doctor", "", ""]


@pytest.fixture(scope="module")
def summed(model):
    """Log p of a text after another, as a plain sum over its tokens."""

    def log_p(left, text):
        start, whole = (model.tokenizer(each)["input_ids"] for each in (left, f"{left} {text}"))
        assert whole[: len(start)] == start
        with torch.inference_mode():
            logp = model.model(torch.tensor([whole])).logits[0].log_softmax(-1)
        return sum(float(logp[at - 1, whole[at]]) for at in range(len(start), len(whole)))

    return log_p


@pytest.fixture(scope="module")
def plain(summed):
    return np.array(
        [[summed(prompt.left, word + end) for word in WORDS] for prompt, end in zip(PROMPTS, ENDS, strict=True)]
    )


@pytest.mark.parametrize("speaks", EXACT)
def test_words_are_scored_with_the_text_up_to_the_group(speaks, serve, connect, plain):
    backend = connect(serve(speaks))
    assert np.abs(backend.word_logprobs(PROMPTS, WORDS) - plain).max() < 1e-4
    classes = class_probabilities(backend.word_logprobs(PROMPTS, WORDS, absolute=False), CLASSES, 2)
    joint = np.exp(plain)
    assert np.allclose(classes[:, 0], joint[:, CLASSES == 0].sum(axis=1) / joint.sum(axis=1), atol=1e-5)


@pytest.mark.parametrize("speaks", EXACT)
def test_their_mass_is_the_share_of_the_words_among_what_may_stand_there(
    speaks, serve, connect, summed, plain, model, monkeypatch
):
    monkeypatch.setattr("bvf_transformers.tokens.cutting.OTHERS_BEFORE_GROUP", 8)
    tokenizer, ids = model.tokenizer, model.tokenizer(PROMPTS[0].left)["input_ids"]
    begin = {tokenizer(f"a {word}")["input_ids"][2] for word in WORDS}
    listed = np.argsort(model.logp(ids))[::-1].tolist()
    others = [token for token in listed if token not in begin][:8]
    nurse = tokenizer("a nurse")["input_ids"][2:]
    of_others = 0.0
    for token in others:
        text = [*ids, token]
        log_p = model.logp(ids)[token]
        for piece in nurse:
            log_p += model.logp(text)[piece]
            text.append(piece)
        of_others += np.exp(log_p)
    of_words = np.exp(plain[0]).sum()
    mass = connect(serve(speaks)).word_mass([PROMPTS[0], PROMPTS[3]], WORDS, CLASSES, 0.0)
    assert mass[0] == pytest.approx(of_words / (of_words + of_others), rel=1e-4)
    assert mass[1] == pytest.approx(np.exp(plain[3]).sum(), rel=1e-4)


def test_all_texts_of_a_mass_are_asked_together(serve, connect):
    loopback = serve("vllm")
    backend = connect(loopback, rows=1000, in_flight=1)
    before = len(loopback.asked)
    backend.word_mass(PROMPTS, WORDS, CLASSES, 0.0)
    bodies = [body for path, body in loopback.asked[before:] if "prompt" in body and path.endswith("completions")]
    listed = [body for body in bodies if "logprob_token_ids" not in body]
    assert [body["logprobs"] for body in listed] == [Vllm.most_top]
    assert len(bodies) < 8


CONTEXTS = "template,count\nThe [Y] [X] said that,2\nA [Y] [X] came in and,1\n"


@pytest.fixture
def config(tmp_path):
    """A run of a few prompts in which the word stands before the group."""
    (tmp_path / "contexts.csv").write_text(CONTEXTS)
    asked = {"topic": "age", "contexts": str(tmp_path / "contexts.csv"), "limit_groups": 2}
    words = {"young": ["young", "teenage"], "old": ["old", "elderly"]}

    def of(model, **options):
        return bvf.RunConfig(model=model, backend_options=options, words=words, **asked)

    return of


def test_a_run_asks_them_and_equals_one_on_this_machine(serve, config, tmp_path, monkeypatch):
    monkeypatch.setattr("bvf_transformers.tokens.cutting.OTHERS_BEFORE_GROUP", 8)
    there = bvf.run(config(f"openai:{NAME}", base_url=serve("vllm").url), out=tmp_path / "there")
    here = bvf.run(config(f"llama:{FOLDER}"), out=tmp_path / "here")
    ours, theirs = ([result.R, result.R_bias, result.R_volatility] for result in (here, there))
    assert theirs == pytest.approx(ours, abs=1e-4)
    assert not [note for note in there.notes if "left out" in note]
    assert there.candidate_mass.mean == pytest.approx(here.candidate_mass.mean, rel=1e-3)


@pytest.mark.parametrize("speaks", ["completions", "chat", "samples"])
def test_elsewhere_the_plan_refuses_them(speaks, serve, config, plugins):
    options = {"estimate": "samples"} if speaks == "samples" else {"tokenizer": str(FOLDER)}
    with pytest.raises(BvfError, match=r"in every template \[X\] stands right of \[Y\]") as error:
        plan_of(config(f"openai:{NAME}", base_url=serve(speaks).url, **options), plugins)
    assert "a server that gives log p of any token" in error.value.hint
