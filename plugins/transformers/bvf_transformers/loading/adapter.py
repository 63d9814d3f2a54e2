"""PEFT adapters such as LoRA: small weights that change those of a base model, which their configuration names."""

import json
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from bvf import BvfError, ModelDescription, ModelRequest
from bvf.files import digest_of_bytes
from bvf_transformers.loading.checkpoint import (
    ADAPTER,
    check_weights,
    names_of_first,
    read_json,
    settings_digest,
    shapes_in,
)
from bvf_transformers.loading.checks import check_peft
from bvf_transformers.loading.digests import parameters_in, weights_digest
from bvf_transformers.loading.gguf import gguf_file
from bvf_transformers.loading.weights import NONE_IF_OFFLINE, fetch, folder_of, is_hub_id
from bvf_transformers.options import options_of
from bvf_transformers.reading.readout import stays_quantised

WEIGHTS = ("adapter_model.safetensors", "adapter_model.bin")
"""Names of the weights of an adapter, in the order in which peft looks for them."""
WRITTEN_TWICE = ".modules_to_save."
"""Part of the names under which peft writes vectors of tokens once more, if their number changed."""
BASE = "base_model_name_or_path"
LOT = (4, 12)
"""How many texts of how many tokens are read with an adapter beside the weights and in them."""
MOST_OFF = {True: 1e-3, False: 0.5}
"""The most by which log p may differ then, for 32 bits and more, and for fewer, which round the merged weights."""
DIFFERS_BY_PROMPT = frozenset({"XLORA", "POLY"})
"""Types of adapters that change a model in another way for each prompt or task, so that no weights stand for it."""


@dataclass(frozen=True)
class Adapter:
    """An adapter: its folder, the type that peft gives it, and the requests for itself and for its base model."""

    folder: Path
    type: str
    request: ModelRequest
    base: ModelRequest

    @property
    def weights(self) -> list[Path]:
        """The file of its weights. Refuses one that is missing, damaged or (unless allowed) pickled."""
        file = next((file for name in WEIGHTS if (file := self.folder / name).is_file()), None)
        if file is None:
            raise BvfError(f"{self.folder}: {WEIGHTS[0]} is missing", "an adapter is a folder with both files")
        check_weights(file, allow_pickle=options_of(self.request).allow_pickle)
        return [file]


def adapter_of(request: ModelRequest) -> Adapter | None:
    """Return the adapter that a request names; None if it names a model. Refuses an adapter without a base model.

    A folder that has the weights of a model is a model, also if there is an adapter beside them.
    """
    folder = _folder_of_adapter(request)
    if folder is None:
        return None
    settings = read_json(folder / ADAPTER)
    base = _base_in(folder, settings)
    chosen = options_of(request).model_copy(update={"revision": settings.get("revision") or ""})
    return Adapter(folder, str(settings.get("peft_type")), request, replace(request, model=base, options=chosen))


def _folder_of_adapter(request: ModelRequest) -> Path | None:
    if gguf_file(request) or not (Path(request.model).is_dir() or is_hub_id(request.model)):
        return None
    folder = folder_of(request)
    if folder and any((folder / name).is_file() for name in names_of_first(folder)):
        return None
    if is_hub_id(request.model) and fetch(request, ADAPTER, NONE_IF_OFFLINE):
        folder = folder_of(request)
        for name in WEIGHTS[: 2 if options_of(request).allow_pickle else 1]:
            if fetch(request, name, NONE_IF_OFFLINE):
                break
    return folder if folder and (folder / ADAPTER).is_file() else None


def _base_in(folder: Path, settings: dict[str, Any]) -> str:
    """The folder or hub id of the base model. A path is relative to where the user is, or to the adapter's folder."""
    name = settings.get(BASE)
    if not isinstance(name, str) or not name:
        raise BvfError(f"{folder / ADAPTER}: it names no base model", f'write its folder or hub id as "{BASE}"')
    found = next((path for path in (Path(name), folder / name) if path.exists()), None)
    if found is None and not is_hub_id(name):
        raise BvfError(
            f"{folder}: this is an adapter of the model {name}, which is not there",
            f'copy that model there, or write its folder or hub id as "{BASE}" in {ADAPTER}',
        )
    if found and found.resolve() == folder.resolve():
        raise BvfError(f"{folder / ADAPTER}: it names itself as its base model", f'write that model\'s as "{BASE}"')
    return str(found or name)


@contextmanager
def of_base(adapter: Adapter) -> Iterator[None]:
    """In the block, let an error about the base model say whose base model it is."""
    try:
        yield
    except BvfError as error:
        raise type(error)(f"{adapter.folder}: its base model {error.message}", error.hint) from error


def check_adapter(adapter: Adapter) -> None:
    """Refuse an adapter, before anything is loaded, that cannot be applied: its file, its type, or peft is missing."""
    if adapter_of(adapter.base):
        raise BvfError(
            f"{adapter.folder}: its base model {adapter.base.model} is an adapter, too", "merge that one first"
        )
    check_peft(adapter.folder)
    _ = adapter.weights
    from peft import PeftConfig

    config = PeftConfig.from_pretrained(str(adapter.folder))
    if config.is_prompt_learning or config.is_adaption_prompt or adapter.type in DIFFERS_BY_PROMPT:
        raise BvfError(
            f"{adapter.folder}: an adapter of type {adapter.type} does not change the weights, and cannot be read",
            "those that do are: LoRA, DoRA, AdaLoRA, IA3, OFT, ...",
        )


def described_with(adapter: Adapter, base: ModelDescription) -> ModelDescription:
    """Return the description of a base model with an adapter. Its digests are those of both."""
    files = adapter.weights
    own, count, settings = weights_digest(files, "adapter"), parameters_in(files), adapter.folder.name
    if adapter.folder == Path(adapter.request.model):  # the files but for weights and for where the base model lies
        kept = {name: value for name, value in read_json(adapter.folder / ADAPTER).items() if name != BASE}
        of_files = settings_digest(adapter.folder, without=ADAPTER)
        settings = _digest_of_both(of_files, json.dumps(kept, sort_keys=True))
    return replace(
        base,
        weights=_digest_of_both(base.weights, own) if base.weights else "",
        settings=_digest_of_both(base.settings, settings),
        parameters=None if base.parameters is None or count is None else base.parameters + count,
        read_as=f"{base.read_as}, with the adapter {own} ({adapter.type}) on the weights {base.weights}",
        base=adapter.base.model,
        libraries=(*base.libraries, "peft"),
        name="",
    )


def _digest_of_both(one: str, other: str) -> str:
    return digest_of_bytes(f"{one} {other}".encode())


def applied(adapter: Adapter, model: Any) -> Any:
    """Return a base model with the adapter: merged into its weights, or beside them if these are quantised."""
    from peft import PeftConfig, PeftModel

    config = PeftConfig.from_pretrained(str(adapter.folder))
    config.inference_mode = True
    _resize_vocabulary(adapter, model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        changed = PeftModel(model, config)
        named = getattr(model, "_checkpoint_conversion_mapping", {})
        read = changed.load_adapter(str(adapter.folder), "default", torch_device=str(model.device), key_mapping=named)
        _check_places(adapter, read.missing_keys, "lack")
        no_place = [key for key in read.unexpected_keys if WRITTEN_TWICE not in key]
        _check_places(adapter, no_place, "have a place that the model lacks:")
        return changed.get_base_model() if stays_quantised(model) else _merged(adapter, changed)


def _merged(adapter: Adapter, changed: Any) -> Any:
    """Return a model with an adapter in its weights. Refuses one that answers otherwise than beside them."""
    model = changed.get_base_model().eval()
    beside = _answers(model)
    _untie(model)
    merged = changed.merge_and_unload()
    off = float((_answers(merged) - beside).abs().max())
    if not off <= MOST_OFF[merged.dtype.itemsize >= torch.float32.itemsize]:
        raise BvfError(
            f"{adapter.folder}: merged into the weights of {adapter.base.model}, the adapter gives other answers than "
            f"beside them: log p differs by {off:.2g}",
            "merge it as its authors do, and name the merged model",
        )
    return merged


def _answers(model: Any) -> torch.Tensor:
    """Log p of every token after every token of some texts drawn by lot."""
    tokens = model.config.get_text_config().vocab_size
    ids = torch.randint(tokens, LOT, generator=torch.Generator().manual_seed(0)).to(model.device)
    texts = {"input_ids": ids, **({"decoder_input_ids": ids} if model.config.is_encoder_decoder else {})}
    with torch.no_grad():
        answers: torch.Tensor = model(**texts).logits.float().log_softmax(dim=-1)
    return answers


def _untie(model: Any) -> None:
    """Give the head a copy of the embeddings where they are one tensor and an adapter changes one of both."""
    ends = [model.get_input_embeddings(), model.get_output_embeddings()]
    bases = [getattr(end, "base_layer", end) for end in ends]
    if None not in ends and bases != ends and bases[0].weight is bases[1].weight:
        bases[1].weight = nn.Parameter(bases[1].weight.detach().clone())
        model.config.get_text_config().tie_word_embeddings = model.config.tie_word_embeddings = False


def _check_places(adapter: Adapter, keys: Sequence[str], says: str) -> None:
    """Refuse an adapter if there are keys: tensors that only its file has, or only its places in the model."""
    if keys:
        raise BvfError(
            f"{adapter.folder}: the weights of the adapter {says} {min(keys)}",
            f"it belongs to another model than {adapter.base.model}, or is damaged",
        )


def _resize_vocabulary(adapter: Adapter, model: Any) -> None:
    """Give a model as many tokens as the adapter has, if it was trained with more and brings all their vectors."""
    vectors = model.get_input_embeddings()
    name = next(name for name, part in model.named_modules() if part is vectors)
    shape = shapes_in(adapter.weights).get(f"base_model.model.{name}.weight")
    if shape and shape[0] != len(vectors.weight):
        model.resize_token_embeddings(shape[0], mean_resizing=False)
