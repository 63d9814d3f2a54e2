"""Halve the precision of processors, cut their words, lay them out for Stanza: ``python pack.py zh TRAINED OUT``.

Stanza's loader casts the weights back to single precision.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import torch
from pipelines import LANGUAGES, PACKAGE, Language, resources

DROPPED = ("optimizer_state_dict", "scheduler_state_dict")
MOST_BYTES = 6_000_000
WITH_WORDS = ("pos", "depparse")


def halved(value: object) -> object:
    """Return ``value`` with every floating tensor in half precision, at any depth."""
    if isinstance(value, torch.Tensor):
        return value.half().clone() if value.is_floating_point() else value.clone()
    if isinstance(value, dict):
        return type(value)((key, halved(item)) for key, item in value.items())
    if isinstance(value, list):
        return [halved(item) for item in value]
    return value


def with_fewer_words(checkpoint: dict[str, Any], most: int) -> dict[str, Any]:
    """Truncate the vocabularies of a checkpoint to the ``most`` commonest words and lemmas. Others become unknown."""
    for name in ("word", "lemma"):
        weights = f"{name}_emb.weight"
        if weights in checkpoint["model"]:
            vocabulary = checkpoint["vocab"][name]
            vocabulary["_id2unit"] = vocabulary["_id2unit"][:most]
            vocabulary["_unit2id"] = {unit: i for i, unit in enumerate(vocabulary["_id2unit"])}
            checkpoint["model"][weights] = checkpoint["model"][weights][:most]
    return checkpoint


def pack(language: Language, trained: Path, out: Path, words: int) -> int:
    """Write the pipeline folder from ``trained/PROCESSOR/tiny.pt``, and return the size of its models in bytes."""
    size = 0
    for name in language.processors:
        checkpoint = torch.load(trained / name / f"{PACKAGE}.pt", map_location="cpu", weights_only=False)
        if name in WITH_WORDS:
            checkpoint = with_fewer_words(checkpoint, words)
        model = {key: halved(value) for key, value in checkpoint.items() if key not in DROPPED}
        target = out / language.code / name / f"{PACKAGE}.pt"
        target.parent.mkdir(parents=True, exist_ok=True)
        torch.save(model, target)
        size += target.stat().st_size
    (out / "resources.json").write_text(json.dumps(resources(language), indent=1) + "\n")
    return size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=LANGUAGES)
    parser.add_argument("trained", type=Path, help="folder with PROCESSOR/tiny.pt")
    parser.add_argument("out", type=Path)
    parser.add_argument("--words", type=int, default=100_000, help="commonest words and lemmas that are kept")
    args = parser.parse_args()
    size = pack(LANGUAGES[args.language], args.trained, args.out, args.words)
    print(f"{args.out}: {size / 1e6:.2f} MB{'' if size <= MOST_BYTES else f', over {MOST_BYTES / 1e6:.0f} MB'}")


if __name__ == "__main__":
    main()
