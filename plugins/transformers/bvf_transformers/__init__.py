"""Models in the formats of the transformers library: masked, causal, seq2seq and permutation."""

from typing import TYPE_CHECKING

from bvf.hooks.provider import Provider
from bvf.hooks.specs import hookimpl

if TYPE_CHECKING:
    from bvf.interfaces.backend import Backend

BVF_API = 1
DESCRIBE = "bvf_transformers.loading.describe"
OPTIONS = "bvf_transformers.options:TransformersOptions"


@hookimpl
def bvf_backends() -> "list[Provider[Backend]]":
    return [
        Provider(
            "transformers",
            "bvf_transformers.loading.load:load_any",
            "a hub id or folder; the kind is found from its config",
            default=True,
            describe=f"{DESCRIBE}:describe_any",
            options=OPTIONS,
        ),
        Provider(
            "masked",
            "bvf_transformers.loading.load:load_masked",
            "BERT, DistilBERT, RoBERTa, ALBERT, ...: fills a mask",
            describe=f"{DESCRIBE}:describe_masked",
            options=OPTIONS,
        ),
        Provider(
            "causal",
            "bvf_transformers.loading.load:load_causal",
            "GPT-2, OPT, Llama, ...: continues a text",
            describe=f"{DESCRIBE}:describe_causal",
            options=OPTIONS,
        ),
        Provider(
            "seq2seq",
            "bvf_transformers.loading.load:load_seq2seq",
            "T5 (sentinels) and BART (denoising)",
            describe=f"{DESCRIBE}:describe_seq2seq",
            options=OPTIONS,
        ),
        Provider(
            "permutation",
            "bvf_transformers.loading.load:load_permutation",
            "XLNet: predicts a position by target mapping",
            describe=f"{DESCRIBE}:describe_permutation",
            options=OPTIONS,
        ),
    ]
