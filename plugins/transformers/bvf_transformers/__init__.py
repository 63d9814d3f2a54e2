"""Models in the formats of the transformers library: masked, causal, seq2seq and permutation."""

import os
from typing import TYPE_CHECKING

from bvf.hooks.provider import Provider
from bvf.hooks.specs import hookimpl

if TYPE_CHECKING:
    from bvf.interfaces.backend import Backend

BVF_API = 1
DESCRIBE = "bvf_transformers.loading.describe"
OPTIONS = "bvf_transformers.options:TransformersOptions"
TURNS = "1000"
"""How often a thread of torch looks whether the others are ready before it sleeps (docs/performance.md has figures).

Beside another busy program, a thread that looks takes the processor from those that it waits for, and libgomp, with
which torch computes, lets it look 300,000 times. The number counts where torch is not imported yet.
"""
if not {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & os.environ.keys():
    os.environ["GOMP_SPINCOUNT"] = TURNS


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
