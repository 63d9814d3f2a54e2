"""The figures that exports show: those that the class of a result names, else all its numbers."""

from typing import ClassVar

from bvf_report.export.papers import latex_text, markdown_text
from bvf_report.export.runs import group_figures, judged_figures, model_figures

from bvf.interfaces.section import Quantity
from bvf.results.result import GroupResult, ResultBase


class Subject(GroupResult):
    """A group of a plugin's result that says which figures are exported, and what stands beside them."""

    doubt: float
    spare: float = 0.5
    likes: str = "tea"
    exported: ClassVar[tuple[Quantity, ...]] = (Quantity("doubt", "d", "$d$"),)
    described_by: ClassVar[tuple[str, ...]] = ("likes",)


class Named(ResultBase):
    """A plugin's result that says which figures are exported."""

    doubt: float
    spare: float = 0.5
    exported: ClassVar[tuple[Quantity, ...]] = (Quantity("doubt", "D", "$D$", "How undecided it is", True),)
    groups: tuple[Subject, ...]


def named(doubt):
    fields = {name: getattr(doubt, name) for name in ResultBase.model_fields if name != "groups"}
    groups = tuple(Subject(**vars(group)) for group in doubt.groups)
    return Named(**fields, doubt=doubt.doubt, groups=groups)


def test_a_result_that_names_none_has_all_its_numbers_and_none_is_judged(doubt):
    assert [each.field for each in model_figures([doubt])] == ["doubt"]
    assert [each.field for each in group_figures([doubt])] == ["doubt"]
    assert judged_figures(doubt) == ()


def test_a_result_of_a_plugin_is_exported_by_the_figures_and_the_texts_that_it_names(doubt):
    result = named(doubt)
    assert judged_figures(result) == Named.exported
    assert r"$D$" in latex_text([result])
    assert r"$D$: How undecided it is." in latex_text([result])
    header, _, first = markdown_text([result], "groups").splitlines()[2:5]
    assert header == "| group | likes | d |"
    assert first == f"| {result.groups[0].group} | tea | 0.000 |"
