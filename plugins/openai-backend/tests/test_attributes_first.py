"""Templates with [Y] left of [X] on servers: exact ones read up to the group as the model here, others refuse them."""

import numpy as np
import pytest
from bvf_openai_backend.dialects import Vllm
from loopback import FOLDER, NAME

import bvf
from bvf.domain.prompt import Prompt
from bvf.errors import BvfError
from bvf.measuring.plan import plan_of
from bvf.stats.figures.probabilities import class_probabilities

WORDS = ["young", "old", "elderly", "unlucky"]
CLASSES = np.array([0, 1, 1, 0])
PROMPTS = [
    Prompt("The", " nurse said that", "nurse", "The [Y] [X] said that"),
    Prompt("The", " truck driver", "truck driver", "The [Y] [X]"),
    Prompt("I met a very", " and tired doctor.", "doctor", "I met a very [Y] and tired [X]."),
    Prompt("The nurse was", "", "nurse", "The [X] was [Y]"),
    Prompt("The nurse met a nurse and a", " nurse.", "nurse", "The [X] met a [X] and a [Y] [X]."),
]


@pytest.fixture
def few_others(monkeypatch):
    """Fewer words that may stand there than a server lists."""
    monkeypatch.setattr("bvf_transformers.tokens.cutting.OTHERS_BEFORE_GROUP", 8)


@pytest.mark.usefixtures("few_others")
@pytest.mark.parametrize("speaks", ["vllm", "sglang", "llama.cpp"])
def test_words_and_their_mass_are_read_with_the_text_up_to_the_group_as_here(speaks, serve, connect, local):
    backend = connect(serve(speaks))
    expected = local.word_logprobs(PROMPTS, WORDS)
    assert np.abs(backend.word_logprobs(PROMPTS, WORDS) - expected).max() < 1e-4
    classes = class_probabilities(backend.word_logprobs(PROMPTS, WORDS, absolute=False), CLASSES, 2)
    joint = np.exp(expected)
    assert np.allclose(classes[:, 0], joint[:, CLASSES == 0].sum(axis=1) / joint.sum(axis=1), atol=1e-5)
    masses = [each.word_mass(PROMPTS, WORDS, CLASSES, 0.0) for each in (backend, local)]
    assert masses[0] == pytest.approx(masses[1], rel=1e-4)
    assert masses[0][3] == pytest.approx(joint[3].sum(), rel=1e-4)
    assert masses[0][0] > 2 * joint[0].sum()  # the share among what may stand there


def test_all_texts_of_a_mass_are_asked_together(serve, connect):
    loopback = serve("vllm")
    backend = connect(loopback, rows=1000, in_flight=1)
    before = len(loopback.asked)
    backend.word_mass(PROMPTS, WORDS, CLASSES, 0.0)
    bodies = [body for path, body in loopback.asked[before:] if "prompt" in body and path.endswith("completions")]
    listed = [body for body in bodies if "logprob_token_ids" not in body]
    assert [body["logprobs"] for body in listed] == [Vllm.most_top]
    assert len(bodies) < 8


@pytest.fixture
def config(tmp_path):
    """A run of a few prompts in which the word stands before the group."""
    contexts = tmp_path / "contexts.csv"
    contexts.write_text("template,count\nThe [Y] [X] said that,2\nA [Y] [X] came in and,1\n")
    words = {"young": ["young", "teenage"], "old": ["old", "elderly"]}
    asked = {"topic": "age", "contexts": str(contexts), "limit_groups": 2, "words": words}
    return lambda model, **options: bvf.RunConfig(model=model, backend_options=options, **asked)


@pytest.mark.usefixtures("few_others")
def test_a_run_asks_them_and_equals_one_on_this_machine(serve, config, tmp_path):
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
