"""The files of a model: what is there, what is damaged, and one line that says so."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from huggingface_hub import constants, snapshot_download
from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError
from safetensors import SafetensorError, safe_open

from bvf.backend import ModelRequest
from bvf.errors import BvfError

SAFE = "*.safetensors"
PICKLED = "pytorch_model*.bin"


def check_folder(request: ModelRequest) -> None:
    """Check what can be seen of a local folder before anything is loaded.

    Raises:
        BvfError: The folder has no configuration, no weights, only pickled ones, or a damaged file.
    """
    folder = Path(request.model)
    if not folder.is_dir():
        if folder.suffix or request.model.startswith((".", "/", "~")) or request.model.count("/") > 1:
            raise BvfError(
                f"--model {request.model}: there is no such folder", "give a folder, a hub id, or bundled:NAME"
            )
        return
    if not (folder / "config.json").is_file():
        raise BvfError(
            f"{folder}: no config.json in this folder", "a model folder has config.json, weights and a tokenizer"
        )
    safe = sorted(folder.glob(SAFE))
    pickled = sorted(folder.glob(PICKLED))
    if not safe and not pickled:
        raise BvfError(f"{folder}: no weights in this folder", "a model folder has model.safetensors")
    if not safe and not request.allow_pickle:
        raise BvfError(
            f"{pickled[0]}: these weights are pickled, and loading them can run any code",
            "convert them to safetensors, or say --allow-pickle if you trust where they come from",
        )
    for file in safe:
        _check_safetensors(file)


def weight_files(request: ModelRequest) -> list[Path]:
    """Return the files that the weights were read from, in the folder or in the cache of the hub."""
    folder = Path(request.model)
    if not folder.is_dir():
        try:
            folder = Path(snapshot_download(request.model, revision=request.revision or None, local_files_only=True))
        except (LocalEntryNotFoundError, HFValidationError, OSError):
            return []
    return sorted(folder.glob(SAFE)) or sorted(folder.glob(PICKLED))


@contextmanager
def explained(request: ModelRequest, part: str) -> Iterator[None]:
    """Turn what the libraries raise while they load a part into one line."""
    try:
        yield
    except (OSError, ValueError, KeyError, ImportError, RuntimeError, SafetensorError) as error:
        raise _explanation(request, part, error) from error


def _explanation(request: ModelRequest, part: str, error: Exception) -> BvfError:
    text = str(error)
    first_line = text.strip().splitlines()[0] if text.strip() else type(error).__name__
    if "trust_remote_code" in text:
        return BvfError(
            f"{request.model}: this model comes with code of its own",
            "say --trust-remote-code if you trust its authors",
        )
    if "Unrecognized configuration class" in text:
        return BvfError(f"{request.model}: this model cannot be read that way", "leave --backend out, and it is found")
    if Path(request.model).is_dir():
        return BvfError(f"{request.model}: the {part} cannot be loaded: {first_line}", "--debug shows more")
    if constants.is_offline_mode():
        return BvfError(
            f"{request.model}: not in the cache, and HF_HUB_OFFLINE is set", "give a folder, or go online once"
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


def _check_safetensors(file: Path) -> None:
    try:
        with safe_open(file, framework="pt") as content:
            content.keys()
    except (SafetensorError, OSError) as error:
        raise BvfError(f"{file}: damaged or cut off: {error}", "copy or download the file again") from error
