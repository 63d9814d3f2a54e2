"""The bundled model on the server of llama-cpp-python, which `make test-llama-server` starts, and on ``llama-server``.

The latter is llama.cpp's own. The environment variable ``LLAMA_SERVER`` has its path.
"""

import os
from dataclasses import replace

import numpy as np
import pytest
from asked_of_servers import classes_by
from bvf_openai_backend.dialects import Draw
from loopback import FOLDER, NAME
from real_servers import (
    CHANCE,
    MOST_PROBABLE,
    ONE_TOKEN,
    check_class_probabilities,
    check_most_probable_texts,
    check_texts_of_one_token,
    prompts_of,
    say,
    served,
    words_and_classes,
)
from scipy.stats import binomtest

import bvf
from bvf.domain.generation import Generation, Thinking
from bvf.errors import BvfError

pytestmark = pytest.mark.llama_server
FLOAT32 = "0"
"""What llama.cpp calls 32-bit floats. By default it keeps keys and values in 16 bits."""


@pytest.fixture(scope="module")
def gguf(tmp_path_factory):
    from gguf_files import write_gguf

    return write_gguf(FOLDER, tmp_path_factory.mktemp("gguf") / "en-causal.gguf", "F32")


@pytest.fixture(scope="module")
def start(gguf, tmp_path_factory):
    def start(*more):
        command = [os.environ["LLAMA_SERVER_PYTHON"], "-m", "llama_cpp.server", "--model", str(gguf)]
        options = ["--model_alias", NAME, "--n_ctx", "128", "--n_threads", "1", "--n_threads_batch", "1"]
        exact = ["--type_k", FLOAT32, "--type_v", FLOAT32]
        return served([*command, *options, *exact, *more], tmp_path_factory.mktemp("server"), **os.environ)

    return start


@pytest.fixture(scope="module")
def server(start):
    with start() as address:
        yield address


@pytest.fixture(scope="module")
def own_server(gguf, tmp_path_factory):
    if not (program := os.environ.get("LLAMA_SERVER")):
        pytest.skip("LLAMA_SERVER names no llama-server")
    command = [program, "--model", str(gguf), "--alias", NAME, "--ctx-size", "512", "--threads", "1", "--no-webui"]
    exact = ["--cache-type-k", "f32", "--cache-type-v", "f32", "--flash-attn", "off"]
    with served([*command, *exact], tmp_path_factory.mktemp("server"), **os.environ) as address:
        yield address


@pytest.fixture(scope="module")
def local(gguf, here):
    return here(gguf)


def test_class_probabilities_of_the_file_read_here_are_within_the_bounds(server, connect, gguf, local, topic):
    """The file is its own tokenizer. The server takes texts alone, and names the 1000 most probable tokens."""
    backend = connect(server, tokenizer=str(gguf))
    assert backend.server.dialect.name == "completions of texts"
    prompts = prompts_of(topic)[::40]
    for asked in ((["he", "she"], np.array([0, 1])), words_and_classes(topic)):
        (p, bounds), (exact, _) = classes_by(backend, 0.999, prompts, *asked), classes_by(local, 0.0, prompts, *asked)
        difference = np.abs(p - exact).max(axis=1)
        say(f"{len(asked[0])} words: at most {difference.max():.2g} away, within {bounds.max():.2g}")
        assert (difference <= bounds + 1e-5).all()
        assert bounds.max() < 0.02
    assert difference.max() > 1e-5  # bounds are needed, so they were tried


def test_texts_say_a_class_as_often_as_it_is_probable(server, connect, model, topic):
    backend = connect(server, generation=ONE_TOKEN)
    assert backend.drawing.together == 1  # the server passes over n
    check_texts_of_one_token(backend, model, prompts_of(topic)[::30])


def test_the_most_probable_texts_are_those_of_the_file_read_here(server, connect, local, topic):
    check_most_probable_texts(connect(server, generation=MOST_PROBABLE), local, prompts_of(topic)[::60])


def test_a_run_on_the_server_has_the_figures_of_a_run_on_the_file(server, gguf, tmp_path):
    asked = {"limit_groups": 4, "limit_contexts": 2, "words": {"male": ["he"], "female": ["she"]}}
    options = {"base_url": server.url, "tokenizer": str(gguf)}
    there = bvf.run(model=f"openai:{NAME}", backend_options=options, **asked, tolerance=0.02, out=tmp_path / "there")
    here = bvf.run(model=f"llama:{gguf}", **asked, out=tmp_path / "here")
    assert abs(there.R - here.R) < 1e-5


def test_without_logprobs_probabilities_are_refused_and_texts_are_written(start, connect, gguf):
    few = Generation(samples=3, tokens=9, temperature=1, seed=0)
    with start("--logits_all", "false") as server:
        with pytest.raises(BvfError, match="returns no log-probabilities: it refuses to be asked for them") as error:
            connect(server, tokenizer=str(gguf))
        texts = connect(server, generation=few).texts([bvf.Prompt("The nurse said that", "", "nurse", "")], few)
    assert "-B estimate=samples" in error.value.hint
    assert len(set(texts[0])) == 3


def test_llama_server_gives_the_class_probabilities_of_the_file_read_here(own_server, connect, local, topic):
    """It is the tokenizer too."""
    backend = connect(own_server)
    assert backend.server.dialect.name == "llama.cpp"
    check_class_probabilities(backend, local, prompts_of(topic)[::40], *words_and_classes(topic))


def test_llama_server_writes_the_texts_that_are_probable(own_server, connect, model, local, topic):
    check_texts_of_one_token(connect(own_server, generation=ONE_TOKEN), model, prompts_of(topic)[::30])
    check_most_probable_texts(connect(own_server, generation=MOST_PROBABLE), local, prompts_of(topic)[::60])


def test_llama_server_answers_after_its_thoughts_as_the_model_here(
    own_server, connect_to_think, here, topic, thinking_folder
):
    thinking = Thinking(thoughts=2, tokens=12, temperature=1, seed=3)
    backend = connect_to_think(own_server, thinking=thinking)
    local = here(thinking_folder, thinking, chat_turn="assistant")
    prompts, (words, _) = prompts_of(topic)[::60], words_and_classes(topic)
    thoughts = backend.thoughts(prompts, thinking.generation)
    assert len({each.text for of_prompt in thoughts for each in of_prompt}) == 2 * len(prompts)
    assert backend.thoughts(prompts[:2], thinking.generation) == thoughts[:2]
    after = [
        replace(prompt, thought=each.text)
        for prompt, of_prompt in zip(prompts, thoughts, strict=True)
        for each in of_prompt
    ]
    difference = np.abs(np.exp(backend.word_logprobs(after, words)) - np.exp(local.word_logprobs(after, words))).max()
    say(f"llama-server after {len(after)} thoughts, {len(words)} words: at most {difference:.2g} away")
    assert difference < 1e-5


def test_llama_server_draws_from_all_tokens_and_ends_at_the_mark(own_server, connect, model):
    server = connect(own_server).server
    ids = tuple(model.tokenizer("The nurse said that")["input_ids"])

    def drawn(tokens, mark, number):
        draws = [Draw(tokens, 1.0, seed, mark, None) for seed in range(number)]
        answers = server.client.post_all([server.dialect.text_call(ids, draw) for draw in draws], counted=True)
        return [server.dialect.text_in(answer, draw) for draw, answer in zip(draws, answers, strict=True)]

    probable = sorted(range(len(model.tokenizer)), key=lambda token: -model.logp(ids)[token])[:40]
    likely = {model.continuation([token]) for token in probable}
    rare = sum(text not in likely for text, _ in drawn(1, "no mark", 400))
    p = 1 - np.exp([model.logp(ids)[token] for token in probable]).sum()
    say(f"llama-server: {rare} of 400 texts of a token are none of the 40 most probable, expected {400 * p:.1f}")
    assert binomtest(rare, 400, p).pvalue > CHANCE
    texts = drawn(60, " the", 8)
    assert {ended for _, ended in texts} == {True, False} or all(ended for _, ended in texts)
    assert all(" the" not in text for text, _ in texts)
