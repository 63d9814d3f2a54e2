"""Figures of results. Each function draws one kind of figure and returns its axes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from bvf_insights.contexts.pictures import over_contexts
from bvf_insights.contexts.result import ContextComparison
from bvf_insights.explain.pictures.frames import frame_effects
from bvf_insights.explain.pictures.variance import variance as variance_of
from bvf_insights.explain.result import Explanation
from bvf_insights.measures.pictures import measures as measures_of
from bvf_insights.measures.result import MeasureComparison
from bvf_insights.regress.pictures import regression_line
from bvf_insights.regress.result import Regressions
from bvf_knowledge.pictures.certainty import certainty as certainty_of
from bvf_knowledge.pictures.confidence import confidence as confidence_of
from bvf_knowledge.pictures.mastery import mastery as mastery_of
from bvf_knowledge.pictures.subjects import subjects as subjects_of
from bvf_knowledge.pictures.wordings import wordings as wordings_of

from bvf.analyses.compare.result import Comparison
from bvf.errors import BvfError
from bvf.interfaces.picture import Columns, Picture
from bvf.results.result import ResultBase
from bvf_report.pictures.compare.compared import Compared, comparison
from bvf_report.pictures.compare.pairs import Pairs, by_label
from bvf_report.pictures.compare.said import Said, refuse_none
from bvf_report.pictures.compare.said import said as said_of
from bvf_report.pictures.compare.trend import Trend
from bvf_report.pictures.controls import controls as controls_of
from bvf_report.pictures.risk.curve import curve as curve_of
from bvf_report.pictures.risk.densities import densities
from bvf_report.pictures.risk.distributions import distributions
from bvf_report.pictures.risk.grid import grid
from bvf_report.pictures.risk.leanings import leanings
from bvf_report.pictures.risk.leans_of_models import leans_of_models
from bvf_report.pictures.risk.scale import scale as scale_of
from bvf_report.pictures.risk.scatter import scatter as scatter_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

T = TypeVar("T", bound=Compared | Said | Trend | Pairs)
SHOWN = 24
"""Default number of groups that are shown: half of them the first, half the last in their order."""


def lean(
    result: ResultBase | Sequence[ResultBase],
    ax: "Axes | None" = None,
    *,
    rank: str | None = None,
    show: int = SHOWN,
    columns: Columns = 1,
) -> "Axes":
    """Draw a row per group with its lean E_c[p] - p*. Several results give a box plot per model (Figure 5).

    Args:
        result: A risk result, or several of one topic.
        ax: Axes to draw on; None: those of a new figure.
        rank: Order of groups: ``lean``, ``risk``, ``bias``, ``volatility`` or ``particular``; None: ``lean``.
        show: Number of groups: half of them the first, half the last in their order; 0: all. For one result.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: The result has no such picture, or matplotlib or a font is not installed.
    """
    picture = leanings(result, rank, show) if isinstance(result, ResultBase) else leans_of_models(result)
    return _drawn(picture, ax, columns)


def density(results: ResultBase | Sequence[ResultBase], ax: "Axes | None" = None, *, columns: Columns = 1) -> "Axes":
    """Draw densities over groups of r^b (bias risk) and r^v (volatility risk), a row per model (Figures 10 and 16).

    Args:
        results: One risk result, or several of the same topic, criterion and scale.
        ax: Axes to draw on; None: those of a new figure.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: Results are not of risk, or differ in topic, criterion or scale; or matplotlib or a font is missing.
    """
    return _drawn(densities([results] if isinstance(results, ResultBase) else results), ax, columns)


def curve(result: ResultBase, ax: "Axes | None" = None, *, group: str = "", columns: Columns = 1) -> "Axes":
    """Draw the criterion J over the probability of the first of two classes, and r, r^b (bias), r^v of one group.

    Args:
        result: A risk result of two classes.
        ax: Axes to draw on; None: those of a new figure.
        group: Name of the group; empty: the one with the largest r^v.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: There is no such group, it is not a risk result of two classes, or matplotlib or a font is missing.
    """
    return _drawn(curve_of(result, group), ax, columns)


def heatmap(result: ResultBase, ax: "Axes | None" = None, *, show: int = SHOWN, columns: Columns = 2) -> "Axes":
    """Draw a matrix of groups (rows) and contexts (columns): hue is the class leaned to, intensity how far (Figure 11).

    Args:
        result: A risk result.
        ax: Axes to draw on; None: those of a new figure.
        show: Number of groups: half of them the first, half the last in their order; 0: all.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: It is not a risk result, its folder is gone, or matplotlib or a font is not installed.
    """
    return _drawn(grid(result, show=show), ax, columns)


def distribution(
    result: ResultBase,
    ax: "Axes | None" = None,
    *,
    groups: Sequence[str] | None = None,
    show: int = SHOWN,
    columns: Columns = 1,
) -> "Axes":
    """Draw the distribution over contexts of the class probabilities p(y | x, c), a row per group.

    Args:
        result: A risk result.
        ax: Axes to draw on; None: those of a new figure.
        groups: Names of groups in the order of the rows; None: see ``show``.
        show: If ``groups`` is None, the number of groups: half the first, half the last in their order; 0: all.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: It is not a risk result, lacks such a group, its folder is gone, or matplotlib or a font is missing.
    """
    return _drawn(distributions(result, groups, show), ax, columns)


def scatter(result: ResultBase, ax: "Axes | None" = None, *, columns: Columns = 1) -> "Axes":
    """Draw a point per group: r^v (volatility risk, vertical) against r^b (bias risk, horizontal).

    Args:
        result: A risk result.
        ax: Axes to draw on; None: those of a new figure.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: It is not a risk result, or matplotlib or a font is not installed.
    """
    return _drawn(scatter_of(result), ax, columns)


def confidence(results: ResultBase | Sequence[ResultBase], ax: "Axes | None" = None, *, columns: Columns = 1) -> "Axes":
    """Draw, for each model, the share of subjects that it answers rightly in at least a share of wordings.

    Args:
        results: One result of knowledge, or several of the same criterion; relations of a model are taken together.
        ax: Axes to draw on; None: those of a new figure.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: Results are not of knowledge, or differ in the criterion; or matplotlib or a font is not installed.
    """
    return _drawn(confidence_of([results] if isinstance(results, ResultBase) else results), ax, columns)


def mastery(results: ResultBase | Sequence[ResultBase], ax: "Axes | None" = None, *, columns: Columns = 1) -> "Axes":
    """Draw a point per relation and model: the confidence gap (vertical) against mastery (horizontal).

    Args:
        results: One result of knowledge, or several of the same criterion, of any relations.
        ax: Axes to draw on; None: those of a new figure.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: Results are not of knowledge, or differ in the criterion; or matplotlib or a font is not installed.
    """
    return _drawn(mastery_of([results] if isinstance(results, ResultBase) else results), ax, columns)


def subjects(result: ResultBase, ax: "Axes | None" = None, *, show: int = SHOWN, columns: Columns = 1) -> "Axes":
    """Draw a row per subject with its mastery, best known first, and the wrong answer that a model gives.

    Args:
        result: A result of knowledge.
        ax: Axes to draw on; None: those of a new figure.
        show: Number of subjects: half of them the first, half the last in their order; 0: all.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: It is not a result of knowledge, or matplotlib or a font is not installed.
    """
    return _drawn(subjects_of(result).with_ends(show), ax, columns)


def certainty(result: ResultBase, ax: "Axes | None" = None, *, show: int = SHOWN, columns: Columns = 1) -> "Axes":
    """Draw a row per subject with the distribution over wordings of the probability of its true answer.

    Args:
        result: A result of knowledge.
        ax: Axes to draw on; None: those of a new figure.
        show: Number of subjects: half of them the first, half the last in their order; 0: all.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: It is not a result of knowledge, its folder is gone, or matplotlib or a font is not installed.
    """
    return _drawn(certainty_of(result).with_ends(show), ax, columns)


def wordings(result: ResultBase, ax: "Axes | None" = None, *, show: int = SHOWN, columns: Columns = 2) -> "Axes":
    """Draw a matrix of subjects (rows) and wordings (columns), darker for a more probable true answer.

    Args:
        result: A result of knowledge.
        ax: Axes to draw on; None: those of a new figure.
        show: Number of subjects: half of them the first, half the last in their order; 0: all.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: It is not a result of knowledge, its folder is gone, or matplotlib or a font is not installed.
    """
    return _drawn(wordings_of(result).with_ends(show), ax, columns)


def variance(explanation: Explanation, ax: "Axes | None" = None, *, columns: Columns = 1) -> "Axes":
    """Draw variance components of the predictions p(y | x, c), placebo shares, and split-half reliabilities.

    A placebo share is the fraction of variance or volatility that is due to harmless swaps of words.

    Args:
        explanation: The result of `bvf.explain`.
        ax: Axes to draw on; None: those of a new figure.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: The variance is 0, or matplotlib or a font is not installed.
    """
    return _drawn(variance_of(explanation), ax, columns)


def frames(explanation: Explanation, ax: "Axes | None" = None, *, columns: Columns = 1) -> "Axes":
    """Draw how R, R^b (bias) and R^v (volatility) differ between levels of frames, such as two years.

    Args:
        explanation: The result of `bvf.explain` on a run with contexts by ``bvf contexts frame``.
        ax: Axes to draw on; None: those of a new figure.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: The contexts are not templates in frames, or matplotlib or a font is not installed.
    """
    return _drawn(frame_effects(explanation), ax, columns)


def scale(results: ResultBase | Sequence[ResultBase], ax: "Axes | None" = None, *, columns: Columns = 1) -> "Axes":
    """Draw a row per model with R (risk), R^b (its bias) and R^v (its volatility), below rows of reference models.

    Args:
        results: One risk result, or several of the same criterion and scale.
        ax: Axes to draw on; None: those of a new figure.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: Results are on different scales or are not risk results, or matplotlib or a font is not installed.
    """
    return _drawn(scale_of([results] if isinstance(results, ResultBase) else results), ax, columns)


def compare(compared: Comparison, ax: "Axes | None" = None, *, topic: str = "", columns: Columns = 1) -> "Axes":
    """Draw a row per model: R, R^b (bias) and R^v (volatility) in the common contexts, and the possible ranks by R.

    Args:
        compared: The result of `bvf.compare`.
        ax: Axes to draw on; None: those of a new figure.
        topic: The name of one of its topics; empty: there is only one.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: There are several topics and none is named, no such topic, or matplotlib or a font is not installed.
    """
    return _drawn(of_topic(comparison(compared), topic), ax, columns)


def said(compared: Comparison, ax: "Axes | None" = None, *, topic: str = "", columns: Columns = 1) -> "Axes":
    """Draw a point per group: its lean by the texts of a model (vertical) against that by probable words (horizontal).

    Args:
        compared: The result of `bvf.compare` on two runs, one of which has generated texts.
        ax: Axes to draw on; None: those of a new figure.
        topic: The name of one of its topics; empty: there is only one.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: There are no two such runs, there are several topics and none is named, or matplotlib or a font is
            not installed.
    """
    return _drawn(of_topic(refuse_none(said_of(compared)), topic), ax, columns)


def controls(result: ResultBase, ax: "Axes | None" = None, *, columns: Columns = 1) -> "Axes":
    """Draw R, and the total variation of groups from their mean, for a topic and its control topics.

    Each figure is a dot for the whole topic, and a stroke for each group.

    Args:
        result: A risk result with controls.
        ax: Axes to draw on; None: those of a new figure.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: It is not a risk result or has no controls, or matplotlib or a font is not installed.
    """
    return _drawn(controls_of(result), ax, columns)


def contexts(compared: ContextComparison, ax: "Axes | None" = None, *, columns: Columns = 1) -> "Axes":
    """Draw the risk R of models over context sets, and the distance of each set from the first (Table 4).

    Args:
        compared: The result of `bvf_insights.contexts.analysis.compare_contexts`.
        ax: Axes to draw on; None: those of a new figure.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: matplotlib or a font is not installed.
    """
    return _drawn(over_contexts(compared), ax, columns)


def measures(compared: MeasureComparison, ax: "Axes | None" = None, *, score: str = "", columns: Columns = 1) -> "Axes":
    """Draw a point per group of people: the score of a benchmark (vertical) against the lean of a model (horizontal).

    Args:
        compared: The result of `bvf_insights.measures.analysis.compare_measures`.
        ax: Axes to draw on; None: those of a new figure.
        score: Name of the score; empty: the first of those that most groups have.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: No group has a lean and this score; or matplotlib or a font is not installed.
    """
    return _drawn(measures_of(compared, score), ax, columns)


def trend(
    compared: Comparison, ax: "Axes | None" = None, *, by: str = "", topic: str = "", columns: Columns = 1
) -> "Axes":
    """Draw R, R^b (bias) and R^v (volatility) of models against a label of their runs; for two values, pairs of runs.

    Args:
        compared: The result of `bvf.compare`.
        ax: Axes to draw on; None: those of a new figure.
        by: The label, or ``parameters``; empty: the label by which runs were compared.
        topic: The name of one of its topics; empty: there is only one.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: There are several topics and none is named, the label has three or more values and not all are
            numbers, or matplotlib or a font is not installed.
    """
    return _drawn(of_topic(by_label(compared, by), topic), ax, columns)


def regression(regressions: Regressions, ax: "Axes | None" = None, *, number: int = 0, columns: Columns = 1) -> "Axes":
    """Draw a figure of groups, such as r, against a social factor, and the regression line (Figures 9 and 12 to 15).

    Args:
        regressions: The result of `bvf.regress`.
        ax: Axes to draw on; None: those of a new figure.
        number: Index of one of its regressions, from 0.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: There is no such regression, or matplotlib or a font is not installed.
    """
    if not 0 <= number < len(regressions.regressions):
        raise BvfError(f"there is no regression {number}", f"there are {len(regressions.regressions)}, from 0")
    return _drawn(regression_line(regressions, regressions.regressions[number]), ax, columns)


def of_topic(pictures: Sequence[T], topic: str) -> T:
    """Return the picture of a topic.

    Args:
        pictures: Pictures of different topics.
        topic: The name of the topic; empty: there is only one picture.

    Raises:
        BvfError: There are several and none is named, or there is no such topic.
    """
    names = [picture.topic for picture in pictures]
    if not topic and len(pictures) > 1:
        raise BvfError(f"there are {len(pictures)} topics: {', '.join(names)}", "draw them one by one")
    if topic and topic not in names:
        raise BvfError(f"there is no topic {topic}", f"there are {', '.join(names)}")
    return pictures[names.index(topic) if topic else 0]


def _drawn(picture: Picture, ax: "Axes | None", columns: Columns) -> "Axes":
    return picture.draw(ax, columns)
