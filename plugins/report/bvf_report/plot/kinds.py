"""The kinds of figures that ``bvf plot`` draws, by name, and their makers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from bvf_insights.contexts.analysis import compare_contexts
from bvf_insights.contexts.pictures import OverContexts, over_contexts
from bvf_insights.explain.analysis import explain_risk
from bvf_insights.explain.pictures.frames import FrameEffects, frame_effects
from bvf_insights.explain.pictures.variance import Variance, variance
from bvf_insights.measures.analysis import compare_measures
from bvf_insights.measures.pictures import Measures, measures
from bvf_insights.regress.analysis import regress
from bvf_insights.regress.config import RegressConfig
from bvf_insights.regress.pictures import RegressionLine, regression_line

from bvf.analyses.compare.analysis import compare
from bvf.analyses.compare.labels import PARAMETERS
from bvf.analyses.risk.result import of_risk
from bvf.domain.groups import named_groups
from bvf.domain.measurement import RECORD
from bvf.drawing.sentences import caption_of
from bvf.errors import BvfError, nearest
from bvf.files.parsing import is_file
from bvf.files.run_folders import is_run, lost_record
from bvf.hooks.loader import Plugins, load
from bvf.hooks.registry import Entry
from bvf.interfaces.picture import Picture
from bvf.interfaces.reported_file import ReportedFile
from bvf.results.compatible import in_words, method, refuse_mixed
from bvf.results.footnotes import in_short, not_of_the_run, not_the_own
from bvf.results.names import names_of
from bvf.results.plugin_files import read_reported, reported_in
from bvf.results.result import ResultBase
from bvf.results.store import analysis_of
from bvf.running.run import result_in
from bvf.study.config import AnalysisConfig
from bvf.study.found import folders_of_runs
from bvf_report.pictures.compare.compared import Compared, comparison
from bvf_report.pictures.compare.pairs import by_label
from bvf_report.pictures.compare.said import Said, refuse_none, said
from bvf_report.pictures.compare.trend import Trend
from bvf_report.pictures.controls import Controls, controls
from bvf_report.pictures.risk.curve import Curve, curve
from bvf_report.pictures.risk.densities import Densities, densities
from bvf_report.pictures.risk.distributions import Distributions, distributions
from bvf_report.pictures.risk.grid import Grid, grid
from bvf_report.pictures.risk.leanings import Leanings, leanings
from bvf_report.pictures.risk.leans_of_models import leans_of_models
from bvf_report.pictures.risk.scale import doubts_of_controls
from bvf_report.pictures.risk.scatter import Scatter, scatter
from bvf_report.plot.figures import SHOWN, of_topic


@dataclass(frozen=True)
class Wanted:
    """The options of ``bvf plot`` that determine the content of figures.

    Args:
        config: Choices of the analysis (criterion, p*, ...) that differ from those of the run's own analysis.
        show: Number of groups or levels to show; 0: all.
        by: The label of a trend or of pairs; empty: the number of parameters of models.
        factors: Factors to show in a picture of a file; if fewer are given than needed, the first ones of the file.
        social: Configuration of regressions on social factors.
        plugins: Where analyses and criteria are looked up; None: what is installed.
    """

    config: AnalysisConfig = field(default_factory=AnalysisConfig)
    show: int = SHOWN
    by: str = ""
    factors: tuple[str, ...] = ()
    social: RegressConfig | None = None
    plugins: Plugins | None = None

    def results(self, sources: Sequence[Path]) -> list[ResultBase]:
        """Return the results of all runs in some folders."""
        plugins = self.plugins or load()
        folders = [folder for source in sources for folder in folders_of_runs(source)]
        return [result_in(folder, self.config, plugins) for folder in folders]

    def result(self, sources: Sequence[Path]) -> ResultBase:
        """Return the result of the only run. Several runs raise `BvfError`."""
        (result,) = self.results([_run(sources)])
        return result


class Made(NamedTuple):
    """A picture, and sentences for its caption: the analysis, if it is not the run's own, and what is doubtful."""

    picture: Picture
    about: str = ""


@dataclass(frozen=True)
class Kind:
    """A kind of figure, one value of ``--kind``.

    Args:
        picture: The class of its pictures, which has the name and the title of the kind.
        made: A function that makes such a picture from folders of runs, or from files.
    """

    picture: type[Picture]
    made: Callable[[Sequence[Path], Wanted], Made]


def kind_of(name: str, sources: Sequence[Path], wanted: Wanted) -> Kind:
    """Return a kind of figure by name: of bvf, of a plugin's files, or of the analysis that made the results.

    Args:
        name: Name of the kind.
        sources: Folders of runs, or a file.
        wanted: Options of the figure.

    Raises:
        BvfError: There is no such kind, a file of a plugin has no picture of it, or the analysis makes several
            pictures of this kind for these results.
    """
    plugins = wanted.plugins or load()
    if name in KINDS:
        if name != Measures.kind:
            _refuse_files(name, sources, plugins)
        return KINDS[name]
    of_files = {each.kind: each for entry in plugins.files for each in _drawn_from(entry) if each.kind}
    if name in of_files:
        return Kind(of_files[name], lambda sources, wanted: _of_file(of_files[name], sources, wanted, plugins))
    results, of_analysis = _pictures_of_analysis(name, sources, replace(wanted, plugins=plugins))
    named = [picture for picture in of_analysis if picture.kind == name]
    if not named:
        known = dict.fromkeys([*KINDS, *of_files, *(picture.kind for picture in of_analysis if picture.kind)])
        raise BvfError(f'--kind "{name}": there is no such figure', nearest(name, list(known)))
    if len(named) > 1:
        raise BvfError(f'--kind "{name}": there are {len(named)} such figures of these runs', "draw them one by one")
    return Kind(type(named[0]), lambda sources, wanted: Made(named[0].with_ends(wanted.show), _about(results)))


def _drawn_from(entry: Entry[ReportedFile]) -> Sequence[type[Picture]]:
    kind: type[ReportedFile] = entry.callable()  # type: ignore[assignment]  # the hook says that it is a class
    return kind.pictures


def _of_file(of: type[Picture], sources: Sequence[Path], wanted: Wanted, plugins: Plugins) -> Made:
    if len(sources) > 1:
        raise BvfError(f"{len(sources)} files, and this figure shows one", "draw them one by one")
    file = read_reported(reported_in(sources[0], plugins) or sources[0], plugins)
    if of not in file.pictures:
        raise _not_drawn(sources[0], file, of.kind)
    return Made(file.picture(of, show=wanted.show, factors=wanted.factors))


def _refuse_files(name: str, sources: Sequence[Path], plugins: Plugins) -> None:
    """Refuse files of plugins where the figure is one of runs."""
    for source in sources:
        file = reported_in(source, plugins)
        if file is not None:
            raise _not_drawn(source, read_reported(file, plugins), name)


def _not_drawn(source: Path, file: ReportedFile, kind: str) -> BvfError:
    kinds = [each.kind for each in file.pictures if each.kind]
    message = f"{source}: --kind {kind} is not drawn from this kind of file ({file.what})"
    return BvfError(message, nearest(kind, kinds))


def _pictures_of_analysis(
    name: str, sources: Sequence[Path], wanted: Wanted
) -> tuple[list[ResultBase], Sequence[Picture]]:
    """The results, and the pictures that their analysis makes of them. Both are empty for a file of a plugin.

    Results of several topics are refused, unless ``name`` is that of a picture of several topics.
    """
    plugins = wanted.plugins or load()
    if any(reported_in(source, plugins) is not None for source in sources):
        return [], ()
    results = wanted.results(sources)
    analysis = analysis_of(results[0], plugins)
    refuse_mixed(results, "draw them one by one", method)
    of_topics = analysis.pictures_of_topics(results)
    if any(picture.kind == name for picture in of_topics):
        return results, of_topics
    refuse_mixed(results, "draw them one by one")
    return results, [*of_topics, *analysis.pictures(results)]


def _of_result(picture: type[Picture], draw: Callable[[ResultBase, Wanted], Picture]) -> Kind:
    """A kind of figure of one run."""

    def made(sources: Sequence[Path], wanted: Wanted) -> Made:
        result = wanted.result(sources)
        return Made(draw(result, wanted), _about([result]))

    return Kind(picture, made)


def _about(results: Sequence[ResultBase]) -> str:
    """Sentences on how results were analysed, where that is not the run's own analysis, and on their warnings."""
    names = names_of(results)
    analysed = not_of_the_run(results) if len(results) > 1 else [not_the_own(results[0])]
    doubts = {name: result.warnings for name, result in zip(names, results, strict=True)}
    return caption_of(*analysed, in_short(doubts))


def _curve(sources: Sequence[Path], wanted: Wanted) -> Made:
    """The curve of the group that ``--groups`` names, in the analysis of all groups."""
    of_all = replace(wanted, config=wanted.config.model_copy(update={"groups": ()}))
    result = of_all.result(sources)
    names = named_groups(wanted.config.groups, [each.group for each in result.groups], "of the result")
    if len(names) > 1:
        raise BvfError(f"--groups names {len(names)} groups, and a curve shows one", "draw them one by one")
    return Made(curve(result, *names, plugins=wanted.plugins), _about([result]))


def _compare(sources: Sequence[Path], wanted: Wanted) -> Made:
    compared = compare(sources, wanted.config, plugins=wanted.plugins, by=wanted.by)
    return Made(of_topic(comparison(compared), ""), _of_compared(sources, wanted))


def _said(sources: Sequence[Path], wanted: Wanted) -> Made:
    compared = compare(sources, wanted.config, plugins=wanted.plugins)
    return Made(of_topic(refuse_none(said(compared)), ""), _of_compared(sources, wanted))


def _trend(sources: Sequence[Path], wanted: Wanted) -> Made:
    by = wanted.by or PARAMETERS
    compared = compare(sources, wanted.config, plugins=wanted.plugins, by=by)
    return Made(of_topic(by_label(compared), ""), _of_compared(sources, wanted))


def _lean(sources: Sequence[Path], wanted: Wanted) -> Made:
    results = wanted.results(sources)
    if len(results) > 1:
        return Made(leans_of_models(results), _about(results))
    (result,) = results
    return Made(leanings(result, show=wanted.show), _about(results))


def _densities(sources: Sequence[Path], wanted: Wanted) -> Made:
    results = wanted.results(sources)
    return Made(densities(results), _about(results))


def _contexts(sources: Sequence[Path], wanted: Wanted) -> Made:
    picture = over_contexts(compare_contexts(sources, wanted.config, plugins=wanted.plugins))
    return Made(picture, _of_compared(sources, wanted))


def _measures(sources: Sequence[Path], wanted: Wanted) -> Made:
    compared = compare_measures(sources, wanted.config, plugins=wanted.plugins)
    given = wanted.config.given()
    about = f"All analysed by: {in_words(given)}." if given else ""
    return Made(measures(compared, *wanted.factors[:1]), caption_of(about, in_short({"": compared.warnings})))


def _of_compared(sources: Sequence[Path], wanted: Wanted) -> str:
    """Sentences on the choices that the options of a comparison make for all runs, and on the warnings of the runs."""
    given, results = wanted.config.given(), wanted.results(sources)
    doubts = {name: result.warnings for name, result in zip(names_of(results), results, strict=True)}
    return caption_of(f"All analysed by: {in_words(given)}." if given else "", in_short(doubts))


def _controls(sources: Sequence[Path], wanted: Wanted) -> Made:
    result = wanted.result(sources)
    return Made(controls(result), caption_of(_about([result]), in_short(doubts_of_controls(of_risk([result])))))


def _regression(sources: Sequence[Path], wanted: Wanted) -> Made:
    result = wanted.result(sources)
    regressions = regress([result], wanted.social, plugins=wanted.plugins)
    if len(regressions.regressions) > 1:
        raise BvfError(
            f"{len(regressions.regressions)} regressions, and this figure shows one", "give one --against and one --of"
        )
    return Made(regression_line(regressions, regressions.regressions[0]), _about([result]))


def _run(sources: Sequence[Path]) -> Path:
    if len(sources) > 1:
        raise BvfError(
            f"{len(sources)} runs, and this figure shows one", "draw them one by one, or with --kind scale or compare"
        )
    return _checked_run(sources[0])


def _checked_run(source: Path) -> Path:
    if not is_file(source / RECORD) and is_run(source):
        raise lost_record(source)
    if not is_file(source / RECORD):
        raise BvfError(f"{source}: not the folder of a run", "name a folder that bvf run has written")
    return source


_ALL = (
    Kind(Leanings, _lean),
    _of_result(Grid, lambda result, wanted: grid(result, show=wanted.show)),
    _of_result(Distributions, lambda result, wanted: distributions(result, show=wanted.show)),
    _of_result(Scatter, lambda result, wanted: scatter(result)),
    _of_result(Variance, lambda result, wanted: variance(explain_risk(result, show=1, plugins=wanted.plugins))),
    _of_result(
        FrameEffects, lambda result, wanted: frame_effects(explain_risk(result, show=1, plugins=wanted.plugins))
    ),
    Kind(Curve, _curve),
    Kind(Densities, _densities),
    Kind(Controls, _controls),
    Kind(Trend, _trend),
    Kind(Compared, _compare),
    Kind(Said, _said),
    Kind(OverContexts, _contexts),
    Kind(Measures, _measures),
    Kind(RegressionLine, _regression),
)
KINDS = {each.picture.kind: each for each in _ALL}
