"""The workloads: a model folder, prompts and words each. Random weights of the real size; the tokenizers are real."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
import transformers as tf

import bvf
from benchmarks.pages import ROOT
from bvf.arrays import FloatArray, IntArray
from bvf.domain.prompt import Prompt
from bvf.hooks.loader import load
from bvf.measuring.plan import Plan, plan_of
from bvf.stats.figures.probabilities import class_probabilities

SHARED = ROOT.parent / "shared"
MINED = SHARED / "data/pvf/template/template_mining_n2n_10000.csv"
TEMPLATES = 200
NEED_SHARED = ("W1", "W2", "W3")
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
    class_of_word: IntArray

    def prompts(self, number: int) -> list[Prompt]:
        """Return prompts from the middle, whole groups as in a shard of a run."""
        size = self.plan.questions.size
        start = max(0, min(size // 2, size - number))
        return self.plan.prompts(range(start, min(start + number, size)))

    def p(self, logp: FloatArray) -> FloatArray:
        """Return p(y | x, c), shape (P, Y)."""
        return class_probabilities(logp, self.class_of_word, len(self.plan.questions.classes))

    def backend(self) -> bvf.Backend:
        return load().backends.find("transformers").make(bvf.ModelRequest(str(self.folder), self.plan.topic))


def spread(prompts: Sequence[Prompt], number: int) -> Sequence[Prompt]:
    """Return so many prompts from all places."""
    return prompts[:: max(1, len(prompts) // number)][:number]


def pairs_of(prompts: Sequence[Prompt], words: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return texts, each with the words that may follow it, as other programs take them."""
    return [(prompt.left, [f" {word}" for word in words]) for prompt in prompts]


def workloads(names: Sequence[str], scratch: Path) -> Iterator[Workload]:
    """Yield the workloads of these names (all without names); some only where ../shared is."""
    for name in names or MAKERS:
        if name in NEED_SHARED and not MINED.exists():
            print(f"{name} left out: it needs {MINED} and {SHARED / 'tokenizers'}")
        else:
            yield MAKERS[name](name, scratch / name)


def gpt2(folder: Path) -> Path:
    return _written(folder, lambda: tf.GPT2LMHeadModel(tf.GPT2Config()), SHARED / "tokenizers/gpt2")


def bert(folder: Path) -> Path:
    return _written(folder, lambda: tf.BertForMaskedLM(tf.BertConfig()), SHARED / "tokenizers/bert-base-uncased")


def t5(folder: Path) -> Path:
    """Write a seq2seq model of the size of T5-base; its tokenizer is that of the bundled one."""
    config = tf.T5Config.from_pretrained(ENGLISH / "en-seq2seq")
    config.update({"d_model": 768, "d_kv": 64, "d_ff": 3072, "vocab_size": 32_128, "decoder_start_token_id": 0})
    config.update({"num_layers": 12, "num_decoder_layers": 12, "num_heads": 12})
    return _written(folder, lambda: tf.T5ForConditionalGeneration(config), ENGLISH / "en-seq2seq")


def _written(folder: Path, make: Callable[[], tf.PreTrainedModel], tokenizer: Path) -> Path:
    torch.manual_seed(0)
    make().save_pretrained(folder)
    tf.AutoTokenizer.from_pretrained(tokenizer).save_pretrained(folder)
    return folder


def whole(name: str, summary: str, folder: Path, kind: str, contexts: str = "gender-all") -> Workload:
    limit = TEMPLATES if contexts == str(MINED) else 0
    config = bvf.MeasureConfig(
        model=str(folder), topic="gender-2026", contexts=contexts, limit_contexts=limit, limit_groups=119
    )
    study = plan_of(config, load())
    return Workload(
        name, f"{summary}, all words", folder, kind, study, study.questions.words, study.questions.class_of_word
    )


def single(name: str, summary: str, folder: Path, kind: str) -> Workload:
    every, tokenizer = whole(name, summary, folder, kind, str(MINED)), tf.AutoTokenizer.from_pretrained(folder)
    pieces = [tokenizer(f" {word}", add_special_tokens=False)["input_ids"] for word in every.words]
    kept = [index for index, ids in enumerate(pieces) if len(ids) == 1]
    words, summary = tuple(every.words[index] for index in kept), f"{summary}, words of one token"
    return replace(every, summary=summary, words=words, class_of_word=every.class_of_word[kept])


MAKERS: dict[str, Callable[[str, Path], Workload]] = {
    "W1": lambda name, folder: single(name, "GPT-2 small", gpt2(folder), "causal"),
    "W2": lambda name, folder: whole(name, "GPT-2 small", gpt2(folder), "causal", str(MINED)),
    "W3": lambda name, folder: single(name, "BERT-base", bert(folder), "masked"),
    "W4": lambda name, folder: whole(name, "bundled en-causal", ENGLISH / "en-causal", "causal"),
    "W5": lambda name, folder: whole(name, "T5-base in size", t5(folder), "seq2seq"),
}
