"""An analysis that is not ours: its figures are made up."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field

from bvf import Analysis, GroupResult, Picture, Provider, ResultBase, Section, basis_of, common_fields, hookimpl
from bvf.drawing.style import axes_of


class GroupDoubt(GroupResult):
    doubt: float


class DoubtResult(ResultBase):
    schema_: Literal["doubt/1"] = Field("doubt/1", alias="schema")
    doubt: float
    surely: bool = True
    groups: tuple[GroupDoubt, ...]


@dataclass(frozen=True)
class Doubts(Picture):
    kind: ClassVar[str] = "doubts"
    title: ClassVar[str] = "Doubt of groups"
    models: tuple[str, ...]
    values: tuple[float, ...]

    def caption(self):
        return f"Doubt of {len(self.values)} groups of {len(self.models)} models."

    def draw(self, ax=None, columns=1):
        axes = axes_of(ax, columns, 2.0)
        axes.plot(self.values, range(len(self.values)))
        return axes


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

    def pictures(self, results):
        values = tuple(group.doubt for each in results for group in each.groups)
        return [Doubts(tuple(each.model for each in results), values)]


@hookimpl
def bvf_analyses():
    return [Provider("doubt", Doubt, "doubt")]
