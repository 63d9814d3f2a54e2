"""Probabilities of an analysis of knowledge without what the model prefers to answer whatever the subject."""

import numpy as np
from numpy.typing import NDArray

from bvf import Study
from bvf.stats import BoolArray, FloatArray, among_candidates
from bvf_knowledge.stats.answer_priors import without_prior


def corrected_probabilities(study: Study, truth: NDArray[np.intp], candidates: BoolArray | None) -> FloatArray | None:
    """Return p(y | x, c) divided by the prior of the answer, shape (X, C, Y); None if that is undefined.

    The prior is fitted to all answers of the relation, whichever of them a subject then chooses among.

    Args:
        study: What is analysed.
        truth: Index of the true answer of each subject, shape (X,).
        candidates: Mask of the answers that each subject chooses among, shape (X, Y); None: all.
    """
    chosen = study.predictions
    if candidates is None:
        return without_prior(chosen.probabilities, truth)
    every = Study.of(study.measurement, study.choices).predictions
    kept = np.isin(every.group_names, chosen.group_names)
    corrected = without_prior(every.of_groups(kept).probabilities, truth)
    return None if corrected is None else among_candidates(corrected, candidates)
