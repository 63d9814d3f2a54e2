"""Results of an analysis whose plugin is not installed. The fields that all results have stay readable."""

import re
from collections.abc import Sequence
from typing import Any, NoReturn

from pydantic import ConfigDict, Field

from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Verdict, View
from bvf.interfaces.section import Section
from bvf.measuring.invocation import invocations_in
from bvf.results.result import GroupResult, ResultBase
from bvf.study.analysis import Analysis
from bvf.tables.words import decimals

INSTALL = "install it, or name its file with --plugin"


class UnknownGroup(GroupResult):
    """A group of a result whose analysis is not installed: the fields that groups of all results have."""

    model_config = ConfigDict(extra="ignore")


class UnknownResult(ResultBase):
    """A result whose analysis is not installed. Fields of that analysis alone are in ``model_extra``."""

    model_config = ConfigDict(extra="allow")
    schema_: str = Field(alias="schema")
    groups: tuple[UnknownGroup, ...]


class UnknownAnalysis(Analysis[UnknownResult]):
    """Shows results of analyses that are not installed: their stored figures, and mean probabilities of groups."""

    results = UnknownResult

    def __init__(self, plugins: Plugins) -> None:
        self.plugins = plugins

    def applies(self, criterion: Any) -> bool:
        return False

    def run(self, measurement: Any, choices: Any) -> NoReturn:
        raise BvfError("this analysis is not installed")

    def rows(self, results: Sequence[UnknownResult], view: View) -> list[Section]:
        figures = {name for each in results for name in _figures(each)}
        names = sorted(figures)
        models = [(each.model, *decimals(*(_figures(each).get(name) for name in names))) for each in results]
        warnings = [f"WARNING: {_why_unknown(each, self.plugins)}" for each in results]
        first = results[0]
        together = Section(
            f"{first.topic} ({first.language}), criterion {first.criterion}, as {first.schema_}",
            ("model", *names),
            models,
            warnings=warnings,
        )
        return [together, *map(_groups, results)]

    def verdicts(self, result: UnknownResult) -> Sequence[Verdict]:
        said = f"Only what all results have is shown: {_why_unknown(result, self.plugins)}."
        return (Verdict("cannot tell", said),)


def refuse_unknown(result: ResultBase, plugins: Plugins) -> None:
    """Raise `BvfError` if the analysis of a stored result is of a plugin that is not installed."""
    if isinstance(result, UnknownResult):
        raise BvfError(
            _why_unknown(result, plugins), f"{INSTALL}; or --analysis risk analyses the same answers by risk"
        )


def refuse_missing(result: ResultBase, plugins: Plugins) -> None:
    """Raise `BvfError` if the analysis or the criterion of a stored result is of a plugin that is not installed."""
    refuse_unknown(result, plugins)
    named = re.split("[:@]", result.criterion)[0]
    if all(entry.provider.name != named for entry in plugins.criteria):
        raise BvfError(
            f"{result.folder or result.model}: its criterion, {named}, is of a plugin that is not installed"
            f"{_gone(result, plugins)}",
            f"{plugins.criteria.broken(named) or INSTALL}; or --criterion linf analyses the same answers by another",
        )


def _why_unknown(result: UnknownResult, plugins: Plugins) -> str:
    """A sentence on a result whose analysis is not installed. It names folder, schema and plugins."""
    where = result.folder or result.model
    return f"{where}: its analysis, {result.schema_}, is of a plugin that is not installed{_gone(result, plugins)}"


def _gone(result: ResultBase, plugins: Plugins) -> str:
    """A phrase on plugins that were installed when the model was measured, but are not now; empty: there are none."""
    gone = dict[str, str]()
    for _, invocation in invocations_in(result.folder, result.measurement) if result.folder else ():
        known = invocation["versions"]["plugins"]
        gone |= {name: " ".join(each) for name, each in known.items() if name not in plugins.owners}
    named = [f"{name} ({version})" if version.strip() else name for name, version in gone.items()]
    return f"; the run also had {', '.join(named)}" if named else ""


def _figures(result: UnknownResult) -> dict[str, float]:
    return {name: value for name, value in (result.model_extra or {}).items() if isinstance(value, float)}


def _groups(result: UnknownResult) -> Section:
    classes = tuple(dict.fromkeys(name for each in result.groups for name in each.mean_probabilities))
    of_groups = [(each.group, [each.mean_probabilities.get(name) for name in classes]) for each in result.groups]
    rows = [(name, *("" if p is None else f"{p:.1%}" for p in of_group)) for name, of_group in of_groups]
    return Section(f"{result.model}: mean probability of each class over contexts", ("group", *classes), rows)
