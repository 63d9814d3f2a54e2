"""The kinds of figures by name: what each takes, and what it shows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bvf.analyses.compare.analysis import compare
from bvf.analyses.compare.labels import PARAMETERS
from bvf.analyses.contexts.analysis import compare_contexts
from bvf.analyses.explain.analysis import explain
from bvf.analyses.regress.analysis import regress
from bvf.analyses.regress.config import RegressConfig
from bvf.domain.measurement import RECORD
from bvf.errors import BvfError, nearest
from bvf.factors.kept import read_factors
from bvf.factors.run import FactorsResult
from bvf.files.parsing import is_file
from bvf.plot.figures import SHOWN, of_topic
from bvf.plot.style import Columns
from bvf.results.kept import read_result
from bvf.study.config import AnalysisConfig
from bvf.study.found import folders_of_runs
from bvf.views.captions import View
from bvf.views.comparison import comparison, trends
from bvf.views.controls import controls
from bvf.views.coverage import coverage_of
from bvf.views.distributions import distributions
from bvf.views.forest import forest_of
from bvf.views.grid import grid
from bvf.views.leanings import leanings
from bvf.views.over_contexts import over_contexts
from bvf.views.regression import regression_view
from bvf.views.scale import scale
from bvf.views.scatter import scatter
from bvf.views.sunburst import sunburst_of
from bvf.views.variance import variance


@dataclass(frozen=True)
class Wanted:
    """What of it is to be shown.

    Args:
        config: How compared runs are analysed.
        show: How many groups or levels; 0: all.
        by: The label of a trend; empty: the size of models.
        factors: The two factors of a picture of factors; if fewer are named, the first ones of the analysis.
        social: What figures of groups are regressed on.
    """

    config: AnalysisConfig | None = None
    show: int = SHOWN
    by: str = ""
    factors: tuple[str, ...] = ()
    social: RegressConfig | None = None


@dataclass(frozen=True)
class Kind:
    """A kind of figure.

    Args:
        title: What it is, in a few words.
        view: What it shows of folders of runs, or of files.
        columns: How wide it is where nobody says.
    """

    title: str
    view: Callable[[Sequence[Path], Wanted], View]
    columns: Columns = 1


def kind_of(name: str) -> Kind:
    """Return a kind of figure.

    Raises:
        BvfError: There is none of this name.
    """
    if name not in KINDS:
        raise BvfError(f'--kind "{name}": there is no such figure', nearest(name, list(KINDS)))
    return KINDS[name]


def _lean(sources: Sequence[Path], wanted: Wanted) -> View:
    return leanings(read_result(_run(sources)), show=wanted.show)


def _heatmap(sources: Sequence[Path], wanted: Wanted) -> View:
    return grid(read_result(_run(sources)), show=wanted.show)


def _distribution(sources: Sequence[Path], wanted: Wanted) -> View:
    return distributions(read_result(_run(sources)), show=wanted.show)


def _scatter(sources: Sequence[Path], wanted: Wanted) -> View:
    return scatter(read_result(_run(sources)))


def _variance(sources: Sequence[Path], wanted: Wanted) -> View:
    return variance(explain(read_result(_run(sources)), show=1))


def _scale(sources: Sequence[Path], wanted: Wanted) -> View:
    return scale([read_result(folder) for source in sources for folder in folders_of_runs(source)])


def _controls(sources: Sequence[Path], wanted: Wanted) -> View:
    return controls(read_result(_run(sources)))


def _compare(sources: Sequence[Path], wanted: Wanted) -> View:
    return of_topic(comparison(compare(sources, wanted.config)), "")


def _contexts(sources: Sequence[Path], wanted: Wanted) -> View:
    return over_contexts(compare_contexts(sources, wanted.config or AnalysisConfig()))


def _trend(sources: Sequence[Path], wanted: Wanted) -> View:
    by = wanted.by or PARAMETERS
    return of_topic(trends(compare(sources, wanted.config, by=by), by), "")


def _regression(sources: Sequence[Path], wanted: Wanted) -> View:
    regressions = regress([_run(sources)], wanted.social)
    if len(regressions.regressions) > 1:
        raise BvfError(
            f"{len(regressions.regressions)} regressions, and this figure shows one", "say one --against and one --of"
        )
    return regression_view(regressions, regressions.regressions[0])


def _coverage(sources: Sequence[Path], wanted: Wanted) -> View:
    return coverage_of(_factors(sources), *wanted.factors)


def _sunburst(sources: Sequence[Path], wanted: Wanted) -> View:
    return sunburst_of(_factors(sources), *wanted.factors)


def _forest(sources: Sequence[Path], wanted: Wanted) -> View:
    return forest_of(_factors(sources), wanted.show)


def _run(sources: Sequence[Path]) -> Path:
    if len(sources) > 1:
        raise BvfError(
            f"{len(sources)} runs, and this figure shows one", "draw them one by one, or with --kind scale or compare"
        )
    return _checked_run(sources[0])


def _checked_run(source: Path) -> Path:
    if not is_file(source / RECORD):
        raise BvfError(f"{source}: not the folder of a run", "name a folder that bvf run has written")
    return source


def _factors(sources: Sequence[Path]) -> FactorsResult:
    if len(sources) > 1:
        raise BvfError(f"{len(sources)} files, and this figure shows one", "draw them one by one")
    return read_factors(sources[0])


KINDS = {
    "lean": Kind("How far groups lean", _lean),
    "heatmap": Kind("How far groups lean in each context", _heatmap, 2),
    "distribution": Kind("How probabilities vary over contexts", _distribution),
    "scatter": Kind("Volatility against bias of groups", _scatter),
    "variance": Kind("What makes predictions vary, and whether other contexts would agree", _variance),
    "scale": Kind("R, R^b and R^v of models", _scale),
    "controls": Kind("A topic beside its controls", _controls),
    "trend": Kind("R, R^b and R^v over a label", _trend),
    "compare": Kind("Models in the same contexts", _compare),
    "contexts": Kind("R of models over context sets", _contexts),
    "regression": Kind("A figure of groups against a social factor", _regression),
    "coverage": Kind("How many prompts there are of pairs of levels", _coverage, 2),
    "sunburst": Kind("Prompts and deviations by two factors", _sunburst),
    "forest": Kind("Which levels make a model deviate", _forest),
}
