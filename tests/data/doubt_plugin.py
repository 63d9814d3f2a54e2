"""An analysis that is not ours: its figures are made up."""

from typing import Literal

from pydantic import Field

from bvf import Analysis, GroupResult, Provider, ResultBase, Section, basis_of, common_fields, hookimpl


class GroupDoubt(GroupResult):
    doubt: float


class DoubtResult(ResultBase):
    schema_: Literal["doubt/1"] = Field("doubt/1", alias="schema")
    doubt: float
    surely: bool = True
    groups: tuple[GroupDoubt, ...]


class Doubt(Analysis):
    results = DoubtResult

    def applies(self, criterion):
        return False

    def run(self, measurement, choices):
        basis = basis_of(measurement, choices)
        fields = basis.of_each_group(basis.reference)
        groups = tuple(GroupDoubt(doubt=x / 8, **own) for x, own in enumerate(fields))
        return DoubtResult(**common_fields(measurement, basis, choices), doubt=0.125, groups=groups)

    def rows(self, results, view):
        return [Section("Doubt", ("model",), [(each.model,) for each in results]) for _ in range(1 + len(results))]


@hookimpl
def bvf_analyses():
    return [Provider("doubt", Doubt, "doubt")]
