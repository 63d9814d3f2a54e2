"""What the files of a model say about it before it is loaded."""

from transformers import PreTrainedConfig

from bvf.interfaces.backend import ModelDescription, ModelRequest
from bvf_transformers.kinds.slot import SlotModel
from bvf_transformers.loading.device import check_device_map, device_of, dtype_of
from bvf_transformers.loading.digests import number_format, parameters_in, weights_digest
from bvf_transformers.loading.explaining import explained
from bvf_transformers.loading.gguf import gguf_file, name_in_gguf
from bvf_transformers.loading.kind import Kind
from bvf_transformers.loading.load import choose
from bvf_transformers.loading.weights import fetch_weights, settings_of, weight_files
from bvf_transformers.options import HALVES, options_of

LIBRARIES = ("torch", "transformers", "tokenizers")


def description_of(request: ModelRequest, kind: Kind | None) -> ModelDescription:
    """Describe a model of a kind; of the one that its configuration says if None.

    Raises:
        BvfError: There is no such model, or it cannot be read as is asked.
    """
    with explained(request, "model"):
        choice = choose(request, kind)
        return described(request, choice.config, choice.backend)


def described(request: ModelRequest, config: PreTrainedConfig, backend: type[SlotModel]) -> ModelDescription:
    """Return what the files of a model say about it; files on the hub are fetched, and no model is loaded.

    Raises:
        BvfError: The device or the number format is not available, or the weights are refused.
    """
    wanted = dtype_of(request, device_of(request))
    check_device_map(request)
    with explained(request, "weights"):
        fetch_weights(request)
        files = weight_files(request)
        weights = weights_digest(files, number_format(wanted, config, files))
        chosen = options_of(request)
        return ModelDescription(
            backend.capabilities,
            weights,
            settings_of(request),
            parameters_in(files),
            read_as=_read_as(backend, config, chosen.trust_remote_code),
            revision=chosen.revision,
            word_boundary=chosen.word_boundary,
            rounds={"dtype": "float32"} if chosen.dtype in HALVES else {},
            libraries=LIBRARIES,
            name=name_in_gguf(gguf) if (gguf := gguf_file(request)) else "",
        )


def _read_as(backend: type[SlotModel], config: PreTrainedConfig, trusted: bool) -> str:
    own_code = trusted and bool(getattr(config, "auto_map", None))
    return backend.__name__ + (", by code that comes with it" if own_code else "")
