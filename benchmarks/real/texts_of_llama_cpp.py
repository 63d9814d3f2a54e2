"""Texts by llama.cpp, in a virtual environment of its own; `texts.py` runs it. Prints the tokens per second.

The samples of some prompts are sequences that are decoded together; those of one share what was read of it.
"""

import json
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "speed"))

from libllama import Llama, floats_of
from peers import clock

SEQUENCES = 80
"""The most texts that llama.cpp continues at a time."""


def main() -> None:
    asked = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    torch.set_num_threads(asked["threads"])
    load = floats_of if asked["as_floats"] else Llama
    at_a_time = max(1, SEQUENCES // asked["samples"])
    model = load(asked["file"], asked["threads"], sequences=at_a_time * asked["samples"])
    texts = [model.tokens(left, first=True) for left in asked["lefts"]]
    model.continued(texts[:1], asked["samples"], 2)
    rates = []
    for _ in range(asked["turns"]):
        began, tokens = clock(), 0
        for start in range(0, len(texts), at_a_time):
            written = model.continued(texts[start : start + at_a_time], asked["samples"], asked["tokens"])
            tokens += sum(map(len, written))
        rates.append(tokens / (clock() - began))
    print(max(rates))


if __name__ == "__main__":
    main()
