"""Finds the tokenizer of a model on a server: in a folder, on the hub, or on the server."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bvf_transformers.loading.load import read_tokenizer
from bvf_transformers.tokens.composing import ANCHOR, text_inside

from bvf import BvfError, ModelRequest
from bvf_openai_backend.client import Call, Client, NotJsonError, Refused
from bvf_openai_backend.dialects import SHAPES, Dialect, Row, token_id
from bvf_openai_backend.options import options_of
from bvf_openai_backend.server import Served, changed_shape

SAY_WHICH = "name the tokenizer of the model: -B tokenizer=FOLDER, a GGUF file or a hub id"
TRIED = ("The nurse said that she", " 123 naïve (über) 说,a\nb")
"""Texts that different tokenizers encode differently."""
BROKEN = "\ufffd"


def tokenizer_of(request: ModelRequest, client: Client, served: Served) -> Any:
    """Return the tokenizer of ``-B tokenizer``, of the model's source, or of the server. Refuses two that differ."""
    named = options_of(request).tokenizer
    remote = ServerTokenizer(client, served.name)
    tokenizer = _local(request, named) if named else _guessed(request, served)
    if not remote.works():
        if tokenizer is None:
            raise BvfError(f"{client.host}: the tokenizer of {served.name} was not found", SAY_WHICH)
        return tokenizer
    if tokenizer is None:
        return remote
    for text in TRIED:
        ours, theirs = (list(each(text, add_special_tokens=False)["input_ids"]) for each in (tokenizer, remote))
        if ours != theirs:
            raise BvfError(
                f"{client.host} writes {text!r} as {theirs[:40]}, and the tokenizer {tokenizer.name_or_path} as {ours}",
                SAY_WHICH,
            )
    return tokenizer


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
    """Return the string that a token adds to a text; None if it is empty, not whole characters, or unknown."""
    if isinstance(tokenizer, ServerTokenizer):
        return None
    name: str | None = tokenizer.convert_ids_to_tokens(token)
    if name is None:
        return None
    if tokenizer.convert_tokens_to_string([ANCHOR, ANCHOR]) != 2 * ANCHOR:  # its tokens are words, as of WordPiece
        return name
    text = text_inside(tokenizer, name)
    return None if BROKEN in text or not text else text


def text_of(tokenizer: Any, ids: Sequence[int]) -> str | None:
    """Return the text that these ids encode, special tokens included; None if decoding finds no such text."""
    if isinstance(tokenizer, ServerTokenizer):
        return None
    text: str = tokenizer.decode(list(ids), skip_special_tokens=True, clean_up_tokenization_spaces=False)
    return text if list(tokenizer(text)["input_ids"]) == list(ids) else None


def row_for(dialect: Dialect, tokenizer: Any, row: Row) -> Row | None:
    """Return a row as a server takes it, with its text where that takes no ids; None if it cannot be sent."""
    text = None if dialect.reads_ids else text_of(tokenizer, row.ids)
    return row if dialect.reads_ids else None if text is None else replace(row, text=text)


class ServerTokenizer:
    """The server's tokenizer. It has only the methods that prompts need, and sends one request per distinct text."""

    unk_token_id = None
    unk_token = ""
    bos_token_id = None
    eos_token_id = None

    def __init__(self, client: Client, model: str) -> None:
        self._client, self._model = client, model
        self._known: dict[tuple[str, bool], list[int]] = {}

    def works(self) -> bool:
        """Whether the server tokenizes texts."""
        try:
            return bool(_ids_in(self._client.post(self._call("a", True))))
        except (Refused, NotJsonError, *SHAPES):
            return False

    def __call__(
        self, texts: str | Sequence[str], *, add_special_tokens: bool = True, verbose: bool = True
    ) -> dict[str, Any]:
        """Return the token ids of texts, in the format of transformers' tokenizers."""
        several = [texts] if isinstance(texts, str) else texts
        new = [text for text in dict.fromkeys(several) if (text, add_special_tokens) not in self._known]
        answers = self._client.post_all([self._call(text, add_special_tokens) for text in new], counted=False)
        for text, answer in zip(new, answers, strict=True):
            try:
                self._known[text, add_special_tokens] = _ids_in(answer)
            except SHAPES as error:
                raise changed_shape(self._client.host, error) from None
        ids = [self._known[text, add_special_tokens] for text in several]
        return {"input_ids": ids[0] if isinstance(texts, str) else ids}

    def get_vocab(self) -> dict[str, int]:
        """Return a made-up token with a space, as the vocabulary is unknown. `Composer` then tokenises whole texts."""
        return {"a b": 0}

    def convert_ids_to_tokens(self, ids: object) -> list[str]:
        """Raise `BvfError`, as the vocabulary is unknown."""
        raise BvfError(
            f"{self._model}: the end of a text and a word become one token, and the vocabulary is not known", SAY_WHICH
        )

    def __len__(self) -> int:
        return 0

    def _call(self, text: str, special: bool) -> Call:
        """A request that vLLM, SGLang and llama.cpp can read. Each ignores the fields of the others."""
        special_tokens = {"add_special_tokens": special, "add_special": special}
        return Call("/tokenize", {"model": self._model, "prompt": text, "content": text, **special_tokens})


def _ids_in(answer: Any) -> list[int]:
    return [token_id(token) for token in answer["tokens"]]
