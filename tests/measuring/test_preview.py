"""A prompt as the model reads it, before anything is scored."""

import pytest

import bvf
from bvf.hooks.loader import load
from bvf.measuring.plan import plan_of
from bvf.measuring.preview import preview_of

FEW = {"limit_groups": 2, "limit_contexts": 2}


@pytest.mark.parametrize(
    ("choices", "begins", "ends"),
    [
        ({"model": "bundled:en-causal"}, "<s>Strong currents ", " that"),
        ({"model": "bundled:zh-causal", "lang": "zh"}, "<s>", ""),
    ],
)
def test_the_tokens_make_the_text(choices, begins, ends):
    preview = preview_of(plan_of(bvf.MeasureConfig(**choices, **FEW), load()))
    assert preview.text.startswith(begins)
    assert preview.text.endswith(ends)
    assert preview.group in preview.text
    assert "".join(token.text for token in preview.tokens) == preview.text
    assert preview.prompts == 4
    without_tokens = preview_of(plan_of(bvf.MeasureConfig(model="baseline:random", **FEW), load()))
    assert (without_tokens.tokens, without_tokens.group in without_tokens.text) == ((), True)
