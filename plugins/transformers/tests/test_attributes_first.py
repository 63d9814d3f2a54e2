"""Attributes before the noun (by Bayes' rule) and other words of a permutation model, computed plainly."""

import json

import numpy as np
import pytest
import torch
from plain import Plain
from tiny_models import FAMILIES, model_of, tokenizer_of
from transformers import AutoTokenizer

import bvf
from bvf import Prompt
from bvf.interfaces.backend import Tolerance
from bvf.stats.figures.probabilities import class_probabilities

CAUSAL = sorted(name for name, family in FAMILIES.items() if family.kind == "causal")
WORDS = ["young", "old", "grown up", "her"]
CLASSES = np.array([0, 1, 1, 0])
PROMPTS = [
    Prompt("The", " nurse said that.", "nurse", "The [Y] [X] said that."),
    Prompt("I met a very", " truck driver.", "truck driver", "I met a very [Y] [X]."),
    Prompt("The", " and tired nurse said", "nurse", "The [Y] and tired [X] said"),
    Prompt("The nurse said that the", " left.", "nurse", "The [X] said that the [Y] left."),
    Prompt("The nurse met a nurse and a", " nurse.", "nurse", "The [X] met a [X] and a [Y] [X]."),
]
ENDS = [" nurse", " truck driver", " and tired nurse", "", ""]


@pytest.mark.parametrize("name", CAUSAL)
def test_words_are_scored_with_the_text_up_to_the_group(name, folder_of, load_model):
    plain = Plain(folder_of(name), FAMILIES[name])
    expected = [
        [plain.logprob(prompt.left, word + end, "") for word in WORDS]
        for prompt, end in zip(PROMPTS, ENDS, strict=True)
    ]
    backend = load_model(folder_of(name))
    assert np.abs(backend.word_logprobs(PROMPTS, WORDS) - expected).max() < 1e-4
    backend.reads_trees = False
    assert np.abs(backend.word_logprobs(PROMPTS, WORDS) - expected).max() < 1e-4


@pytest.mark.parametrize("value", [1e-3, 0.05, 0.3])
def test_a_tolerance_holds_for_them(value, folder_of, load_model):
    backend = load_model(folder_of("gpt2"))
    exact = class_probabilities(backend.word_logprobs(PROMPTS, WORDS), CLASSES, 2)
    answers = backend.answers(
        PROMPTS, WORDS, CLASSES, Tolerance(value, np.zeros(len(PROMPTS), dtype=int), np.ones(len(PROMPTS)))
    )
    off = np.abs(class_probabilities(answers.logp, CLASSES, 2) - exact).max(axis=1)
    assert (off <= answers.bounds + 1e-6).all()
    assert answers.bounds.mean() <= value


def test_their_mass_is_the_share_of_the_words_among_what_may_stand_there(folder_of, load_model, monkeypatch):
    """With so many tokens tried, all of the vocabulary that begins none of the words is."""
    monkeypatch.setattr("bvf_transformers.tokens.cutting.OTHERS_BEFORE_GROUP", 10**6)
    backend = load_model(folder_of("gpt2"))
    tokens = backend.tokenizer
    left, nurse = tokens("The")["input_ids"], tokens(" nurse")["input_ids"]
    of_words = np.exp(backend.word_logprobs(PROMPTS[:1], WORDS)).sum()
    begin = {tokens(f" {word}")["input_ids"][0] for word in WORDS}
    read = torch.tensor([[*left, token, *nurse] for token in sorted(set(range(backend.rows)) - begin)])
    with torch.no_grad():
        logp = backend.model(read).logits[:, len(left) - 1 : -1].log_softmax(-1)
    others = logp.gather(2, read[:, len(left) :, None]).sum(dim=(1, 2)).exp().sum().item()
    mass = backend.word_mass([PROMPTS[0], PROMPTS[3]], WORDS, CLASSES, 0.0)
    assert mass[0] == pytest.approx(of_words / (of_words + others), rel=1e-4)
    assert mass[1] == pytest.approx(np.exp(backend.word_logprobs(PROMPTS[3:4], WORDS)).sum(), rel=1e-4)


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
