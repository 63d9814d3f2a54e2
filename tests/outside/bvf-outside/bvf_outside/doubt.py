"""How undecided a model is, in bits."""

from typing import Literal

import numpy as np
from pydantic import Field

from bvf import Analysis, ResultBase, Section
from bvf.results.contribution import common_fields
from bvf.results.result import GroupResult
from bvf.stats.figures.probabilities import mean_over_contexts, normalised_context_weights
from bvf.study.predictions import basis_of


class GroupDoubt(GroupResult):
    """The entropy of a group's predictions, averaged over contexts."""

    doubt: float


class DoubtResult(ResultBase):
    """The same, averaged over groups."""

    schema_: Literal["outside.doubt/1"] = Field("outside.doubt/1", alias="schema")
    doubt: float
    groups: tuple[GroupDoubt, ...]


class Doubt(Analysis[DoubtResult]):
    """E_x[E_c[H(p)]]."""

    results = DoubtResult

    def applies(self, criterion):
        return False

    def run(self, measurement, choices):
        basis = basis_of(measurement, choices)
        p = basis.probabilities
        entropy = -(p * np.log2(np.where(p > 0, p, 1.0))).sum(axis=2)
        doubt = mean_over_contexts(entropy, normalised_context_weights(basis.context_weights, p))
        uniform = np.full((len(basis.groups), len(basis.classes)), 1.0 / len(basis.classes))
        groups = zip(doubt.tolist(), basis.of_each_group(uniform), strict=True)
        return DoubtResult(
            **common_fields(measurement, basis, choices),
            doubt=float(basis.group_weights @ doubt),
            groups=tuple(GroupDoubt(doubt=bits, **fields) for bits, fields in groups),
        )

    def rows(self, results, view):
        models = [(each.model, f"{each.doubt:.3f}") for each in results]
        return [Section("Doubt, in bits", ("model", "doubt"), models), *map(self.groups, results)]

    def groups(self, result):
        rows = [(group.group, f"{group.doubt:.3f}") for group in result.groups]
        return Section(result.model, ("group", "doubt"), rows)
