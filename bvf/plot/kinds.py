"""The kinds of figures that ``bvf plot`` draws, by name, and how each is made from runs or files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bvf.analyses.compare.analysis import compare
from bvf.analyses.compare.labels import PARAMETERS
from bvf.analyses.compare.pictures.compared import Compared, comparison
from bvf.analyses.compare.pictures.pairs import by_label
from bvf.analyses.compare.pictures.trend import Trend
from bvf.analyses.contexts.analysis import compare_contexts
from bvf.analyses.contexts.pictures import OverContexts, over_contexts
from bvf.analyses.explain.analysis import explain
from bvf.analyses.explain.pictures import Variance, variance
from bvf.analyses.regress.analysis import regress
from bvf.analyses.regress.config import RegressConfig
from bvf.analyses.regress.pictures import RegressionLine, regression_line
from bvf.analyses.risk.controls.pictures import Controls, controls
from bvf.analyses.risk.pictures.curve import Curve, curve
from bvf.analyses.risk.pictures.densities import Densities, densities
from bvf.analyses.risk.pictures.distributions import Distributions, distributions
from bvf.analyses.risk.pictures.grid import Grid, grid
from bvf.analyses.risk.pictures.leanings import Leanings, leanings
from bvf.analyses.risk.pictures.leans_of_models import leans_of_models
from bvf.analyses.risk.pictures.scale import Scale, scale
from bvf.analyses.risk.pictures.scatter import Scatter, scatter
from bvf.domain.measurement import RECORD
from bvf.errors import BvfError, nearest
from bvf.files.parsing import is_file
from bvf.hooks.loader import Plugins, load
from bvf.hooks.registry import Entry
from bvf.interfaces.picture import Picture
from bvf.interfaces.reported_file import ReportedFile
from bvf.plot.figures import SHOWN, of_topic
from bvf.results.kept import analysis_of, read_result
from bvf.results.reported import read_reported
from bvf.results.result import ResultBase
from bvf.study.config import AnalysisConfig
from bvf.study.found import folders_of_runs


@dataclass(frozen=True)
class Wanted:
    """The options of ``bvf plot`` for what figures show.

    Args:
        config: Configuration of the analysis, for comparisons.
        show: Number of groups or levels to show; 0: all.
        by: The label of a trend or of pairs; empty: the number of parameters of models.
        factors: Factors to show in a picture of a file; if fewer are given than needed, the first ones of the file.
        social: Configuration of regressions on social factors.
    """

    config: AnalysisConfig | None = None
    show: int = SHOWN
    by: str = ""
    factors: tuple[str, ...] = ()
    social: RegressConfig | None = None


@dataclass(frozen=True)
class Kind:
    """A kind of figure, one value of ``--kind``.

    Args:
        picture: The class of its pictures, which has the name and the title of the kind.
        made: A function that makes such a picture from folders of runs, or from files.
    """

    picture: type[Picture]
    made: Callable[[Sequence[Path], Wanted], Picture]


def kind_of(name: str, sources: Sequence[Path]) -> Kind:
    """Return a kind of figure by name: one of bvf, of files of a plugin, or of the analysis that made the results.

    Args:
        name: Name of the kind.
        sources: Folders of runs, or a file.

    Raises:
        BvfError: There is no such kind, or the analysis makes several pictures of this kind for these results.
    """
    if name in KINDS:
        return KINDS[name]
    plugins = load()
    of_files = {each.kind: each for entry in plugins.files for each in _drawn_from(entry) if each.kind}
    if name in of_files:
        return Kind(of_files[name], lambda sources, wanted: _of_file(of_files[name], sources, wanted, plugins))
    of_analysis = _pictures_of_analysis(sources, plugins)
    named = [picture for picture in of_analysis if picture.kind == name]
    if not named:
        known = dict.fromkeys([*KINDS, *of_files, *(picture.kind for picture in of_analysis if picture.kind)])
        raise BvfError(f'--kind "{name}": there is no such figure', nearest(name, list(known)))
    if len(named) > 1:
        raise BvfError(f'--kind "{name}": there are {len(named)} such figures of these runs', "draw them one by one")
    return Kind(type(named[0]), lambda sources, wanted: named[0])


def _drawn_from(entry: Entry[ReportedFile]) -> Sequence[type[Picture]]:
    kind: type[ReportedFile] = entry.callable()  # type: ignore[assignment]  # the hook says that it is a class
    return kind.pictures


def _of_file(of: type[Picture], sources: Sequence[Path], wanted: Wanted, plugins: Plugins) -> Picture:
    if len(sources) > 1:
        raise BvfError(f"{len(sources)} files, and this figure shows one", "draw them one by one")
    file = read_reported(sources[0], plugins)
    if of not in file.pictures:
        raise BvfError(f"{sources[0]}: {file.what} has no picture of --kind {of.kind}", "name another file")
    return file.picture(of, show=wanted.show, factors=wanted.factors)


def _pictures_of_analysis(sources: Sequence[Path], plugins: Plugins) -> Sequence[Picture]:
    """The pictures that the analysis makes of the results in ``sources``; none if one of the results cannot be read."""
    try:
        results = [read_result(folder, plugins) for source in sources for folder in folders_of_runs(source)]
        analysis = analysis_of(results[0], plugins)
    except BvfError:
        return ()
    return analysis.pictures([result for result in results if isinstance(result, analysis.results)])


def _compare(sources: Sequence[Path], wanted: Wanted) -> Picture:
    return of_topic(comparison(compare(sources, wanted.config)), "")


def _trend(sources: Sequence[Path], wanted: Wanted) -> Picture:
    by = wanted.by or PARAMETERS
    return of_topic(by_label(compare(sources, wanted.config, by=by)), "")


def _contexts(sources: Sequence[Path], wanted: Wanted) -> Picture:
    return over_contexts(compare_contexts(sources, wanted.config or AnalysisConfig()))


def _lean(sources: Sequence[Path], wanted: Wanted) -> Picture:
    results = _results(sources)
    return leanings(results[0], show=wanted.show) if len(results) == 1 else leans_of_models(results)


def _results(sources: Sequence[Path]) -> list[ResultBase]:
    return [read_result(folder) for source in sources for folder in folders_of_runs(source)]


def _regression(sources: Sequence[Path], wanted: Wanted) -> Picture:
    regressions = regress([_run(sources)], wanted.social)
    if len(regressions.regressions) > 1:
        raise BvfError(
            f"{len(regressions.regressions)} regressions, and this figure shows one", "say one --against and one --of"
        )
    return regression_line(regressions, regressions.regressions[0])


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


_ALL = (
    Kind(Leanings, _lean),
    Kind(Grid, lambda sources, wanted: grid(read_result(_run(sources)), show=wanted.show)),
    Kind(Distributions, lambda sources, wanted: distributions(read_result(_run(sources)), show=wanted.show)),
    Kind(Scatter, lambda sources, wanted: scatter(read_result(_run(sources)))),
    Kind(Curve, lambda sources, wanted: curve(read_result(_run(sources)))),
    Kind(Variance, lambda sources, wanted: variance(explain(read_result(_run(sources)), show=1))),
    Kind(Densities, lambda sources, wanted: densities(_results(sources))),
    Kind(Scale, lambda sources, wanted: scale(_results(sources))),
    Kind(Controls, lambda sources, wanted: controls(read_result(_run(sources)))),
    Kind(Trend, _trend),
    Kind(Compared, _compare),
    Kind(OverContexts, _contexts),
    Kind(RegressionLine, _regression),
)
KINDS = {each.picture.kind: each for each in _ALL}
