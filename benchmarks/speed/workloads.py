"""The workloads: a model folder, prompts and words each. Random weights of the real size; the tokenizers are real."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
import transformers as tf
from numpy.typing import NDArray

import bvf
from bvf.domain.prompt import Prompt
from bvf.hooks.loader import load
from bvf.measuring.plan import Plan, plan

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
MINED = SHARED / "data/pvf/template/template_mining_n2n_10000.csv"
TEMPLATES = 200
ENGLISH = ROOT / "languages/en/bvf_en/models"


@dataclass(frozen=True)
class Workload:
    """A model with prompts and words to score; ``kind`` is causal, masked or seq2seq."""

    name: str
    summary: str
    folder: Path
    kind: str
    plan: Plan
    words: tuple[str, ...]
    class_of_word: NDArray[np.intp]

    def prompts(self, number: int) -> list[Prompt]:
        """Return prompts from the middle, whole groups as in a shard of a run."""
        size = self.plan.questions.size
        start = max(0, min(size // 2, size - number))
        return self.plan.prompts(range(start, min(start + number, size)))

    def backend(self) -> bvf.Backend:
        """Load the model as a run does."""
        return load().backends.find("transformers").make(bvf.ModelRequest(str(self.folder), self.plan.topic))


def workloads(names: list[str], scratch: Path) -> list[Workload]:
    """Return the workloads of these names (all without names); some only where ../shared is."""
    made: dict[str, Callable[[Path], Workload]] = {"W1": w1, "W2": w2, "W3": w3, "W4": w4, "W5": w5}
    here = [name for name in made if not names or name in names]
    left_out = [name for name in here if name in {"W1", "W2", "W3"} and not MINED.exists()]
    for name in left_out:
        print(f"{name} left out: it needs {MINED} and {SHARED / 'tokenizers'}")
    return [made[name](scratch) for name in here if name not in left_out]


def w1(scratch: Path) -> Workload:
    """GPT-2 small, words of one token."""
    return _single("W1", "GPT-2 small, words of one token", _gpt2(scratch), "causal")


def w2(scratch: Path) -> Workload:
    """GPT-2 small, all words."""
    return _whole("W2", "GPT-2 small, all words", _gpt2(scratch), "causal", str(MINED))


def w3(scratch: Path) -> Workload:
    """BERT-base, words of one token."""
    folder = scratch / "bert"
    if not folder.exists():
        _write(folder, lambda: tf.BertForMaskedLM(tf.BertConfig()), SHARED / "tokenizers/bert-base-uncased")
    return _single("W3", "BERT-base, words of one token", folder, "masked")


def w4(scratch: Path) -> Workload:
    """The bundled causal model, all mined templates, all words."""
    return _whole("W4", "bundled en-causal, all words", ENGLISH / "en-causal", "causal", "gender-all")


def w5(scratch: Path) -> Workload:
    """A seq2seq model of the size of T5-base; its tokenizer is that of the bundled one."""
    folder = scratch / "t5"
    if not folder.exists():
        config = tf.T5Config.from_pretrained(ENGLISH / "en-seq2seq")
        config.update({"d_model": 768, "d_kv": 64, "d_ff": 3072, "vocab_size": 32_128, "decoder_start_token_id": 0})
        config.update({"num_layers": 12, "num_decoder_layers": 12, "num_heads": 12})
        _write(folder, lambda: tf.T5ForConditionalGeneration(config), ENGLISH / "en-seq2seq")
    return _whole("W5", "T5-base in size, all words", folder, "seq2seq", "gender-all")


def _gpt2(scratch: Path) -> Path:
    folder = scratch / "gpt2"
    if not folder.exists():
        _write(folder, lambda: tf.GPT2LMHeadModel(tf.GPT2Config()), SHARED / "tokenizers/gpt2")
    return folder


def _write(folder: Path, make: Callable[[], tf.PreTrainedModel], tokenizer: Path) -> None:
    torch.manual_seed(0)
    make().save_pretrained(folder)
    tf.AutoTokenizer.from_pretrained(tokenizer).save_pretrained(folder)


def _whole(name: str, summary: str, folder: Path, kind: str, contexts: str) -> Workload:
    limit = TEMPLATES if contexts == str(MINED) else 0
    config = bvf.MeasureConfig(model=str(folder), contexts=contexts, limit_contexts=limit, limit_groups=119)
    study = plan(config, load())
    return Workload(name, summary, folder, kind, study, study.questions.words, study.questions.class_of_word)


def _single(name: str, summary: str, folder: Path, kind: str) -> Workload:
    whole = _whole(name, summary, folder, kind, str(MINED))
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    pieces = [tokenizer(f" {word}", add_special_tokens=False)["input_ids"] for word in whole.words]
    kept = [index for index, ids in enumerate(pieces) if len(ids) == 1]
    words = tuple(whole.words[index] for index in kept)
    return replace(whole, words=words, class_of_word=whole.class_of_word[kept])
