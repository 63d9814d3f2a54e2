"""Refuses files of a model before they are loaded: missing, pickled, damaged or inconsistent ones."""

import importlib.util
from pathlib import Path

from bvf import BvfError, ModelRequest
from bvf_transformers.loading.checkpoint import ADAPTER, CONFIG, read_json, shapes_in, weights_in
from bvf_transformers.loading.fit import check_counts
from bvf_transformers.loading.gguf import contents_of, gguf_file
from bvf_transformers.loading.splitting import check_splitting
from bvf_transformers.loading.weights import is_hub_id
from bvf_transformers.options import options_of

MAGIC = b"GGUF"
NEEDED = ("gguf", "accelerate")
"""What must be installed for GGUF files."""


def check_files(request: ModelRequest) -> None:
    """Refuse a folder or GGUF file, before loading, whose files are missing, pickled, damaged or inconsistent."""
    folder = Path(request.model)
    single = gguf_file(request)
    if single:
        check_gguf(single)
        return None if options_of(request).tokenizer else check_splitting(contents_of(single), str(single))
    if options_of(request).tokenizer:
        raise BvfError(
            f"-B tokenizer goes with a GGUF file, and {request.model} is none", "leave it out: a folder has its own"
        )
    if not folder.is_dir():
        if not is_hub_id(request.model):
            raise BvfError(
                f"--model {request.model}: there is no such folder", "give a folder, a hub id, or bundled:NAME"
            )
        return None
    if not (folder / CONFIG).is_file():
        raise BvfError(
            f"{folder}: no {CONFIG} in this folder", "a model folder has config.json, weights and a tokenizer"
        )
    files = weights_in(folder, allow_pickle=options_of(request).allow_pickle)
    if not files:
        raise BvfError(f"{folder}: no weights in this folder", "a model folder has model.safetensors")
    if (folder / ADAPTER).is_file():
        check_peft(folder)
    return check_counts(read_json(folder / CONFIG), shapes_in(files), request.model)


def check_gguf(path: Path) -> None:
    """Refuse a GGUF file that is missing or damaged, has settings unfit for its weights, or needs a missing library."""
    if not path.is_file():
        raise BvfError(f"--model {path}: there is no such file", "give a GGUF file, a folder, or a hub id")
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise BvfError(f"{path}: GGUF files need {missing[0]}, which is not installed", "pip install 'bvf[gguf]'")
    with path.open("rb") as content:
        if content.read(len(MAGIC)) != MAGIC:
            raise BvfError(f"{path}: not a GGUF file: it does not begin with GGUF", "download or convert it again")
    contents = contents_of(path)
    settings, shapes = contents.settings, contents.shapes
    if contents.parts > 1:
        raise BvfError(
            f"{path}: one of {contents.parts} parts of a model",
            "join them with llama.cpp: llama-gguf-split --merge FIRST-PART.gguf WHOLE.gguf",
        )
    check_counts(settings, shapes, str(path))
    layers = {name.split(".")[1] for name in shapes if name.startswith("blk.")}
    if len(layers) > settings.get("block_count", 0):
        raise BvfError(
            f"{path}: the weights have {len(layers)} layers, and the settings say {settings.get('block_count')}",
            "download or convert it again",
        )


def check_peft(folder: Path) -> None:
    """Refuse an adapter if peft is not installed."""
    if importlib.util.find_spec("peft") is None:
        raise BvfError(f"{folder}: an adapter needs peft, which is not installed", "pip install 'bvf[adapters]'")
