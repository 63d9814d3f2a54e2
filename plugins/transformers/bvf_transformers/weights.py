"""The files of a model: what is there, what is damaged, and one line that says so."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from huggingface_hub import constants, snapshot_download
from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError
from safetensors import SafetensorError, safe_open

from bvf.backend import ModelRequest
from bvf.errors import BvfError
from bvf_transformers.gguf import check_gguf, gguf_file

SAFE = "*.safetensors"
PICKLED = "pytorch_model*.bin"
TOKENIZER_LIBRARIES = ("tiktoken", "sentencepiece", "protobuf")
PICKLE_HINT = "convert them to safetensors, or say --allow-pickle if you trust where they come from"


def check_files(request: ModelRequest) -> None:
    """Check what can be seen of a local folder or GGUF file before anything is loaded.

    Raises:
        BvfError: The folder has no configuration, no weights, only pickled ones, or a damaged file.
    """
    folder = Path(request.model)
    single = gguf_file(request)
    if single:
        return check_gguf(single)
    if not folder.is_dir():
        if folder.exists() or request.model.startswith((".", "/", "~")) or request.model.count("/") > 1:
            raise BvfError(
                f"--model {request.model}: there is no such folder", "give a folder, a hub id, or bundled:NAME"
            )
        return None  # a hub id: may have dots, as in facebook/opt-1.3b
    if not (folder / "config.json").is_file():
        raise BvfError(
            f"{folder}: no config.json in this folder", "a model folder has config.json, weights and a tokenizer"
        )
    if not _weights_in(folder):
        raise BvfError(f"{folder}: no weights in this folder", "a model folder has model.safetensors")
    return _check_weights(folder, request)


def weight_files(request: ModelRequest) -> list[Path]:
    """Return the files that the weights were read from: a GGUF file, or those in the folder or the hub's cache."""
    single = gguf_file(request)
    if single:
        return [single]
    folder = _folder(request)
    return _weights_in(folder) if folder else []


@contextmanager
def explained(request: ModelRequest, part: str) -> Iterator[None]:
    """Turn what the libraries raise while they load a part into one line."""
    try:
        yield
    except (OSError, ValueError, KeyError, ImportError, RuntimeError, SafetensorError) as error:
        single = gguf_file(request)
        folder = None if single else _folder(request)
        if part == "weights" and folder:
            _check_weights(folder, request)
        is_here = bool(single or (folder and (part != "weights" or _weights_in(folder))))
        raise _explanation(request, part, error, is_here=is_here) from error


def _explanation(request: ModelRequest, part: str, error: Exception, *, is_here: bool) -> BvfError:
    text = str(error)
    first_line = text.strip().splitlines()[0] if text.strip() else type(error).__name__
    if "trust_remote_code" in text:
        return BvfError(
            f"{request.model}: this model comes with code of its own",
            "say --trust-remote-code if you trust its authors",
        )
    if "GGUF model with architecture" in text:
        return BvfError(
            f"{request.model}: {first_line}", "llama, mistral, qwen2 and qwen3 are; or give the folder it was made from"
        )
    if part == "tokenizer" and any(name in text for name in TOKENIZER_LIBRARIES):
        return BvfError(
            f"{request.model}: the tokenizer is a sentencepiece file, and what reads it is not installed",
            "pip install 'bvf[sentencepiece]'",
        )
    if "Unrecognized configuration class" in text:
        return BvfError(f"{request.model}: this model cannot be read that way", "leave --backend out, and it is found")
    if is_here:
        return BvfError(f"{request.model}: the {part} cannot be loaded: {first_line}", "--debug shows more")
    if constants.is_offline_mode():
        return BvfError(
            f"{request.model}: not in the cache, and HF_HUB_OFFLINE is set", "give a folder, or go online once"
        )
    if "cannot be loaded with `safetensors`" in text:
        return BvfError(
            f"{request.model}: no safetensors on the hub, and pickled weights can run any code", PICKLE_HINT
        )
    if _is_unreachable(text):
        return BvfError(
            f"{request.model}: not a folder here, and not to be had from the hub",
            "check the name and the network, or give a folder",
        )
    return BvfError(f"{request.model}: the {part} cannot be loaded: {first_line}", "--debug shows more")


def _is_unreachable(text: str) -> bool:
    signs = ("couldn't connect", "not a local folder", "cannot find", "connection", "not find", "offline", "404", "401")
    return any(sign in text.lower() for sign in signs)


def _folder(request: ModelRequest) -> Path | None:
    """The folder of a model, here or in the cache of the hub."""
    folder = Path(request.model)
    if folder.is_dir():
        return folder
    try:
        return Path(snapshot_download(request.model, revision=request.revision or None, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError, OSError):
        return None


def _weights_in(folder: Path) -> list[Path]:
    return sorted(folder.glob(SAFE)) or sorted(folder.glob(PICKLED))


def _check_weights(folder: Path, request: ModelRequest) -> None:
    for file in _weights_in(folder):
        if file.match(SAFE):
            _check_safetensors(file)
        elif not request.allow_pickle:
            raise BvfError(f"{file}: these weights are pickled, and loading them can run any code", PICKLE_HINT)


def _check_safetensors(file: Path) -> None:
    try:
        with safe_open(file, framework="pt") as content:
            content.keys()
    except (SafetensorError, OSError) as error:
        raise BvfError(f"{file}: damaged or cut off: {error}", "copy or download the file again") from error
