"""Models in the formats of the transformers library: masked, causal, seq2seq and permutation."""

import os
from typing import TYPE_CHECKING

from bvf import Provider, hookimpl

if TYPE_CHECKING:
    from bvf import Backend

BVF_API = 1
LOADING = "bvf_transformers.loading"
LIBRARIES = tuple((module, "pip install 'bvf[models]'") for module in ("torch", "transformers", "safetensors"))
KINDS = {
    "masked": "BERT, DistilBERT, RoBERTa, ALBERT, ...: fills a mask",
    "causal": "GPT-2, OPT, Llama, ...: continues a text",
    "seq2seq": "T5 (sentinels) and BART (denoising)",
    "permutation": "XLNet: predicts a position by target mapping",
}
TURNS = "1000"
"""How often a waiting thread of torch polls the others before it sleeps (figures: docs/evidence/performance.md).

Beside another busy program, a polling thread takes the processor from the threads that it waits for, and libgomp, which
torch uses, polls 300,000 times by default. The number takes effect if torch is not imported yet.
"""
if not {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & os.environ.keys():
    os.environ["GOMP_SPINCOUNT"] = TURNS


@hookimpl
def bvf_backends() -> "list[Provider[Backend]]":
    found = _provider("transformers", "any", "a hub id or folder; the kind is found from its config")
    return [found, *(_provider(kind, kind, summary) for kind, summary in KINDS.items())]


def _provider(name: str, kind: str, summary: str) -> "Provider[Backend]":
    return Provider(
        name,
        f"{LOADING}.load:load_{kind}",
        summary,
        needs=LIBRARIES,
        default=kind == "any",
        describe=f"{LOADING}.describe:describe_{kind}",
        options="bvf_transformers.options:TransformersOptions",
    )
