"""Other words of a permutation model: what is stored is what the model gives them, computed plainly."""

import json

import numpy as np
import pytest
import torch
from plain import Plain
from tiny_models import FAMILIES, model_of, tokenizer_of
from transformers import AutoTokenizer

import bvf

FILLERS = "alone awake bright deep empty famous glad gone hungry late lost ready safe sure tall thirsty"


@pytest.fixture
def folder(tmp_path):
    """An XLNet model with the words of `FILLERS` among its tokens, none of which is all but impossible."""
    folder = tmp_path / "xlnet"
    tokenizer_of("unigram-behind").save_pretrained(folder)
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["model"]["vocab"] += [[f"▁{word}", -1.0] for word in FILLERS.split()]
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    model = model_of("xlnet", AutoTokenizer.from_pretrained(folder))
    with torch.no_grad():
        model.lm_loss.weight.mul_(0.1)
    model.save_pretrained(folder)
    return folder


def test_a_permutation_model_has_other_words_as_a_standard(tmp_path, folder):
    asked = {"limit_groups": 3, "contexts": "gender", "limit_contexts": 4, "openings": "none"}
    result = bvf.run(
        model=str(folder), words=("male=he", "female=she"), other_words=True, **asked, out=str(tmp_path / "run")
    )
    others = bvf.read_measurement(tmp_path / "run" / "other-words")
    words, plain = others.record.asked.words, Plain(folder, FAMILIES["xlnet"])
    assert len(set(words) & set(FILLERS.split())) >= 12
    template = others.record.asked.in_order[0].context.text
    left, right = template.replace("[X]", others.record.asked.group_names[0]).split(" [Y]")
    p = np.exp([plain.logprob(left, word, right) for word in words])
    assert others.probabilities[0, 0] == pytest.approx(p / p.sum(), abs=1e-5)
    assert result.other_words.words == len(words)
    assert bvf.verify(tmp_path / "run") == []
