"""An answer of a server with one thing of it changed: figures that can be, or one line, soon and in bounds."""

import json
import random
import resource
import shutil

import numpy as np
import pytest
from asked_of_servers import PROMPTS, WORDS, answers_within
from bvf_openai_backend import tokens
from helpers.changes import RAW, VALUES, cases, change_value, places, put
from hypothesis import given
from hypothesis import strategies as st
from loopback import NAME, Loopback
from test_chats import THINKING, some_end
from test_secrets import KEY, refuse_secrets
from test_writing import GENERATION

import bvf
from bvf.errors import BvfError, harmless

FEW = PROMPTS[:3]
ODD = (*VALUES, -3.5, 1e-9, "\ud800", KEY, f"a {KEY} b", {KEY: 1}, "token_id:5", "x" * 9_000_000, [0] * 2_000_000)
LONG = (*RAW, "[" + "[]," * 4_000_000 + "[]]", "", "[1", "\x00", '{"a":1,"a":2}')
STATUSES = (204, 301, 400, 401, 403, 404, 429, 500, 503)
HEADERS = ({"Retry-After": "9" * 400}, {"Retry-After": "-1"}, {"Content-Encoding": "gzip"}, {"Content-Type": KEY})
RUNS = {
    "words": ({"tolerance": 0.999}, {}),
    "samples": ({}, {"estimate": "samples", "samples": 9}),
    "texts": ({"reading": "generated", "samples": GENERATION.samples, "tokens": GENERATION.tokens}, {}),
    "thoughts": ({"reading": "thought", "thoughts": THINKING.thoughts, "tokens": THINKING.tokens}, {}),
}
KINDS = (
    *((speaks, "", "words") for speaks in ("vllm", "sglang", "llama.cpp", "ollama", "tgi", "chat")),
    *((speaks, fault, "words") for speaks in ("completions", "completions of texts") for fault in ("", "echo")),
    *(("completions", "letters", "words"), ("vllm", "no root", "words")),
    *((speaks, "", asks) for speaks in ("samples", "samples of chats") for asks in ("samples", "texts")),
    *((speaks, "", "thoughts") for speaks in ("vllm", "llama.cpp")),
)

pytestmark = pytest.mark.usefixtures("has_its_libraries")


@pytest.fixture
def ask(model, reached, connect, connect_to_think, thinking_folder, tmp_path, monkeypatch):
    """Ask a server of a kind, whose answers go through a twist, for figures, or for a whole run."""
    read, known = tokens.read_tokenizer, {}

    def read_once(request):
        return known.get(request.model) or known.setdefault(request.model, read(request))

    monkeypatch.setattr(tokens, "read_tokenizer", read_once)  # it takes longer than all else

    def asked(kind, twist, whole=False):
        speaks, fault, asks = kind
        loopback = Loopback(model, speaks, fault, root="" if fault == "no root" else str(thinking_folder))
        loopback.thinks, loopback.temperatures, loopback.twist = some_end, (1, 0.7), twist
        loopback.draw = lambda _, number, *others: [("she left.", " he left.")[k % 2] for k in range(number)]
        reached(loopback)
        if len(model.known) > 1000:
            model.known.clear()
        choices, options = RUNS[asks][0], {"in_flight": 1, **RUNS[asks][1]}
        if whole:
            few = {"groups": ("nurse", "cook"), "limit_contexts": 2, "out": tmp_path / "run"}
            options |= {"base_url": loopback.url, **({"chat_turn": "assistant"} if asks == "thoughts" else {})}
            return bvf.run(model=f"openai:{NAME}", backend_options=options, **few, **choices)
        if asks == "texts":
            return connect(loopback, generation=GENERATION, **options).texts(FEW, GENERATION)
        if asks == "thoughts":
            thoughts = connect_to_think(loopback, thinking=THINKING, **options).thoughts(FEW, THINKING.generation)
            return [[thought.text for thought in of_prompt] for of_prompt in thoughts]
        answers = answers_within(connect(loopback, **options), 0.999, FEW)
        return [part.tolist() for part in (answers.logp, answers.bounds, answers.hits) if part is not None]

    return asked


def changed(answer, data):
    """An answer of which one thing is changed, and what."""
    status, content = answer
    text, how, place = json.dumps(content), data.draw(st.integers(0, 9), label="kind of change"), ()
    if how < 2:
        statuses = st.sampled_from(STATUSES if how else (status,))
        return (data.draw(statuses), text, data.draw(st.sampled_from(HEADERS))), how, place
    if how == 2:
        return (status, text[: data.draw(st.integers(0, len(text)))]), how, place
    depths = sorted({len(place) for place in places(content)})
    depth = data.draw(st.sampled_from(depths), label="depth")
    place = data.draw(st.sampled_from([each for each in places(content) if len(each) == depth]), label="place")
    text, how, _ = change_value(content, place, data, ODD, LONG)
    return (status, text), how, place


def check_figures(found):
    """Assert that they can be what they say, and can be stored."""
    if isinstance(found[0][0], str):
        assert [len(each) for each in found] == [len(found[0])] * len(FEW)
        assert all(len(text.encode()) < 20_000 for each in found for text in each)
        return
    logp, *others = map(np.array, found)
    assert logp.shape == (len(FEW), len(WORDS))
    assert (logp <= 1e-3).all()
    assert all((each >= 0).all() and np.isfinite(each).all() for each in others)


@pytest.mark.parametrize("secret", [KEY, KEY[:20], {KEY: [f"{KEY} "]}], ids=["key", "part", "name"])
def test_the_key_in_any_place_is_not_shown(ask, monkeypatch, tmp_path, secret):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    said = []
    right = ask(KINDS[0], lambda *each: said.append(each) or each[1])
    some = [(path, content, place) for path, (_, content) in said for place in places(content)]
    for path, content, place in random.Random(0).sample(some, 20):
        for status in (200, 400, 500):
            try:
                assert ask(KINDS[0], {path: (status, json.dumps(put(content, place, secret)))}.get) == right
            except BvfError as refused:
                refuse_secrets(tmp_path, str(refused))


@cases(80, 4000)
def test_an_answer_with_one_thing_changed(ask, monkeypatch, tmp_path, of):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    known, waits, before = {}, [], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    monkeypatch.setattr("bvf_openai_backend.client.time.sleep", waits.append)

    @of
    @given(st.data())
    def each(data):
        kind, said = data.draw(st.sampled_from(KINDS), label="kind"), []
        if kind not in known:
            known[kind] = ask(kind, lambda *each: said.append(each) or each[1]), said
        right, said = known[kind]
        answered = [number for number, (_, answer) in enumerate(said) if answer[0] == 200]
        first = data.draw(st.sampled_from([*range(len(said)), *answered * 4]), label="which answer")
        other, how, place = changed(said[first][1], data)
        always, asked = data.draw(st.booleans(), label="always"), []

        def twist(path, answer):
            asked.append(path)
            again = always and len(asked) > first and path == said[first][0]
            return other if again or len(asked) == first + 1 else answer

        waits.clear()
        shutil.rmtree(tmp_path / "run", ignore_errors=True)
        told, error = (kind, first, always, how, place, str(other)[:300]), ""
        try:
            if data.draw(st.integers(0, 39), label="whole") == 39 and kind[0] != "llama.cpp":
                ask(kind, twist, whole=True)
            else:
                found = ask(kind, twist)
                check_figures(found)
                assert found == right or always or (how != "more" and (how, place) != ("turned", ("choices",))), told
        except BvfError as refused:
            error = f"{refused.message} {refused.hint}"
        assert error == harmless(error), told
        assert len(error) < 6000, told
        assert sum(waits) <= 500, (told, waits)
        refuse_secrets(tmp_path / "run", error)
        for file in (tmp_path / "run").rglob("*.json"):
            json.loads(file.read_text(), parse_constant=pytest.fail)

    each()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_500_000  # KB
