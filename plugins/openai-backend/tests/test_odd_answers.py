"""Whatever a server answers: figures are right, or one line names the server and what is odd, soon and in bounds."""

import gzip
import socket
from contextlib import contextmanager, suppress
from functools import partial
from threading import Event, Thread

import pytest
from asked_of_servers import PROMPTS, WORDS
from bvf_openai_backend import transport
from bvf_openai_backend.client import Client
from bvf_openai_backend.dialects import OddError, choices_in_order
from bvf_openai_backend.options import ServerOptions
from loopback import NAME

from bvf.errors import BvfError, LostError

HUGE = float("inf")


@pytest.mark.parametrize("index", [0, 10, None, HUGE])
def test_choices_are_matched_by_indices_that_are_each_there_once(index):
    with pytest.raises(OddError, match="choices are not 0 to 1"):
        choices_in_order({"choices": [{"index": index, "text": "a"}, {"index": 0, "text": "b"}]})
    assert choices_in_order({"choices": [{"text": "a"}]}) == [{"text": "a"}]
    both = [{"index": 0, "text": "a"}, {"index": 1, "text": "b"}]
    assert choices_in_order({"choices": both[::-1]}) == both


def twice_first(choices):
    choices[0]["index"] = choices[1]["index"]


def all_log_p(value):
    def change(choices):
        for choice in choices:
            top = choice["logprobs"]["top_logprobs"][0]
            top.update(dict.fromkeys(top, value))

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (twice_first, "choices are not 0 to"),
        (all_log_p(5.0), "a token log p = 5: above 0"),
        (all_log_p(0.001), "above 0"),
        (all_log_p(HUGE), "a token log p = inf: above 0"),
        (all_log_p(-HUGE), "a token log p = -inf: no finite number"),
        (all_log_p(float("nan")), "does not return what it is asked for: NaN"),
        (all_log_p(True), "a log-probability is not a number"),
        (all_log_p("-1"), "a log-probability is not a number"),
        (all_log_p(-0.01), "probabilities whose sum is"),
    ],
)
def test_choices_and_numbers_that_cannot_be_log_probabilities_are_refused(change, says, serve, connect):
    def twist(path, answer):
        if "ompletion" in path:
            change(answer[1]["choices"])
        return answer

    loopback = serve("vllm")
    backend = connect(loopback)
    loopback.twist = twist
    with pytest.raises(BvfError) as error:
        backend.word_logprobs(PROMPTS, WORDS)
    assert says in error.value.message
    text = f"{error.value} {error.value.hint}"
    assert loopback.url.split("/")[2] in text
    assert "Error" not in text.replace("HTTPError", "")


@pytest.mark.parametrize("fields", [{"meta": 5}, {"max_model_len": True}, {"max_model_len": -3}, {"root": 7}])
def test_facts_on_a_model_that_are_none_are_passed_over(fields, serve, connect):
    loopback = serve("vllm")
    known = {"id": NAME, "root": loopback.root}
    models = 200, {"data": [{**known, **fields}]}
    loopback.twist = lambda path, answer: models if path == "/v1/models" else answer
    backend = connect(loopback, tokenizer=loopback.root)
    assert backend.served.longest == 0
    assert backend.word_logprobs(PROMPTS[:1], WORDS).max() < 0


BUSY = "is busy: 429 slow down after 5 tries"
NO_DATE = "Wed, 21 Oct 99999999999999999999 07:28:00 GMT"


@pytest.mark.parametrize(
    ("wait", "says", "waited"),
    [
        *((wait, BUSY, [0.25, 0.5, 1.0, 2.0]) for wait in (NO_DATE, "nan", "-5")),
        ("3600", "asked again in 3600 seconds", []),
    ],
)
def test_waits_are_each_twice_the_last_and_not_as_long_as_a_server_likes(
    wait, says, waited, serve, connect, monkeypatch
):
    waits = []
    monkeypatch.setattr("bvf_openai_backend.client.time.sleep", waits.append)
    loopback = serve("vllm")
    backend = connect(loopback, in_flight=1)
    loopback.twist = lambda path, answer: (429, "slow down", {"Retry-After": wait})
    with pytest.raises(LostError, match=says):
        backend.word_logprobs(PROMPTS, WORDS)
    assert waits == waited


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def letter_by_letter(connection, ended):
    connection.sendall(HEAD + b"Content-Length: 100000\r\n\r\n")
    while not ended.wait(0.02):
        connection.sendall(b" ")


def header_by_header(connection, ended):
    connection.sendall(HEAD)
    while not ended.wait(0.02):
        connection.sendall(b"X-More: 1\r\n")


def without_end(connection, ended):
    connection.sendall(HEAD + b"Connection: close\r\n\r\n")
    while not ended.is_set():
        connection.sendall(b" " * 65536)


def packed(connection, ended, times=1):
    bomb = b" " * 20_000_000
    for _ in range(times):
        bomb = gzip.compress(bomb)
    head = f"Content-Encoding: {', '.join(['gzip'] * times)}\r\nContent-Length: {len(bomb)}\r\n\r\n"
    connection.sendall(HEAD + head.encode() + bomb)


@contextmanager
def answering(answer):
    """Answer each request so, until the end. Yield the address."""
    ended = Event()

    def serve_one(connection):
        with connection, suppress(OSError):
            connection.recv(65536)
            answer(connection, ended)

    def serve():
        with suppress(OSError):
            while not ended.is_set():
                Thread(target=serve_one, args=[listener.accept()[0]], daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        ended.set()


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (letter_by_letter, r"takes more than 0.3 seconds \(-B timeout\)"),
        (header_by_header, r"takes more than 0.3 seconds \(-B timeout\)"),
        (without_end, "has more than 1 MB"),
        (packed, "has more than 1 MB"),
        (partial(packed, times=2), "packed in a way that it was not asked for"),
    ],
)
def test_an_answer_has_an_end(answer, says, monkeypatch):
    monkeypatch.setattr(transport, "SECONDS_TO_CONNECT", 0.5)
    monkeypatch.setattr(transport, "MOST_BYTES", 1_000_000)
    with answering(answer) as url:
        client = Client(ServerOptions(base_url=url, timeout=0.3 if "seconds" in says else 60))
        with pytest.raises(BvfError, match=says):
            client.get("/v1/models")


def test_nothing_that_is_not_unpacked_is_asked_for(serve, connect):
    loopback = serve("vllm")
    connect(loopback)
    assert {headers["accept-encoding"] for headers in loopback.got} == {"gzip, deflate"}
