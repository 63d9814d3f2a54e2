"""Which files of a folder the transformers library reads as a model, and whether it may read them."""

import hashlib
import json
from collections.abc import Iterable
from fnmatch import fnmatch
from math import prod
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from bvf import BvfError
from bvf.domain import RECORD

CONFIG = "config.json"
WEIGHTS = ("model.safetensors", "pytorch_model.bin")
"""Names of a single weight file; if weights are sharded, the index has such a name followed by `INDEX`."""
INDEX = ".index.json"
SAFE = ".safetensors"
GGUF = ".gguf"
ADAPTER = "adapter_config.json"
"""Name of the configuration of an adapter."""
ADAPTERS = "adapter_model.*"
"""Names of adapter weights, which the library adds to the model's own."""
LARGEST_JSON, LARGEST_TOKENIZER = 64_000_000, 500_000_000
"""The most bytes of a configuration or an index, and of a tokenizer."""
LARGEST_HEADER, MOST_TENSORS = 100_000_000, 200_000
"""The most bytes of the header of a safetensors file, and the most tensors in it; no model has as many."""
MOST_GROWTH = 10_000.0
"""A tokenizer's replacements, one after the other, make a text so many times longer at most."""
WEIGHT_ENDINGS = (
    *(".safetensors", ".bin", ".gguf", ".pt", ".pth", ".ckpt"),
    *(".h5", ".msgpack", ".onnx", ".onnx_data", ".ot", ".tflite"),
)
"""Endings of weight files, which the digest of settings skips: those that are read have a digest of their own."""
NO_SETTINGS = ("readme*", "license*", ".*", "__pycache__")
"""Patterns of names, in lower case, of files and folders that no result depends on."""
TOKENIZERS = (
    "tokenizer.*json",
    "tekken.json",
    "vocab*",
    "merges.txt",
    *(f"*.{ending}" for ending in ("model", "spm", "bpe", "codes", "tiktoken", "tokenizer", "vocab")),
)
"""Patterns of names of files that hold the vocabulary of a tokenizer of any kind."""
GROWING = ("normalizer", "pre_tokenizer", "decoder")
"""Parts of a tokenizer's file that change texts."""
PICKLE_HINT = "convert them to safetensors, or use --allow-pickle if you trust where they come from"


def names_of_first(folder: Path) -> list[str]:
    """Return the file names of weights or their index, in the order in which the library looks for them.

    The configuration may name a safetensors file in the folder; any other name there is refused.
    """
    file = folder / CONFIG
    chosen = read_json(file).get("transformers_weights") if file.is_file() else None
    names: tuple[str, ...] = WEIGHTS
    if chosen is not None:
        if not isinstance(chosen, str) or chosen != Path(chosen).name or not chosen.removesuffix(INDEX).endswith(SAFE):
            raise BvfError(
                f'{file}: "transformers_weights" is "{chosen}", which is not a safetensors file in this folder',
                "take it out, or name one",
            )
        names = (chosen.removesuffix(INDEX),)
    return [f"{name}{ending}" for name in names for ending in ("", INDEX)]


def named_in(folder: Path) -> list[Path]:
    """Return the weight files that the library would read, adapters included. Files named in an index may not exist."""
    first = next((file for file in map(folder.joinpath, names_of_first(folder)) if file.is_file()), None)
    if first is None:
        return []
    adapters = sorted(folder.glob(ADAPTERS)) if (folder / ADAPTER).is_file() else []
    return [*(_shards_of(first) if first.name.endswith(INDEX) else [first]), *adapters]


def _shards_of(index: Path) -> list[Path]:
    """The files that an index names. Refuses names outside its folder or with another ending than its own."""
    named = read_json(index).get("weight_map")
    if not isinstance(named, dict) or not named:
        raise BvfError(f"{index}: not an index of weights: it has no weight_map", "download the file again")
    ending = Path(index.name.removesuffix(INDEX)).suffix
    names = sorted({str(name) for name in named.values()})
    for name in names:
        if name != Path(name).name or "\\" in name or not name.endswith(ending):
            raise BvfError(
                f'{index}: the index says that weights are in "{name}", but it may only name files *{ending} beside it',
                "download the folder again, or write the weights anew with save_pretrained",
            )
    return [index.parent / name for name in names]


def weights_in(folder: Path, *, allow_pickle: bool) -> list[Path]:
    """Return the weight files that the library will read.

    Refuses missing, damaged and (unless allowed) pickled ones.
    """
    files = named_in(folder)
    for file in files:
        if not file.is_file():
            raise BvfError(
                f"{folder}: {file.name} is missing, and the index of the weights names it", "download it again"
            )
        check_weights(file, allow_pickle=allow_pickle)
    return files


def check_weights(file: Path, *, allow_pickle: bool) -> None:
    """Refuse a safetensors file that is damaged or has more tensors than any model, and (unless allowed) another."""
    if file.suffix != SAFE:
        if not allow_pickle:
            raise BvfError(f"{file}: these weights are pickled, and loading them can run any code", PICKLE_HINT)
        return
    try:
        with file.open("rb") as content:
            size = int.from_bytes(content.read(8), "little")
            tensors = content.read(min(size, LARGEST_HEADER)).count(b"{") - 1
        if tensors > MOST_TENSORS:
            raise BvfError(f"{file}: {tensors:,} tensors, and {MOST_TENSORS:,} at most are read from a file")
        with safe_open(file, framework="numpy") as content:
            content.keys()
    except (SafetensorError, OSError) as error:
        raise BvfError(f"{file}: damaged or cut off: {error}", "copy or download the file again") from error


def shapes_in(files: Iterable[Path]) -> dict[str, tuple[int, ...]]:
    """Return the shape of every tensor by name, from headers of safetensors files. Other files are skipped."""
    shapes: dict[str, tuple[int, ...]] = {}
    for file in files:
        if file.suffix == SAFE:
            with safe_open(file, framework="numpy") as content:
                shapes |= {name: tuple(content.get_slice(name).get_shape()) for name in content.keys()}  # noqa: SIM118
    return shapes


def check_growth(folder: Path) -> None:
    """Refuse a tokenizer whose replacements, one after the other, or what it puts before, make texts far too long."""
    for file in folder.glob(TOKENIZERS[0]):
        parts = read_json(file, LARGEST_TOKENIZER)
        if (growth := prod(_growth(parts.get(name)) for name in GROWING)) > MOST_GROWTH:
            raise BvfError(
                f"{file}: {', '.join(GROWING)}: what these replace and put before texts makes them {growth:.2g} times "
                f"longer, and {MOST_GROWTH:,.0f} times at most are allowed",
                "download the file again",
            )


def _growth(part: Any) -> float:
    """How many times longer a part of a tokenizer makes a text at most, where it replaces letter by letter."""
    if isinstance(part, list):
        return prod(map(_growth, part))
    if not isinstance(part, dict):
        return 1.0
    written = (part.get(name) for name in ("content", "prepend"))
    return max([1.0, *(len(text) for text in written if isinstance(text, str))]) * prod(map(_growth, part.values()))


def check_tokenizer_files(folder: Path, names: Iterable[str] = ()) -> None:
    """Refuse a folder without a vocabulary file, under a common name or one of the ``names`` of its tokenizer."""
    if not has_tokenizer_files(folder, names):
        raise BvfError(
            f"{folder}: tokenizer.json is missing, and there is no other file with the vocabulary of a tokenizer",
            "copy or download it again, or save the tokenizer into the folder: tokenizer.save_pretrained(...)",
        )


def has_tokenizer_files(folder: Path, names: Iterable[str] = ()) -> bool:
    """Whether a folder has a vocabulary file, under a common name or one of the ``names`` of its tokenizer."""
    return any(file.is_file() for name in (*TOKENIZERS, *names) for file in folder.glob(name))


def settings_digest(folder: Path, without: str = "") -> str:
    """Return a digest of all files in a folder that may change a result. Weights and ``without`` are left out.

    It covers files of any name at any depth, since model code and tokenizers name their files freely. Results of runs
    stored below the folder are left out, since they grow during a run.
    """
    digest = hashlib.sha256()
    runs = {record.parent for record in folder.rglob(RECORD)} - {folder}
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder)
        changes_nothing = any(fnmatch(part.lower(), name) for part in path.parts for name in NO_SETTINGS)
        is_weights = file.suffix.lower() in WEIGHT_ENDINGS
        left_out = changes_nothing or is_weights or path.as_posix() == without
        if left_out or not file.is_file() or not runs.isdisjoint(file.parents):
            continue
        digest.update(path.as_posix().encode() + b"\0")
        with file.open("rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
    return digest.hexdigest()[:16]


def read_json(file: Path, largest: int = LARGEST_JSON) -> dict[str, Any]:
    """Return the object in a JSON file. Refuses a file that is too large, unreadable or holds no JSON object."""
    try:
        if file.stat().st_size > largest:
            raise BvfError(f"{file}: {file.stat().st_size:,} bytes, and a file of its kind has far fewer")
        content = json.loads(file.read_bytes())
    except OSError as error:
        raise BvfError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise BvfError(f"{file}: not JSON: {error}", "download the file again") from error
    if not isinstance(content, dict):
        raise BvfError(f"{file}: not an object of names and values", "download the file again")
    return content
