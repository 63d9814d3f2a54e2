"""The bundled model on real servers: vLLM, that of llama-cpp-python, and ``llama-server``, which is llama.cpp's own.

`make test-vllm` and `make test-llama-server` start them. ``LLAMA_SERVER`` has the path of the last one.
"""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from asked_of_servers import classes_by
from bvf_openai_backend.dialects import Draw
from bvf_texts.reader import Unread
from bvf_texts.readers.by_words import FirstWord
from loopback import FOLDER, NAME
from scipy.stats import binomtest, chisquare

import bvf
from bvf.domain.generation import Generation, Thinking
from bvf.domain.prompt import Prompt
from bvf.domain.topic import Attribute
from bvf.errors import BvfError
from bvf.hooks.loader import load

VLLM, PYTHON, OWN = "vLLM", "llama-cpp-python", "llama-server"
OF_LLAMA_CPP = pytest.mark.llama_server
VARIABLES = {VLLM: "VLLM_PYTHON", PYTHON: "LLAMA_SERVER_PYTHON", OWN: "LLAMA_SERVER"}
"""The environment variable that has the path of a program."""
FLOAT32 = "0"
"""What llama.cpp calls 32-bit floats. By default it keeps keys and values in 16 bits."""
SECONDS_TO_START = 900
CHANCE = 1e-6
"""How probable it may be that a test fails by chance."""
ONE_TOKEN = Generation(samples=60, tokens=1, temperature=1, seed=7)
MOST_PROBABLE = Generation(samples=1, tokens=24, temperature=0, seed=0)
NO_CLASS = ""
CLASSES = (Attribute(name="male", words=("he", "his", "him")), Attribute(name="female", words=("she", "her")))
TEXTS = (
    "The {} said that",
    "Everybody told the {} that",
    "As a {} I know that",
    "After the meeting the {} left, because",
)


@contextmanager
def served(command, folder, **environment):
    """Start a server at a free port, and yield its address once it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/v1"
    with (folder / "log").open("w+") as log:
        address = ("--host", "127.0.0.1", "--port", str(port))
        process = subprocess.Popen([*command, *address], env=environment, stdout=log, stderr=log)
        try:
            _wait(process, url, log)
            yield SimpleNamespace(url=url)
        finally:
            process.terminate()
            process.wait(60)


def _wait(process, url, log):
    """Wait until the server answers, or fail with the end of its log."""
    for _ in range(SECONDS_TO_START):
        assert process.poll() is None, (log.flush(), log.seek(0), log.read()[-2000:])
        with suppress(OSError), urllib.request.urlopen(f"{url}/models", timeout=5):
            return
        time.sleep(1)
    raise TimeoutError(f"{process.args[:3]} did not start")


def prompts_of(topic):
    groups = [getattr(group, "name", group) for group in topic.groups]
    return [Prompt(text.format(group), "", group, text) for group in groups for text in TEXTS]


def words_and_classes(topic):
    """The topic's words, and their classes."""
    counted = topic.counted_words()
    words = [word for of_class in counted.values() for word in of_class]
    return words, np.array([y for y, of_class in enumerate(counted.values()) for _ in of_class])


def say(figure):
    """Print a figure for the log of this test."""
    sys.stdout.write(f"\n{figure}\n")


@pytest.fixture(scope="module")
def gguf(tmp_path_factory):
    from gguf_files import write_gguf

    return write_gguf(FOLDER, tmp_path_factory.mktemp("gguf") / "en-causal.gguf", "F32")


@pytest.fixture(scope="module")
def start(gguf, tmp_path_factory):
    options = {
        VLLM: (
            *("-m", "vllm.entrypoints.openai.api_server", "--model", FOLDER, "--served-model-name", NAME),
            *("--enforce-eager", "--dtype", "float32", "--max-model-len", "128"),
        ),
        PYTHON: (
            *("-m", "llama_cpp.server", "--model", gguf, "--model_alias", NAME, "--n_ctx", "128"),
            *("--n_threads", "1", "--n_threads_batch", "1", "--type_k", FLOAT32, "--type_v", FLOAT32),
        ),
        OWN: (
            *("--model", gguf, "--alias", NAME, "--ctx-size", "512", "--threads", "1", "--no-webui"),
            *("--cache-type-k", "f32", "--cache-type-v", "f32", "--flash-attn", "off"),
        ),
    }
    alone = {"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_NO_USAGE_STATS": "1", "HF_HUB_OFFLINE": "1"}

    def start(kind, *more):
        command = [os.environ[VARIABLES[kind]], *map(str, options[kind]), *more]
        return served(command, tmp_path_factory.mktemp(kind), **os.environ, **(alone if kind == VLLM else {}))

    return start


@pytest.fixture(scope="module")
def server(request, start):
    """A server of a kind."""
    if request.param == OWN and not os.environ.get(VARIABLES[OWN]):
        pytest.skip("LLAMA_SERVER names no llama-server")
    with start(request.param) as address:
        yield SimpleNamespace(kind=request.param, url=address.url)


def on(*kinds):
    """Ask servers of these kinds."""
    marks = {kind: pytest.mark.vllm if kind == VLLM else OF_LLAMA_CPP for kind in kinds}
    params = [pytest.param(kind, marks=mark) for kind, mark in marks.items()]
    return pytest.mark.parametrize("server", params, indirect=True, scope="module")


@pytest.fixture
def same(server, local, here, gguf):
    """The model of a server in this process."""
    return local if server.kind == VLLM else here(gguf)


@on(VLLM, OWN)
def test_class_probabilities_are_those_of_the_model_here(server, connect, same, topic):
    """The model of ``llama-server`` is the tokenizer too."""
    backend = connect(server)
    assert backend.server.dialect.name == {VLLM: "vLLM", OWN: "llama.cpp"}[server.kind]
    prompts, (words, classes) = prompts_of(topic)[:: 3 if server.kind == VLLM else 40], words_and_classes(topic)
    p, exact = (classes_by(each, 0.0, prompts, words, classes)[0] for each in (backend, same))
    difference = np.abs(p - exact).max()
    say(f"largest difference of a class probability, {len(prompts)} prompts, {len(words)} words: {difference:.2g}")
    assert difference < 1e-5


@on(PYTHON)
def test_class_probabilities_of_the_file_read_here_are_within_the_bounds(server, connect, gguf, same, topic):
    """The file is its own tokenizer. The server takes texts alone, and names the 1000 most probable tokens."""
    backend = connect(server, tokenizer=str(gguf))
    assert backend.server.dialect.name == "completions of texts"
    prompts = prompts_of(topic)[::40]
    for asked in ((["he", "she"], np.array([0, 1])), words_and_classes(topic)):
        (p, bounds), (exact, _) = classes_by(backend, 0.999, prompts, *asked), classes_by(same, 0.0, prompts, *asked)
        difference = np.abs(p - exact).max(axis=1)
        say(f"{len(asked[0])} words: at most {difference.max():.2g} away, within {bounds.max():.2g}")
        assert (difference <= bounds + 1e-5).all()
        assert bounds.max() < 0.02
    assert difference.max() > 1e-5  # bounds are needed, so they were tried


@on(VLLM, PYTHON, OWN)
def test_texts_say_a_class_as_often_as_it_is_probable(server, connect, model, topic):
    """The counts of different prompts together vary less than those of one distribution: chi-square errs downward."""
    backend, prompts = connect(server, generation=ONE_TOKEN), prompts_of(topic)[::30]
    together = {VLLM: ONE_TOKEN.samples, PYTHON: 1}  # that of llama-cpp-python passes over n
    assert backend.drawing.together == together.get(server.kind, backend.drawing.together)
    read = FirstWord().reading(CLASSES, load().languages.find("en").make())
    kinds = [*(each.name for each in CLASSES), NO_CLASS]

    def class_of(text):
        said = read(text)
        return NO_CLASS if isinstance(said, Unread) else said

    of_token = np.array([class_of(model.continuation([token])) for token in range(len(model.tokenizer))])
    p = np.exp([model.logp(model.tokenizer(prompt.left)["input_ids"]) for prompt in prompts]).sum(axis=0)
    texts = backend.texts(prompts, ONE_TOKEN)
    counts = Counter(class_of(text) for of_prompt in texts for text in of_prompt)
    observed = [counts[kind] for kind in kinds]
    expected = [p[of_token == kind].sum() / p.sum() * sum(observed) for kind in kinds]
    chance = chisquare(observed, expected).pvalue
    say(f"texts of {', '.join(kinds)}none: {observed}, expected {np.round(expected, 1).tolist()}: p = {chance:.2g}")
    assert chance > CHANCE
    assert backend.texts(prompts[:2], ONE_TOKEN) == texts[:2]


@on(VLLM, PYTHON, OWN)
def test_the_most_probable_texts_are_those_of_the_model_here(server, connect, same, topic):
    """Tokens of before are not penalised."""
    backend, prompts = connect(server, generation=MOST_PROBABLE), prompts_of(topic)[::60]
    assert backend.texts(prompts, MOST_PROBABLE) == same.texts(prompts, MOST_PROBABLE)


@OF_LLAMA_CPP
def test_without_logprobs_probabilities_are_refused_and_texts_are_written(start, connect, gguf):
    few = Generation(samples=3, tokens=9, temperature=1, seed=0)
    with start(PYTHON, "--logits_all", "false") as server:
        with pytest.raises(BvfError, match="returns no log-probabilities: it refuses to be asked for them") as error:
            connect(server, tokenizer=str(gguf))
        texts = connect(server, generation=few).texts([bvf.Prompt("The nurse said that", "", "nurse", "")], few)
    assert "-B estimate=samples" in error.value.hint
    assert len(set(texts[0])) == 3


@on(OWN)
def test_llama_server_answers_after_its_thoughts_as_the_model_here(
    server, connect_to_think, here, topic, thinking_folder
):
    thinking = Thinking(thoughts=2, tokens=12, temperature=1, seed=3)
    backend = connect_to_think(server, thinking=thinking)
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


@on(OWN)
def test_llama_server_draws_from_all_tokens_and_ends_at_the_mark(server, connect, model):
    own = connect(server).server
    ids = tuple(model.tokenizer("The nurse said that")["input_ids"])

    def drawn(tokens, mark, number):
        draws = [Draw(tokens, 1.0, seed, mark, None) for seed in range(number)]
        answers = own.client.post_all([own.dialect.text_call(ids, draw) for draw in draws], counted=True)
        return [own.dialect.text_in(answer, draw) for draw, answer in zip(draws, answers, strict=True)]

    probable = sorted(range(len(model.tokenizer)), key=lambda token: -model.logp(ids)[token])[:40]
    likely = {model.continuation([token]) for token in probable}
    rare = sum(text not in likely for text, _ in drawn(1, "no mark", 400))
    p = 1 - np.exp([model.logp(ids)[token] for token in probable]).sum()
    say(f"llama-server: {rare} of 400 texts of a token are none of the 40 most probable, expected {400 * p:.1f}")
    assert binomtest(rare, 400, p).pvalue > CHANCE
    texts = drawn(60, " the", 8)
    assert {ended for _, ended in texts} == {True, False} or all(ended for _, ended in texts)
    assert all(" the" not in text for text, _ in texts)
