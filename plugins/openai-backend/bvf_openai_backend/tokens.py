"""The token ids that a server is sent: those of the model's own tokenizer."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bvf_transformers.loading.load import read_tokenizer
from bvf_transformers.tokens.composing import ANCHOR

from bvf.errors import BvfError
from bvf.interfaces.backend import ModelRequest
from bvf_openai_backend.client import Call, Client, NotJsonError, Refused
from bvf_openai_backend.options import options_of
from bvf_openai_backend.served import Served

SAY_WHICH = "-B tokenizer=FOLDER, or the id of the model on the hub"
TRIED = ("The nurse said that she", " 123 naïve (über) 说,a\nb")
"""Texts that tokenizers write differently."""
BROKEN = "\ufffd"


def tokenizer_of(request: ModelRequest, client: Client, served: Served) -> Any:
    """Return the tokenizer of a model: the named one, the one at the model's source, or the server's.

    Raises:
        BvfError: There is none, or the server tokenizes texts differently.
    """
    named = options_of(request).tokenizer
    remote = ServerTokenizer(client, served.name)
    tokenizer = _local(request, named) if named else _guessed(request, served)
    if tokenizer is None:
        if not remote.works:
            raise BvfError(f"{client.host}: the tokenizer of {served.name} was not found", SAY_WHICH)
        return remote
    if remote.works:
        _check_alike(tokenizer, remote, client.host)
    return tokenizer


def _check_alike(tokenizer: Any, remote: "ServerTokenizer", host: str) -> None:
    """Refuse a tokenizer with other ids than the server's; only the tokens around a text may differ."""
    for text in TRIED:
        ours, theirs = list(tokenizer(text, add_special_tokens=False)["input_ids"]), remote.ids(text, False)
        if ours != theirs:
            raise BvfError(
                f"{host} writes {text!r} as {theirs}, and the tokenizer {tokenizer.name_or_path} as {ours}",
                f"name the model's own: {SAY_WHICH}",
            )


def _guessed(request: ModelRequest, served: Served) -> Any:
    for name in dict.fromkeys((served.root, served.name)):
        if Path(name).is_dir() or name.count("/") == 1:
            try:
                return _local(request, name)
            except BvfError:
                continue
    return None


def _local(request: ModelRequest, name: str) -> Any:
    return read_tokenizer(replace(request, model=name, options=None))


def letters_of(tokenizer: Any, token: int) -> str | None:
    """Return the letters that a token adds to a text; None if it is a part of a letter, or they are not known."""
    if isinstance(tokenizer, ServerTokenizer):
        return None
    name = tokenizer.convert_ids_to_tokens(token)
    text: str = tokenizer.convert_tokens_to_string([ANCHOR, name]).removeprefix(ANCHOR)
    return None if BROKEN in text or not text else text


def text_of(tokenizer: Any, ids: Sequence[int]) -> str | None:
    """Return the text that becomes these ids, with the tokens that begin one; None if no text does."""
    if isinstance(tokenizer, ServerTokenizer):
        return None
    text: str = tokenizer.decode(list(ids), skip_special_tokens=True, clean_up_tokenization_spaces=False)
    return text if list(tokenizer(text)["input_ids"]) == list(ids) else None


class ServerTokenizer:
    """The tokenizer on the server, as far as prompts need one: a request per text, each text once.

    Args:
        client: The server.
        model: What it calls the model.
    """

    unk_token_id = None
    unk_token = ""
    bos_token_id = None
    eos_token_id = None

    def __init__(self, client: Client, model: str) -> None:
        self._client = client
        self._model = model
        self._known: dict[tuple[str, bool], list[int]] = {}

    @property
    def works(self) -> bool:
        """Whether the server writes texts as ids."""
        try:
            return bool(self._ids_in(self._client.post(self._call("a", True))))
        except (Refused, NotJsonError, LookupError, TypeError, ValueError):
            return False

    def ids(self, text: str, special: bool) -> list[int]:
        """Return the ids of a text, with those that the model puts around every text or without."""
        return self._all([text], special)[0]

    def __call__(
        self, texts: str | Sequence[str], *, add_special_tokens: bool = True, verbose: bool = True
    ) -> dict[str, Any]:
        """Return the ids of one text or several, as tokenizers do."""
        if isinstance(texts, str):
            return {"input_ids": self.ids(texts, add_special_tokens)}
        return {"input_ids": self._all(texts, add_special_tokens)}

    def get_vocab(self) -> dict[str, int]:
        """Return one token that reaches over a space, so that ids are never composed: the vocabulary is unknown."""
        return {"a b": 0}

    def convert_ids_to_tokens(self, ids: object) -> list[str]:
        """Raise `BvfError`: nobody knows the vocabulary."""
        raise BvfError(
            f"{self._model}: the end of a text and a word become one token, and the vocabulary is not known", SAY_WHICH
        )

    def __len__(self) -> int:
        return 0

    def _all(self, texts: Sequence[str], special: bool) -> list[list[int]]:
        new = [text for text in dict.fromkeys(texts) if (text, special) not in self._known]
        answers = self._client.post_all([self._call(text, special) for text in new], counted=False)
        for text, answer in zip(new, answers, strict=True):
            self._known[text, special] = self._ids_in(answer)
        return [self._known[text, special] for text in texts]

    def _call(self, text: str, special: bool) -> Call:
        """A request that vLLM, SGLang and llama.cpp all read; each ignores the fields of the others."""
        how = {"add_special_tokens": special, "add_special": special}
        return Call("/tokenize", {"model": self._model, "prompt": text, "content": text, **how})

    def _ids_in(self, answer: Any) -> list[int]:
        return [int(token) for token in answer["tokens"]]
