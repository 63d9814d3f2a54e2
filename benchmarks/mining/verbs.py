"""Mined templates beside the paper's: ``python benchmarks/mining/verbs.py MINED.csv AUTHORS.csv``.

Prints how many of the ten verbs of Table 8 are among the thirty heaviest templates, and how ranks agree.
"""

import sys
from pathlib import Path

from bvf.files.contexts.sets import read_contexts
from bvf.stats.figures.context_sets import compared

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
    (mine, authors), (my_weight, their_weight) = comparison.templates, comparison.shared_weight
    sys.stdout.write(
        f"{mine} and {authors} templates, {comparison.shared} shared, with {my_weight:.1%} and {their_weight:.1%} of "
        f"the weight; Spearman of their ranks {comparison.rank_correlation:.3f}; "
        f"Jensen-Shannon distance {comparison.jensen_shannon:.3f}\n"
    )


if __name__ == "__main__":
    main()
