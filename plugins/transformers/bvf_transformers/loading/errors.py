"""Turns errors that the libraries raise while loading a model into one-line errors with a hint."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from huggingface_hub import constants
from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError

from bvf import BvfError, ModelRequest
from bvf_transformers.loading.checkpoint import CONFIG, PICKLE_HINT, check_tokenizer_files
from bvf_transformers.loading.gguf import gguf_file
from bvf_transformers.loading.weights import folder_of, weight_files
from bvf_transformers.options import options_of
from bvf_transformers.reading.memory import is_out_of_memory, out_of_memory

READERS = ("sentencepiece", "protobuf", "tiktoken")
"""Names that the library's error has if it cannot read a sentencepiece file; it tries tiktoken last."""
SENTENCEPIECE = ("sentencepiece", "google")
"""Modules that are all needed to read such a file; google is that of protobuf."""
UNREACHABLE = ("couldn't connect", "not a local folder", "cannot find", "connection", "not find", "offline")
UNKNOWN_TYPE = re.compile(r"model type `(.*)` but Transformers does not recognize")
LONGEST = 300


@contextmanager
def explained(request: ModelRequest, part: str) -> Iterator[None]:
    """Turn any library error in the block into a one-line `BvfError`. The block loads ``part`` of a model."""
    try:
        yield
    except BvfError:
        raise
    except Exception as error:
        folder = None if gguf_file(request) else folder_of(request)
        is_here = bool(gguf_file(request) or (folder and (part != "weights" or weight_files(request))))
        raise _explanation(request, part, error, is_here=is_here) from error


def _explanation(request: ModelRequest, part: str, error: Exception, *, is_here: bool) -> BvfError:
    text = str(error)
    first_line = _first_line(text) or type(error).__name__
    if is_out_of_memory(error):
        return out_of_memory(f"{request.model}: the {part} cannot be loaded: {first_line}")
    if "trust_remote_code" in text:
        return BvfError(
            f"{request.model}: this model comes with code of its own",
            "use --trust-remote-code if you trust its authors",
        )
    if unknown := UNKNOWN_TYPE.search(text):
        return BvfError(
            f"{request.model}: the transformers library here ({version('transformers')}) knows no model of type "
            f'"{unknown[1]}"',
            "update it, or name another model: pip install -U transformers",
        )
    if "Should have a `model_type` key" in text:
        return BvfError(f"{request.model}: {CONFIG} has no model_type", "say which type of model it is, such as llama")
    if "GGUF model with architecture" in text:
        return BvfError(
            f"{request.model}: {first_line}", "llama, mistral, qwen2 and qwen3 are; or give the folder it was made from"
        )
    if part == "tokenizer":
        if Path(request.model).is_dir():
            check_tokenizer_files(Path(request.model))
        if any(name in text for name in READERS) and any(find_spec(name) is None for name in SENTENCEPIECE):
            return BvfError(
                f"{request.model}: the tokenizer is a sentencepiece file, and what reads it is not installed",
                "pip install 'bvf[sentencepiece]'",
            )
    explanation = None if is_here else _hub_explanation(request, error)
    return explanation or BvfError(f"{request.model}: the {part} cannot be loaded: {first_line}", "--debug shows more")


def _first_line(text: str) -> str:
    """The first line of a text. If it ends in a colon, the second is joined."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " ".join(lines[: 2 if lines and lines[0].endswith(":") else 1])[:LONGEST]


def _hub_explanation(request: ModelRequest, error: Exception) -> BvfError | None:
    """The error that says why a model cannot be fetched from the hub; None if no known cause fits."""
    text = str(error)
    reasons = [type(cause) for cause in _causes(error)]
    if constants.is_offline_mode():
        return BvfError(
            f"{request.model}: not in the cache, and HF_HUB_OFFLINE is set", "give a folder, or go online once"
        )
    if GatedRepoError in reasons:
        return BvfError(
            f"{request.model}: its authors ask you to accept their licence first",
            f"accept it at {constants.ENDPOINT}/{request.model}, then log in: hf auth login",
        )
    if RevisionNotFoundError in reasons:
        return BvfError(
            f'{request.model}: there is no revision "{options_of(request).revision}" on the hub',
            "--revision takes a branch, a tag or a commit",
        )
    if RepositoryNotFoundError in reasons:
        return BvfError(
            f"{request.model}: not a folder here, and there is no such model on the hub, or it is private",
            "check the name; a private model needs hf auth login",
        )
    if "cannot be loaded with `safetensors`" in text:
        return BvfError(
            f"{request.model}: no safetensors on the hub, and pickled weights can run any code", PICKLE_HINT
        )
    if any(sign in text.lower() for sign in UNREACHABLE):
        return BvfError(
            f"{request.model}: not a folder here, and it cannot be fetched from the hub",
            "check the name and the network, or give a folder",
        )
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and its chain of causes."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__
