"""Every type of model that the transformers library knows is read as by a plain forward, or refused in one line.

The tests in CI take a tenth, ``make long`` the others. What is refused, and why, is in ``every_type.toml``, and so is
what cannot be built. A new version of the library has types that this test names.
"""

import random
import tomllib
from pathlib import Path

import numpy as np
import pytest
from helpers.smallest_models import architectures, smallest
from plain import Plain
from tiny_models import Family, tokenizer_of

from bvf import BvfError, Prompt
from bvf.domain.generation import Generation

ALL = {str(each): each for each in architectures()}
TENTH = random.Random(0).sample(sorted(ALL), len(ALL) // 10)
KNOWN = tomllib.loads(Path(__file__).with_name("every_type.toml").read_text())
REFUSED, NOT_BUILT = ({name: why for why, names in KNOWN[each].items() for name in names} for each in KNOWN)
SENTINELS = {"t5", "mt5", "umt5", "switch_transformers"}
PAGE = Path(__file__).parents[3] / "docs" / "concepts" / "models.md"
WORDS = ("he", "she", "stepmother")
TEXTS = [("The nurse said that", ""), ("The engineer said that", ""), ("The nurse said that", " was late.")]
WRITTEN = Generation(samples=2, tokens=6, temperature=1.0, seed=0)
PROMPTS = [Prompt(left, right, "g", f"context {at}") for at, (left, right) in enumerate(TEXTS)]


def family_of(architecture):
    kind = "masked" if architecture.mapping == "masked" else "causal"
    if architecture.mapping == "seq2seq" and architecture.model_class.config_class().is_encoder_decoder:
        kind = "sentinel" if architecture.type in SENTINELS else "denoising"
    kind = {"xlnet": "permutation", "paligemma": "prefix"}.get(architecture.type, kind)
    return Family(
        architecture.type, kind, *(("bytes", 0, 0) if kind in {"causal", "prefix"} else ("bytes-around", 1, 1))
    )


@pytest.fixture(scope="module")
def tokenizers():
    return {kind: tokenizer_of(kind) for kind in ("bytes", "bytes-around")}


@pytest.mark.parametrize(
    "name", [each if each in TENTH else pytest.param(each, marks=pytest.mark.long) for each in ALL]
)
@pytest.mark.filterwarnings("default")
def test_a_type_is_read_as_by_a_plain_forward_or_refused(name, tokenizers, tmp_path, load_model):
    architecture = ALL[name]
    if name in NOT_BUILT:
        with pytest.raises(Exception, match=NOT_BUILT[name]):
            smallest(architecture)
        return
    family = family_of(architecture)
    tokenizers[family.tokenizer].save_pretrained(tmp_path)
    smallest(architecture).save_pretrained(tmp_path)
    if name in REFUSED:
        with pytest.raises(BvfError, match=REFUSED[name]) as error:
            load_model(tmp_path)
        assert "\n" not in error.value.message
        return
    backend, plain = load_model(tmp_path), Plain(tmp_path, family, architecture.model_class)
    left_alone = family.kind in {"causal", "prefix"}
    expected = [plain.own_logprobs(left, "" if left_alone else right, WORDS) for left, right in TEXTS]
    assert backend.word_logprobs(PROMPTS, list(WORDS)) == pytest.approx(np.array(expected), abs=1e-4)
    changed = [np.abs(expected[0] - each).max() for each in expected[1 : 2 if left_alone else 3]]
    assert min(changed) > 0.02  # p depends on what stands left of the slot, and right of it
    assert type(backend).__name__ == f"{'Causal' if left_alone else family.kind.title()}Model"
    if family.kind == "causal":  # texts of several lengths, continued together, and read anew for each token
        texts = backend.texts(PROMPTS, WRITTEN)
        backend.has_cache = False
        assert texts == backend.texts(PROMPTS, WRITTEN)


def test_the_lists_name_architectures_that_the_library_has():
    assert {*REFUSED, *NOT_BUILT} <= {*ALL}
    assert REFUSED.keys().isdisjoint(NOT_BUILT)


def test_the_page_says_how_many_are_read():
    refused, not_built, types = len(REFUSED), len(NOT_BUILT), len({each.type for each in ALL.values()})
    outcomes = f"{len(ALL) - refused - not_built} are read, {refused} refused, {not_built} not built"
    assert f"{len(ALL)} architectures of {types} types: {outcomes}" in PAGE.read_text(encoding="utf-8")
