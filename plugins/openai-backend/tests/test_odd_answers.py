"""Whatever a server answers: figures are right, or one line names the server and what is odd, soon and in bounds."""

import gzip
import socket
from contextlib import contextmanager
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


def odd_later(connect, loopback, twist):
    backend = connect(loopback)
    loopback.twist = twist
    with pytest.raises(BvfError) as error:
        backend.word_logprobs(PROMPTS, WORDS)
    text = f"{error.value} {error.value.hint}"
    assert loopback.url.split("/")[2] in text
    assert "Error" not in text.replace("HTTPError", "")
    return error.value


@pytest.mark.parametrize("index", [0, 10, None, HUGE])
def test_choices_are_matched_by_indices_that_are_each_there_once(index, serve, connect):
    def twist(path, answer):
        if "ompletion" in path:
            answer[1]["choices"][0]["index"] = index
        return answer

    assert "choices are not 0 to" in odd_later(connect, serve("vllm"), twist).message


def test_a_single_choice_needs_no_index():
    assert choices_in_order({"choices": [{"text": "a"}]}) == [{"text": "a"}]
    assert [
        each["text"] for each in choices_in_order({"choices": [{"index": 1, "text": "b"}, {"index": 0, "text": "a"}]})
    ] == ["a", "b"]
    with pytest.raises(OddError):
        choices_in_order({"choices": [{"text": "a"}, {"text": "b"}]})


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (5.0, "a token log p = 5: above 0"),
        (0.001, "above 0"),
        (HUGE, "a token log p = inf: above 0"),
        (-HUGE, "a token log p = -inf: no finite number"),
        (float("nan"), "does not return what it is asked for: NaN"),
        (True, "a log-probability is not a number"),
        ("-1", "a log-probability is not a number"),
        (-0.01, "probabilities whose sum is"),
    ],
)
def test_a_number_that_cannot_be_a_log_probability_is_refused(value, says, serve, connect):
    loopback = serve("vllm")

    def twist(path, answer):
        if "ompletion" in path:
            for choice in answer[1]["choices"]:
                top = choice["logprobs"]["top_logprobs"][0]
                top.update(dict.fromkeys(top, value))
        return answer

    assert says in odd_later(connect, loopback, twist).message


@pytest.mark.parametrize("fields", [{"meta": 5}, {"max_model_len": True}, {"max_model_len": -3}, {"root": 7}])
def test_facts_on_a_model_that_are_none_are_passed_over(fields, serve, connect):
    loopback = serve("vllm")
    known = {"id": NAME, "root": loopback.root}
    models = 200, {"data": [{**known, **fields}]}
    loopback.twist = lambda path, answer: models if path == "/v1/models" else answer
    backend = connect(loopback, tokenizer=loopback.root)
    assert backend.served.longest == 0
    assert backend.word_logprobs(PROMPTS[:1], WORDS).max() < 0


@pytest.mark.parametrize("wait", ["Wed, 21 Oct 99999999999999999999 07:28:00 GMT", "nan", "-5"])
def test_a_wait_that_is_none_is_not_waited_for_and_each_wait_is_twice_the_last(wait, serve, connect, monkeypatch):
    waits = []
    monkeypatch.setattr("bvf_openai_backend.client.time.sleep", waits.append)
    loopback = serve("vllm")
    backend = connect(loopback, in_flight=1)
    loopback.twist = lambda path, answer: (429, "slow down", {"Retry-After": wait})
    with pytest.raises(LostError, match="is busy: 429 slow down after 5 tries"):
        backend.word_logprobs(PROMPTS, WORDS)
    assert waits == [0.25, 0.5, 1.0, 2.0]


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


def packed(connection, ended):
    bomb = gzip.compress(b" " * 20_000_000)
    head = f"Content-Encoding: gzip\r\nContent-Length: {len(bomb)}\r\n\r\n"
    connection.sendall(HEAD + head.encode() + bomb)


def packed_twice(connection, ended):
    bomb = gzip.compress(gzip.compress(b" " * 20_000_000))
    head = f"Content-Encoding: gzip, gzip\r\nContent-Length: {len(bomb)}\r\n\r\n"
    connection.sendall(HEAD + head.encode() + bomb)


@contextmanager
def answering(answer):
    """Answer each request so, until the end. Yield the address."""
    ended = Event()

    def serve_one(connection):
        with connection:
            try:
                connection.recv(65536)
                answer(connection, ended)
            except OSError:
                pass

    def serve():
        while not ended.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            Thread(target=serve_one, args=[connection], daemon=True).start()

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
        (packed_twice, "packed in a way that it was not asked for"),
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
