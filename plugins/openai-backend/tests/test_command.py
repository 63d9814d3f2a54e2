"""``bvf run`` with a model on a server, as a process."""

import shlex

import pytest
from asked_of_servers import FEW, JSON
from loopback import Loopback, serving
from processes import refused, result_of


def test_a_server_gives_the_result_of_the_model_here(bvf, process, serve):
    here = result_of(process("run", "--model", "bundled:en-causal", *FEW))
    server = result_of(bvf(serve("vllm").url, *FEW))
    assert server["R"] == pytest.approx(here["R"], abs=1e-5)
    assert server["backend"] == "openai"


@pytest.mark.parametrize("dialect", ["vllm", "llama.cpp", "ollama"])
def test_servers_that_give_only_the_most_probable_tokens_are_asked_no_other_words(bvf, serve, tmp_path, dialect):
    said = refused(bvf(serve(dialect).url, *FEW, "--other-words", "--out", "out"))
    assert "error: --other-words: the backend openai gives no probabilities of all its tokens\n" in said
    assert not (tmp_path / "out").exists()


def test_a_server_that_dies_leaves_what_is_scored_and_the_command_goes_on(bvf, model, tmp_path):
    options = shlex.split("--limit-groups 32 --contexts gender --mass-sample 4 --out out -B rows=64 -B in_flight=1")
    options += JSON
    loopback = Loopback(model, lives=9)
    with serving(loopback) as url:
        said = refused(bvf(url, *options), code=1)
    assert "no longer answers" in said
    assert "go on with: bvf run --model openai:en-causal" in said.splitlines()[-1]
    shards = {file.name for file in (tmp_path / "out").rglob("*.parquet")}
    assert len(shards) >= 1
    again = Loopback(model)
    with serving(again) as url:
        command = shlex.split(said.splitlines()[-1].partition("go on with: bvf run ")[2])
        assert command[:2] == ["--model", "openai:en-causal"]
        whole = result_of(bvf(url, *options))
    rows = sum(len(body.get("prompt", ())) for path, body in again.asked if path == "/v1/completions")
    assert whole["prompts"] == 320
    assert rows < 320


def test_a_changed_model_is_refused_where_a_run_goes_on(bvf, model):
    options = (*FEW, "--out", "out")
    with serving(Loopback(model)) as url:
        assert bvf(url, *options).returncode == 0
    changed = Loopback(model)
    changed.values = lambda ids: [2 * value for value in model.logp(ids)]
    with serving(changed) as url:
        assert "its answers to the probe moved by" in refused(bvf(url, *options))
