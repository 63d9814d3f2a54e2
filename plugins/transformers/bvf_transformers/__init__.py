"""Models in the formats of the transformers library: masked, causal, seq2seq and permutation."""

from typing import TYPE_CHECKING

from bvf.hooks.provider import Provider
from bvf.hooks.specs import hookimpl

if TYPE_CHECKING:
    from bvf.interfaces.backend import Backend

BVF_API = 1


@hookimpl
def bvf_backends() -> "list[Provider[Backend]]":
    return [
        Provider(
            "transformers",
            "bvf_transformers.loading.load:load_any",
            "a hub id or folder; the kind is found from its config",
            default=True,
        ),
        Provider(
            "masked",
            "bvf_transformers.loading.load:load_masked",
            "BERT, DistilBERT, RoBERTa, ALBERT, ...: fills a mask",
        ),
        Provider("causal", "bvf_transformers.loading.load:load_causal", "GPT-2, OPT, Llama, ...: continues a text"),
        Provider("seq2seq", "bvf_transformers.loading.load:load_seq2seq", "T5 (sentinels) and BART (denoising)"),
        Provider(
            "permutation",
            "bvf_transformers.loading.load:load_permutation",
            "XLNet: predicts a position by target mapping",
        ),
    ]
