"""Which files of a folder the library reads a model from, and whether it may read them."""

import hashlib
import json
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from bvf.domain.measurement import RECORD
from bvf.errors import BvfError

CONFIG = "config.json"
WEIGHTS = ("model.safetensors", "pytorch_model.bin")
"""Names of weights in one file; those of several have an index of that name with `INDEX` at its end."""
INDEX = ".index.json"
SAFE = ".safetensors"
ADAPTERS = "adapter_model.*"
"""Weights that the library adds to a model's own where its folder has some."""
LARGEST_JSON = 64_000_000
"""The most bytes of a configuration or an index."""
WEIGHT_ENDINGS = frozenset(
    {
        ".safetensors",
        ".bin",
        ".gguf",
        ".pt",
        ".pth",
        ".ckpt",
        ".h5",
        ".msgpack",
        ".onnx",
        ".onnx_data",
        ".ot",
        ".tflite",
    }
)
"""Endings of files with weights: those that are read have a digest of their own, and the others are not read."""
NO_SETTINGS = ("readme*", "license*", ".*", "__pycache__")
"""Names of files and folders, in lower case, that no answer depends on."""
TOKENIZERS = (
    "tokenizer.*json",
    "tekken.json",
    "vocab*",
    "merges.txt",
    *(f"*.{ending}" for ending in ("model", "spm", "bpe", "codes", "tiktoken", "tokenizer", "vocab")),
)
"""Names of files with the vocabulary of a tokenizer, whatever reads it."""
PICKLE_HINT = "convert them to safetensors, or say --allow-pickle if you trust where they come from"


def first_file(folder: Path) -> Path | None:
    """Return the file that the library reads first, weights or an index of them; None if the folder has none.

    Raises:
        BvfError: The configuration names weights that are no safetensors in this folder.
    """
    files = [folder / name for name in names_of_first(folder)]
    return next((file for file in files if file.is_file()), None)


def names_of_first(folder: Path) -> list[str]:
    """Return the names that the file may have which the library reads first, in the order in which it looks for them.

    Raises:
        BvfError: See `first_file`.
    """
    chosen = _chosen_name(folder)
    return [f"{name}{ending}" for name in ([chosen] if chosen else WEIGHTS) for ending in ("", INDEX)]


def named_in(folder: Path) -> list[Path]:
    """Return the files that the library would read weights from, be they there or not; none if nothing names any.

    Raises:
        BvfError: The configuration or an index names a file that is not allowed; see `shards_of`.
    """
    first = first_file(folder)
    if first is None:
        return []
    adapters = sorted(folder.glob(ADAPTERS)) if (folder / "adapter_config.json").is_file() else []
    return [*(shards_of(first) if first.name.endswith(INDEX) else [first]), *adapters]


def weights_in(folder: Path, *, allow_pickle: bool) -> list[Path]:
    """Return the files that the library reads weights from; none if the folder has none.

    Raises:
        BvfError: They are pickled, damaged, or not in this folder.
    """
    files = named_in(folder)
    for file in files:
        if not file.is_file():
            raise BvfError(
                f"{folder}: {file.name} is missing, and the index of the weights names it", "download it again"
            )
        if file.suffix == SAFE:
            check_readable(file)
        elif not allow_pickle:
            raise BvfError(f"{file}: these weights are pickled, and loading them can run any code", PICKLE_HINT)
    return files


def shards_of(index: Path) -> list[Path]:
    """Return the files that an index names.

    Raises:
        BvfError: It is no index, or names a file that would not lie beside it, or one of another kind than itself.
    """
    content = read_json(index)
    named = content.get("weight_map")
    if not isinstance(named, dict) or not named:
        raise BvfError(f"{index}: no index of weights: it has no weight_map", "download the file again")
    ending = Path(index.name.removesuffix(INDEX)).suffix
    names = sorted({str(name) for name in named.values()})
    for name in names:
        if name != Path(name).name or "\\" in name or not name.endswith(ending):
            raise BvfError(
                f'{index}: the weights are said to be in "{name}", and only files *{ending} beside it may be named',
                "download the folder again, or write the weights anew with save_pretrained",
            )
    return [index.parent / name for name in names]


def check_readable(file: Path) -> None:
    """Check the header of a safetensors file.

    Raises:
        BvfError: The file is damaged or cut off.
    """
    try:
        with safe_open(file, framework="numpy") as content:
            content.keys()
    except (SafetensorError, OSError) as error:
        raise BvfError(f"{file}: damaged or cut off: {error}", "copy or download the file again") from error


def shapes_in(files: list[Path]) -> dict[str, tuple[int, ...]]:
    """Return the shape of every tensor, from the headers of safetensors files; nothing of other files."""
    shapes: dict[str, tuple[int, ...]] = {}
    for file in files:
        if file.suffix == SAFE:
            with safe_open(file, framework="numpy") as content:
                shapes |= {name: tuple(content.get_slice(name).get_shape()) for name in content.keys()}  # noqa: SIM118
    return shapes


def check_tokenizer_files(folder: Path, names: Iterable[str] = ()) -> None:
    """Check that a folder has a file with the vocabulary of a tokenizer.

    Args:
        folder: Of the model.
        names: Files that a tokenizer of the model's own may have besides those of common names.

    Raises:
        BvfError: It has none.
    """
    if not any(file.is_file() for name in (*TOKENIZERS, *names) for file in folder.glob(name)):
        raise BvfError(
            f"{folder}: tokenizer.json is missing, and there is no other file with the vocabulary of a tokenizer",
            "copy or download it again, or save the tokenizer into the folder: tokenizer.save_pretrained(...)",
        )


def settings_digest(folder: Path) -> str:
    """Return a digest of every file of a folder that may decide on the answers beside the weights.

    That is any file at any depth, since the code of a model and every tokenizer name their files as they like. Results
    of a run that was told to write below the folder are left out: they grow while it goes on.
    """
    digest = hashlib.sha256()
    runs = {record.parent for record in folder.rglob(RECORD)} - {folder}
    for file in sorted(folder.rglob("*")):
        if not file.is_file() or not runs.isdisjoint(file.parents) or not _may_decide(file.relative_to(folder)):
            continue
        digest.update(file.relative_to(folder).as_posix().encode() + b"\0")
        with file.open("rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
    return digest.hexdigest()[:16]


def _may_decide(file: Path) -> bool:
    """Whether a file of the folder can change an answer: it is not weights, and no readme or the like."""
    aside = any(fnmatch(part.lower(), name) for part in file.parts for name in NO_SETTINGS)
    return not aside and file.suffix.lower() not in WEIGHT_ENDINGS


def read_json(file: Path) -> dict[str, Any]:
    """Return the object in a JSON file.

    Raises:
        BvfError: It cannot be read, or is no object.
    """
    try:
        if file.stat().st_size > LARGEST_JSON:
            raise BvfError(f"{file}: {file.stat().st_size:,} bytes, and a file of its kind has far fewer")
        content = json.loads(file.read_bytes())
    except OSError as error:
        raise BvfError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise BvfError(f"{file}: not JSON: {error}", "download the file again") from error
    if not isinstance(content, dict):
        raise BvfError(f"{file}: no object of names and values", "download the file again")
    return content


def _chosen_name(folder: Path) -> str:
    """The name of the weights in the configuration, without the end of an index; empty where it names none."""
    file = folder / CONFIG
    named = read_json(file).get("transformers_weights") if file.is_file() else None
    if named is None:
        return ""
    if not isinstance(named, str) or named != Path(named).name or not named.removesuffix(INDEX).endswith(SAFE):
        raise BvfError(
            f'{file}: "transformers_weights" is "{named}", which is no safetensors file in this folder',
            "take it out, or name one",
        )
    return named.removesuffix(INDEX)
