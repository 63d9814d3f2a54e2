"""Risks of texts that a reader with a counted error read: intervals include what is not known of that error."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bvf import Study
from bvf.domain import TextsRead
from bvf.results import Contribution
from bvf.stats import ContextSample, FloatArray, IntArray, each_group
from bvf.study import Averages
from bvf.tables import in_a_list, symbols
from bvf_texts.measured import measured

DRAWS = 100
"""How many matrices are drawn around the one that was counted."""
PRIOR = 0.5
"""Added to each count before matrices are drawn (Jeffreys), so that errors which were not seen may occur."""
LEAST = 0.01
"""The smallest singular value of a matrix that is inverted."""
SEED, SPLITS = 19_783, 2
"""The seed of matrices, and the splits of the answers into halves for each of them."""
UNEQUAL = 0.05
"""Errors that differ between groups with this p value are a warning."""


@dataclass(frozen=True)
class Confusion:
    """How often labelled texts of a class were read as each class. ``counts`` has a row per label, shape (Y, Y)."""

    counts: IntArray

    @property
    def matrix(self) -> FloatArray:
        """M, the probability of each reading by label, shape (Y, Y); its rows sum to 1."""
        return np.asarray(self.counts / self.counts.sum(axis=1, keepdims=True))

    def drawn_again(self) -> Iterator[FloatArray]:
        """Yield matrices drawn from the posterior of each row (Dirichlet), without those that cannot be inverted."""
        rng = np.random.default_rng(SEED)
        for _ in range(DRAWS):
            drawn = np.stack([rng.dirichlet(row + PRIOR) for row in self.counts])
            if np.linalg.svd(drawn, compute_uv=False).min() > LEAST:
                yield drawn


def differs_between(counts: IntArray) -> float | None:
    """Return the smallest p value, times the number of classes, for equal errors in all groups of labelled texts.

    Whether a text was read as its label is tested against its group, for each label, by Pearson's chi-square.

    Args:
        counts: How often texts of a group with a label were read wrongly and rightly, shape (G, Y, 2).

    Returns:
        None if no label has texts of two groups and both right and wrong readings.
    """
    from scipy.stats import chi2_contingency  # which a run of probabilities does without

    found = list[float]()
    for of_label in np.moveaxis(counts, 1, 0):
        there = of_label[of_label.sum(axis=1) > 0]
        if len(there) > 1 and (there.sum(axis=0) > 0).all():
            found.append(float(chi2_contingency(there, correction=False).pvalue))
    return min(1.0, min(found) * len(found)) if found else None


def reaches(
    answers: Any, confusion: Confusion, parts_of: Callable[[Any], Sequence[Averages]], p_x: FloatArray, level: float
) -> dict[tuple[str, str, str], FloatArray]:
    """Return how far each figure may be off by the error of the counted matrix M, shape (3, 1 + X), by their names.

    Matrices are drawn around the counted one, and figures computed with each. The first column is that of all groups,
    the others are each group's. The reach is the same to both sides: the larger one, because near 0 a figure
    cannot fall further.
    """

    def figures(matrix: FloatArray | None) -> list[FloatArray]:
        parts, both = parts_of(replace(answers, matrix=matrix, splits=SPLITS)), (p_x, each_group(len(p_x)))
        values = [[part.sampled.values(each) for each in both] for part in parts]
        return [np.column_stack([np.stack(every), np.stack(each)]) for every, each in values]

    names = [part.names for part in parts_of(answers)]
    here, drawn = figures(answers.matrix), [figures(matrix) for matrix in confusion.drawn_again()]
    outer = 0.5 - level / 2.0, 0.5 + level / 2.0
    ends = [np.quantile(np.stack(each), outer, axis=0) for each in zip(*drawn, strict=True)]
    return {
        name: np.maximum(np.maximum(value - low, high - value), 0.0)
        for name, value, (low, high) in zip(names, here, ends, strict=True)
    }


def doubt_of(study: Study) -> tuple[Any, ...]:
    """Return what is not known of the error of the reader of a study's texts; empty: no error was counted."""
    predictions, answers, texts = study.predictions, study.predictions.answers, study.measurement.answers.summary
    if answers is None or texts is None:
        return ()
    correction, doubt = Contribution(notes=tuple(_notes(study, texts))), Contribution()
    if texts.error is None:
        return (correction,)
    confusion = Confusion(np.array([list(read.values()) for read in texts.error.counts.values()]))
    rows = [[its.get(name, (0, 0)) for name in predictions.classes] for its in texts.error.by_group.values()]
    error = differs_between(np.array(rows, dtype=np.intp).reshape(-1, len(predictions.classes), 2))
    if error is not None and error < UNEQUAL:
        warning = (
            f"the reader's error differs between groups of the labelled texts (p = {error:.2g}): the correction takes "
            "it as the same for all, and differences of groups hold the rest"
        )
        doubt = Contribution(warnings=(warning,))
    elif error is not None:
        note = f"no difference of the reader's error between groups of the labelled texts (p = {error:.2g})"
        doubt = Contribution(notes=(note,))
    if study.holds_noise:
        return correction, doubt, {}, []
    sample = study.sample or ContextSample(predictions.context_weights, "template")
    p_x, level = predictions.group_weights, study.choices.level
    found = reaches(answers, confusion, lambda given: study.parts(sample, given), p_x, level)
    of_all, of_groups = dict[str, float](), [dict[str, float]() for _ in predictions.groups]
    for part in study.parts(sample):
        reach = found[part.names]
        of_all |= zip(part.names, map(float, reach[:, 0]), strict=True)
        for of_group, column in zip(of_groups, reach[:, 1:].T, strict=True):
            of_group |= zip(part.of_group or (), map(float, column), strict=False)
    return correction, doubt, of_all, of_groups


def _notes(study: Study, texts: TextsRead) -> list[str]:
    """Sentences on what p was corrected by, and on what was clipped."""
    unclipped, notes = np.nan_to_num(study.predictions.unclipped), list[str]()
    outside = int((unclipped < 0.0).any(axis=2).sum())
    if texts.expected:
        both = [f"{name} {parts}" for name, parts in texts.of_classes.items()]
        notes.append(
            "p is from the probabilities of words along the texts: how probable it is that a class is named first, and "
            f"in brackets what the reader adds to that, over all contexts of a group: {in_a_list(both)} of texts"
        )
    if texts.error:
        all_of_them = in_a_list(symbols("R", "R_bias", "R_volatility"))
        notes.append(
            "p is corrected for the error of the reader, which is taken as the same in all groups; intervals of "
            f"{all_of_them} hold what its labelled texts leave open"
        )
    elif study.choices.reader:
        notes += [each.sentence for each in measured(study.choices.reader.name, study.measurement.record.asked)]
    if outside:
        notes.append(
            f"corrected shares of {outside} of {unclipped[..., 0].size} prompts are below 0 or above 1: single ones "
            "are shown as the nearest possible, and the figures take them as they are"
        )
    return notes
