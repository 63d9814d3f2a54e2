"""Finds and fetches the files of a model: in a folder, in the hub's cache, or one GGUF file."""

from dataclasses import replace
from pathlib import Path

from huggingface_hub import snapshot_download
from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError
from transformers.utils.hub import cached_file

from bvf import ModelRequest
from bvf_transformers.loading.checkpoint import (
    INDEX,
    SAFE,
    WEIGHTS,
    named_in,
    names_of_first,
    settings_digest,
    weights_in,
)
from bvf_transformers.loading.gguf import gguf_file
from bvf_transformers.options import options_of

NONE_IF_MISSING = {"_raise_exceptions_for_gated_repo": False, "_raise_exceptions_for_missing_entries": False}
"""Arguments that make the library return None for a file that is not on the hub, instead of an error."""
NONE_IF_OFFLINE = {**NONE_IF_MISSING, "_raise_exceptions_for_connection_errors": False}


def is_hub_id(name: str) -> bool:
    """Whether a name is that of a model on the hub, such as ``facebook/opt-1.3b``, and not a path."""
    return not Path(name).exists() and not name.startswith((".", "/", "~")) and name.count("/") <= 1


def weight_files(request: ModelRequest) -> list[Path]:
    """Return the weight files that will be read. Empty if a model on the hub is not completely in the cache."""
    single = gguf_file(request)
    if single:
        return [single]
    folder = folder_of(request)
    if folder is None or (folder != Path(request.model) and not all(file.is_file() for file in named_in(folder))):
        return []  # the hub's cache has an index, and not yet all files that it names
    return weights_in(folder, allow_pickle=options_of(request).allow_pickle)


def check_index(request: ModelRequest) -> None:
    """Fetch and check the index of sharded weights on the hub, if any, before the files that it names."""
    if gguf_file(request) or Path(request.model).is_dir():
        return
    fetch(request, f"{WEIGHTS[0]}{INDEX}", NONE_IF_OFFLINE)
    folder = folder_of(request)
    if folder:
        named_in(folder)


def fetch_weights(request: ModelRequest) -> None:
    """Fetch the weights of a model on the hub into its cache, unless they are there.

    If the hub has no weights that may be read, nothing is fetched: the library may find others on loading.

    Raises:
        OSError: The weights are not in the cache, and the hub or a file that an index names cannot be reached.
    """
    folder = folder_of(request)
    if gguf_file(request) or Path(request.model).is_dir() or folder is None:
        return
    cached = named_in(folder)
    if cached and all(file.is_file() and file.suffix == SAFE for file in cached):
        return
    allow_pickle = options_of(request).allow_pickle
    names = [name for name in names_of_first(folder) if allow_pickle or SAFE in name]
    if not any(fetch(request, name, NONE_IF_OFFLINE) for name in names):
        fetch(request, names[0], NONE_IF_MISSING)
    for file in named_in(folder):
        if allow_pickle or file.suffix == SAFE:
            fetch(request, file.name, {})


def fetch(request: ModelRequest, name: str, raising: dict[str, bool]) -> str | None:
    """Fetch a file into the hub's cache and return its path.

    None if the file does not exist, where ``raising`` allows that.
    """
    return cached_file(request.model, name, revision=options_of(request).revision or None, **raising)


def settings_of(request: ModelRequest) -> str:
    """Return a text that identifies configuration, tokenizer and chat template: a digest, or a hub id's commit.

    Empty for a GGUF file, whose digest covers them with the weights, unless its tokenizer is another one.
    """
    if gguf_file(request):
        named = tokenizer_named_in(request)
        return settings_of(named) if named else ""
    folder = folder_of(request)
    if folder is None:
        return ""
    return settings_digest(folder) if folder == Path(request.model) else folder.name


def tokenizer_named_in(request: ModelRequest) -> ModelRequest | None:
    """Return a request for the folder or hub id of the tokenizer that the options name. None if they name none."""
    chosen = options_of(request)
    if not chosen.tokenizer:
        return None
    return replace(request, model=chosen.tokenizer, options=chosen.model_copy(update={"tokenizer": ""}))


def folder_of(request: ModelRequest) -> Path | None:
    """Return the folder of a model, local or in the hub's cache; None if neither exists."""
    folder = Path(request.model)
    if folder.is_dir():
        return folder
    try:
        return Path(
            snapshot_download(request.model, revision=options_of(request).revision or None, local_files_only=True)
        )
    except (LocalEntryNotFoundError, HFValidationError, OSError):
        return None
