"""Mined templates beside the paper's: ``python benchmarks/mining/verbs.py MINED.csv AUTHORS.csv``.

How many of the ten verbs of Table 8 are among the thirty heaviest templates, and how the ranks of the shared agree.
"""

import sys
from pathlib import Path

from bvf.files.contexts import read_contexts
from bvf.stats.context_sets import compared

TABLE_8 = ("said", "stated", "announced", "claimed", "wrote", "revealed", "believed", "explained", "admitted", "felt")
HEAVIEST = 30


def main() -> None:
    ours, theirs = (read_contexts(Path(name)) for name in sys.argv[1:3])
    ranked = sorted(zip(ours.counts, ours.templates, strict=True), key=lambda pair: (-pair[0], pair[1].text))
    texts = [template.text for _, template in ranked]
    counts = {template.text: count for count, template in ranked}
    least = ranked[:HEAVIEST][-1][0]
    for verb in TABLE_8:
        template = f"The [X] {verb} that [Y]"
        place = f"rank {texts.index(template) + 1}, count {counts[template]:g}" if template in counts else "not found"
        sys.stdout.write(f"{verb}: {place}\n")
    among = sum(counts.get(f"The [X] {verb} that [Y]", 0) >= least for verb in TABLE_8)
    sys.stdout.write(f"{among} of 10 among the {HEAVIEST} heaviest (count {least:g} or more)\n")
    comparison = compared(ours, theirs)
    sys.stdout.write(
        f"{comparison.templates[0]} and {comparison.templates[1]} templates, {comparison.shared} shared, with "
        f"{comparison.shared_weight[0]:.1%} and {comparison.shared_weight[1]:.1%} of the weight; "
        f"Spearman of their ranks {comparison.rank_correlation:.3f}; "
        f"Jensen-Shannon distance {comparison.jensen_shannon:.3f}\n"
    )


if __name__ == "__main__":
    main()
