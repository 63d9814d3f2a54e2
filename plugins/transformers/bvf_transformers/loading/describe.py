"""Describes models before they are loaded. Nothing heavy is imported for a description that is remembered."""

from typing import TYPE_CHECKING

from bvf.interfaces.backend import ModelDescription, ModelRequest
from bvf_transformers.loading.remembering import remembered

if TYPE_CHECKING:
    from bvf_transformers.loading.kind import Kind


def describe_any(request: ModelRequest) -> ModelDescription:
    """Describe a model of the kind that its configuration says."""
    return _describe(request, None)


def describe_masked(request: ModelRequest) -> ModelDescription:
    """Describe a model that fills masks."""
    return _describe(request, "masked")


def describe_causal(request: ModelRequest) -> ModelDescription:
    """Describe a model that continues a text."""
    return _describe(request, "causal")


def describe_seq2seq(request: ModelRequest) -> ModelDescription:
    """Describe a model with an encoder and a decoder."""
    return _describe(request, "seq2seq")


def describe_permutation(request: ModelRequest) -> ModelDescription:
    """Describe a model that predicts positions by target mapping."""
    return _describe(request, "permutation")


def _describe(request: ModelRequest, kind: "Kind | None") -> ModelDescription:
    def find_out() -> ModelDescription:
        from bvf_transformers.loading.describing import description_of

        return description_of(request, kind)

    return remembered(request, kind or "any", find_out)
