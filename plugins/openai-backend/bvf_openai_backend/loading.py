"""Connects to a model on a server, in the dialect that it answers, or describes it."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np
from bvf_llama_backend.chat import ChatTurns, chat_turns
from bvf_llama_backend.loading import in_chat
from bvf_llama_backend.options import chat_options_of
from bvf_transformers.tokens.cutting import Cutter

from bvf import Backend, BvfError, ModelDescription, ModelRequest
from bvf.domain import Turn
from bvf.errors import ScoringError
from bvf_openai_backend.backend import ExactModel, ServerModel, TopChatModel, TopModel
from bvf_openai_backend.chats import ExactChatModel, ExactContinuedChatModel
from bvf_openai_backend.client import Client, NotJsonError, Refused
from bvf_openai_backend.dialects import EXACT, SHAPES, Continuing, Dialect, MissingError, Row, RowAnswer
from bvf_openai_backend.most_probable import TOP_K, Completions, TopK
from bvf_openai_backend.options import options_of
from bvf_openai_backend.sampling import (
    SampledChatModel,
    SampledModel,
    WritingChatModel,
    WritingModel,
    drawing_for,
    drawing_of,
)
from bvf_openai_backend.server import NO_LOGP, Served, Server, check_length_read, check_logprobs, served_model, text_at
from bvf_openai_backend.tokens import SAY_WHICH, ServerTokenizer, letters_of, row_for, tokenizer_of

TEXTS = ("The nurse said that", "In the end, every one of them")
REPEATED = ("one two three one two three one two three one two", "on the mat on the mat on the mat on the")
"""Texts that go on with a token that begins with a space, if a model has such."""
ASKED = 100
KEPT = 16
"""About how many log-probabilities per text are kept to compare with a later probe."""
ECHO_NEAR = 0.2
"""How near log p in an echo must be to that of a next token: rounding to 16 bits moves it less."""
CHAT_MODELS: dict[Turn, type[ExactChatModel]] = {"user": ExactChatModel, "assistant": ExactContinuedChatModel}
"""The class that reads a context, by whose turn of a chat it is."""


@dataclass(frozen=True)
class Probed:
    """The dialect (request format) that a probe of a server found, and the server's answers to the probe's rows."""

    dialect: Dialect
    row_answers: tuple[RowAnswer, ...]
    echo: Dialect | None = None  # the format of requests for log p of a text's own tokens, if they are answered rightly

    @property
    def name(self) -> str:
        """What the server is asked for."""
        return f"{self.dialect.name}{' with echo' if self.echo else ''}"

    @property
    def answers(self) -> dict[str, float]:
        """Some log-probabilities of the probe, by ``TEXT/TOKEN``, to be compared with those of later probes."""
        return {
            f"{text}/{token}": round(logp, 4)
            for text, answer in enumerate(self.row_answers)
            for token, logp in sorted(answer.everything.items())[:: max(1, len(answer.everything) // KEPT)]
        }


def probe(client: Client, served: Served, tokenizer: Any) -> Probed:
    """Find the dialect that a server speaks. Refuses one without, and log-probabilities that cannot be."""
    texts = [tuple(tokenizer(text)["input_ids"]) for text in TEXTS]
    spread = np.linspace(0, max(len(tokenizer), ASKED) - 1, ASKED - len(set().union(*texts))).astype(int).tolist()
    asked = tuple(sorted({*spread, *texts[0], *texts[1]}))
    rows = [Row(ids, asked, text) for ids, text in zip(texts, TEXTS, strict=True)]
    for dialect in _candidates(served, tokenizer):
        answers = _answers(client, dialect, rows)
        if answers is not None:
            _check_logprobs(client.host, answers)
            dialect = _named_rightly(client, dialect, answers, tokenizer)
            return Probed(dialect, tuple(answers), _echo_of(client, dialect, rows, tokenizer))
    raise BvfError(
        f"{client.host} returns no log-probabilities: it refuses to be asked for them, or ignores it",
        "start the model on a server that does: vLLM, SGLang, llama.cpp; or estimate them: -B estimate=samples",
    )


def _candidates(served: Served, tokenizer: Any) -> Iterable[Dialect]:
    """The dialects that a server may speak. The exact ones come first."""
    vocabulary = max(served.vocabulary, len(tokenizer))
    for kind in EXACT:
        if vocabulary or kind.most_rows > 1:
            yield kind(served.name, vocabulary)
    letters = cache(partial(letters_of, tokenizer))
    for top_kind in TOP_K:
        for top in top_kind.tops:
            if top_kind is Completions:
                yield Completions(served.name, vocabulary, top, letters, by_id=True)
            yield top_kind(served.name, vocabulary, top, letters)


def _answers(client: Client, dialect: Dialect, rows: Sequence[Row]) -> list[RowAnswer] | None:
    """A server's answers in a dialect; None if it does not speak the dialect."""
    answers: list[RowAnswer] = []
    for parcel in [rows] if dialect.most_rows > 1 else [[row] for row in rows]:
        try:
            answer = client.post(dialect.call(parcel))
            answers += dialect.read(answer, parcel)
            tokens_read = dialect.tokens_read(answer)
        except (Refused, NotJsonError, MissingError, *SHAPES):
            return None
        check_length_read(client.host, tokens_read, parcel)
    return answers


def _named_rightly(client: Client, dialect: Dialect, answers: Sequence[RowAnswer], tokenizer: Any) -> Dialect:
    """The dialect, in which names may lack their spaces where the vocabulary has such and no answer names one.

    Refuses names that the tokenizer does not know.
    """
    names = {name for answer in answers for name in answer.names}
    if not isinstance(dialect, TopK) or not names or any(name.startswith(" ") for name in names):
        return dialect
    known = {dialect.letters(token) or "" for token in range(len(tokenizer))}
    more = _answers(client, dialect, [Row(tuple(tokenizer(text)["input_ids"]), (), text) for text in REPEATED])
    names |= {name for answer in more or () for name in answer.names}
    if odd := sorted(name for name in names if known - {""} and name.isascii() and name.strip() and name not in known):
        without = f": it leaves out the space, and {odd[0]!r} may be another token" if f" {odd[0]}" in known else ""
        raise ScoringError(
            f"{client.host} names a token {odd[0][:99]!r}, which the tokenizer does not have{without}",
            "a server that names tokens by their ids can be asked: vLLM, SGLang, llama.cpp, TGI",
        )
    spaced = any(name.startswith(" ") for name in names) or not any(name.startswith(" ") for name in known)
    return dialect if spaced else replace(dialect, spaced=False)


def _echo_of(client: Client, dialect: Dialect, rows: Sequence[Row], tokenizer: Any) -> Dialect | None:
    """The format of requests for log p of a text's own tokens; None if that is not their log p as next tokens."""
    wanted, echo = client.options.echo, replace(dialect, echo=True) if isinstance(dialect, Completions) else None
    pairs = [] if echo is None or wanted is False else _next_and_echoed(client, dialect, echo, rows, tokenizer)
    odd = [f"{ours:.3g} and {theirs:.3g}" for ours, theirs in pairs if not abs(ours - theirs) < ECHO_NEAR]
    if wanted and not dialect.exact and (odd or not pairs):
        why = f"a token log p = {odd[0]} as the next one and in it" if odd else "no log-probabilities of its tokens"
        raise BvfError(
            f"-B echo=true: {client.host} is to send a text back, and gives {why}",
            "leave it out: words are then known between bounds",
        )
    return echo if pairs and not odd else None


def _next_and_echoed(
    client: Client, dialect: Dialect, echo: Dialect, rows: Sequence[Row], tokenizer: Any
) -> list[tuple[float, float]]:
    """Log p of likely and of unlikely tokens after texts, and in the echo of texts that end with them; NaN: none."""
    pairs = list[tuple[float, float]]()
    for row in rows if _answers(client, echo, rows) else ():
        named = _answers(client, dialect, [replace(row, asked=tuple(range(len(tokenizer))))])
        logp = named[0].logp if named else {}
        longer = [row_for(dialect, tokenizer, Row((*row.ids, token))) for token in sorted(logp, key=lambda t: logp[t])]
        sent = [each for each in longer if each is not None]
        for each in (*sent[:1], *sent[-1:]):
            echoed = _answers(client, echo, [each])
            pairs.append((logp[each.ids[-1]], echoed[0].echoed[-1] if echoed else math.nan))
    return pairs


def _check_logprobs(host: str, answers: Sequence[RowAnswer]) -> None:
    """Refuse answers that cannot be log-probabilities of tokens after different texts."""
    for answer in answers:
        logp = np.array(list(answer.everything.values()))
        if (logp == 0).all():
            raise ScoringError(
                f"{host} says that every log-probability is 0.0", "start the server without speculative decoding"
            )
        if (logp == logp[0]).all() and len(logp) > 1:
            raise ScoringError(f"{host} gives every token the log-probability {logp[0]:g}", NO_LOGP)
        check_logprobs(host, answer)
    if all(answer.everything == answers[0].everything for answer in answers[1:]):
        raise ScoringError(f"{host} gives the same answer to different texts: it does not read them", NO_LOGP)


def load_openai(request: ModelRequest) -> Backend:
    """Connect to a model on a server.

    Raises:
        BvfError: The server does not answer or refuses the key or model, or log p or the tokenizer is not available; or
            the model is to be asked in a chat, or to think, and cannot be.
    """
    client, served = _connected(request)
    if drawing := _drawing_model(request, client, served):
        return drawing
    tokenizer = tokenizer_of(request, client, served)
    probed, turn = probe(client, served, tokenizer), chat_options_of(request).turn
    dialect, server = probed.dialect, Server(client, probed.dialect, probed.echo)
    cutter = Cutter(
        tokenizer,
        served.name,
        reads_right=False,
        adds_special_tokens=turn is None,
        start=client.options.start,
        longer_words=request.longer_words,
    )
    if turn is None:
        return _backend_class(dialect)(served, server, cutter)
    turns, thinks = _turns(request, client, dialect, tokenizer), request.thinking is not None
    return CHAT_MODELS[turn](served, server, cutter, turns, thinks=thinks)


def describe_openai(request: ModelRequest) -> ModelDescription:
    """Describe a model on a server by its version and its answers to a probe. Raises the errors of `load_openai`."""
    client, served = _connected(request)
    if drawing := _drawing_model(request, client, served):
        estimates = isinstance(drawing, SampledModel)
        way = f"{'samples' if estimates else 'texts'} of {'chat' if drawing.drawing.is_chat else 'completions'}"
        return ModelDescription(
            drawing.capabilities,
            read_as=_read_as(way, text_at(client, "/version", "version"), served),
            libraries=("httpx2",),
            samples=client.options.samples if estimates else 0,
            longer_words=request.longer_words if estimates else None,
        )
    tokenizer = tokenizer_of(request, client, served)
    probed, turn = probe(client, served, tokenizer), chat_options_of(request).turn
    read_by = CHAT_MODELS[turn] if turn else _backend_class(probed.dialect)
    description = ModelDescription(
        read_by.capabilities,
        longer_words=() if read_by is TopChatModel else request.longer_words,
        read_as=_read_as(probed.name, text_at(client, *probed.dialect.version_at), served),
        libraries=("transformers", "tokenizers", "httpx2"),
        probe=probed.answers,
        start=client.options.start,
    )
    if turn is None:
        return description
    turns = _turns(request, client, probed.dialect, tokenizer)
    read_as = f"{description.read_as}, chat template {turns.digest}"
    return in_chat(replace(description, read_as=read_as), turns, request)


def _connected(request: ModelRequest) -> tuple[Client, Served]:
    turn = chat_options_of(request).turn
    if request.thinking is not None and turn is None:
        raise BvfError(
            "--reading thought: a model on a server thinks in a chat", "add --chat-turn user, or --chat-turn assistant"
        )
    if turn is not None and (request.generation is not None or options_of(request).estimate):
        raise BvfError(
            "--chat-template and --chat-turn: a server writes texts and samples without a chat, or in its own chat",
            "leave them out, or ask for probabilities: without --reading generated and -B estimate=samples",
        )
    client = Client(options_of(request))
    return client, served_model(client, request.model)


def _drawing_model(request: ModelRequest, client: Client, served: Served) -> WritingModel | SampledModel | None:
    """The model that draws texts, to be read or to estimate p; None if the server is asked for p."""
    if request.generation is not None:
        drawing = drawing_for(client, served.name, request.generation)
        return (WritingChatModel if drawing.is_chat else WritingModel)(served, client, drawing)
    if client.options.estimate:
        drawing = drawing_of(client, served.name, client.options.samples)
        sampled = SampledChatModel if drawing.is_chat else SampledModel
        return sampled(served, client, drawing, request.longer_words)
    return None


def _turns(request: ModelRequest, client: Client, dialect: Dialect, tokenizer: Any) -> ChatTurns:
    """The chat template of the model. Refuses a server that cannot be asked in such a chat, or for thoughts."""
    if not dialect.exact:
        raise BvfError(
            f"--chat-turn: {client.host} lists the most probable tokens alone ({dialect.name}), and a chat that is "
            "written here needs log p of any token",
            "start the model on vLLM, SGLang or llama-server of llama.cpp",
        )
    if request.thinking is not None and not isinstance(dialect, Continuing):
        raise BvfError(
            f"--reading thought: {client.host} ({dialect.name}) is not asked for thoughts",
            "start the model on vLLM or llama-server of llama.cpp",
        )
    if isinstance(tokenizer, ServerTokenizer):
        raise BvfError(f"{client.host} does not say the chat template of {request.model}", SAY_WHICH)
    return chat_turns(tokenizer, request)


def _backend_class(dialect: Dialect) -> type[ServerModel]:
    if dialect.exact:
        return ExactModel
    return TopChatModel if dialect.is_chat else TopModel


def _read_as(way: str, version: str, served: Served) -> str:
    """A text on how the model is read. A run records the text, and is resumed only with the same text."""
    return " ".join(filter(None, (way, version, f"of {served.root}" if served.root else "")))
