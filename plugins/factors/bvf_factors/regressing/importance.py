"""Which levels of factors make a model deviate: a regression of the outcome on all factors, with intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field
from scipy.sparse import coo_array
from scipy.stats import f as fisher

from bvf import BvfError
from bvf.domain import Amount, Count, Finite, Level, Record, Share, checked_number
from bvf.stats import BoolArray, FloatArray, IntArray, holm, student_quantile, student_tail
from bvf_factors.clusters import effective_clusters, few_clusters
from bvf_factors.reading.table import Table
from bvf_factors.regressing.model_matrix import Column, ModelMatrix, model_matrix, refuse_aliases
from bvf_factors.regressing.regression import Fit, Grouped, linear_fit, logistic_fit
from bvf_factors.stats.logistic import joint_statistic

if TYPE_CHECKING:
    import pandas as pd


class LevelEffect(Record):
    """How much more a model deviates at a level than at the reference, all other factors being the same."""

    term: str = Field(description="The factor, or the two of an interaction, such as `stigma : gender`")
    level: str
    reference: str = Field(description="The level that it is compared with")
    rows: Count = Field(description="Of the level")
    clusters: Count = Field(description="In which the level is")
    mean: Finite = Field(description="Share of its rows that deviate, or the mean of their outcome")
    coefficient: Finite = Field(description="Log odds ratio (natural), or difference of means for a linear regression")
    error: Finite | None = Field(description="Standard error; null: nothing tells it")
    freedom: Amount = Field(
        description="Of t: Kish's number of clusters in which it is, or its reference if that is smaller, less one"
    )
    low: Finite | None = Field(description="Lower end of its interval")
    high: Finite | None = Field(description="Upper end")
    p_value: Share | None = Field(description="Two-sided, by t")
    adjusted_p: Share | None = Field(description="By Holm, over all levels that are tested")
    separated: bool = Field(
        description="Its plain estimate is infinite, as no row or every row deviates: coefficient and error are Firth's"
    )
    undefined: str = Field("", description="Why there is no error")


class TermTest(Record):
    """Whether all levels of a term together differ from its reference: Wald's test, as Hotelling's F."""

    term: str
    reference: str
    levels: Count = Field(description="How many are tested together: the numerator's degrees of freedom")
    freedom: Amount | None = Field(
        description="The denominator's: clusters - levels, where clusters are the fewest of any level, by Kish's number"
    )
    statistic: Finite | None = Field(description="F; null: it is not defined")
    p_value: Share | None
    undefined: str = Field("", description="Why there is none")


class Importance(Record):
    """Effects of levels, tests of factors, and the regression behind both."""

    title: str
    method: str = Field(description="The regression that was fitted")
    converged: bool = Field(description="Always true: a regression that does not converge is refused")
    level: Level = Field(description="Of the intervals")
    rows: Count
    cluster: str = Field(description="The column whose values are clusters; empty: every row is one")
    clusters: Count
    rough: str = Field(description="Why p values are rough; empty: they are not")
    intercept: Finite = Field(description="Log odds, or mean, where every factor has its reference")
    effects: tuple[LevelEffect, ...]
    tests: tuple[TermTest, ...]
    empty: tuple[str, ...] = Field(description="Combinations of interactions that are in no row")

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per effect."""
        import pandas as pd

        return pd.DataFrame([effect.model_dump() for effect in self.effects], columns=list(LevelEffect.model_fields))


def importance(
    table: Table,
    factors: Sequence[str] | None = None,
    interactions: Sequence[tuple[str, str]] = (),
    level: float = 0.95,
    firth: bool | None = None,
) -> Importance:
    """Return which levels of factors make a model deviate.

    The regression is logistic, or linear where the outcome is a number, with reference coding. Errors allow for rows of
    a cluster that are dependent (Liang and Zeger 1986); without clusters, rows are independent. Intervals use t with
    one degree of freedom less than Kish's number of clusters of the level, or of its reference if that is smaller:
    with G - 1, 95 % intervals of a level in 4 of 37 clusters hold the truth in 86 % of cases
    (docs/evidence/factors/planted.json). Coefficients are averages over clusters, not the effect in a single one.

    Pairs of factors in ``interactions`` have effects of their own. ``firth`` says whether Firth's penalty is taken;
    None: where levels separate the outcomes.
    """
    checked_number(level, Level, "--level")
    outcome, matrix = table.deviations(), model_matrix(table, factors, interactions)
    refuse_aliases(table, matrix)
    if firth and table.is_number:
        raise BvfError("Firth's penalty is for outcomes of yes and no, and this one is a number", "leave it out")
    data = Grouped(matrix.values, matrix.pattern, outcome, table.clusters)
    support = _Support.of(table, matrix)
    fit = linear_fit(data) if table.is_number else logistic_fit(data, firth)
    few = few_clusters(support.number, table.effective, table.cluster)
    return Importance(
        title=table.title,
        method=fit.method,
        converged=True,
        level=level,
        rows=table.rows,
        cluster=table.cluster,
        clusters=support.number,
        rough=f"{few}: p values and intervals are rough" if few else "",
        intercept=float(fit.coefficients[0]),
        effects=_effects(table, matrix, fit, support, level),
        tests=tuple(_test(table, matrix, fit, support, term) for term in matrix.terms),
        empty=tuple(column.name for column in matrix.empty),
    )


@dataclass(frozen=True)
class _Support:
    """The data for estimating the error of each column, shape (K,) each."""

    number: int  # G, the number of clusters
    rows: IntArray  # the number of rows in which each column is 1
    clusters: IntArray  # the number of clusters in which each column is 1
    means: FloatArray  # mean outcome of the rows in which each column is 1
    # degrees of freedom: Kish's number of clusters of its level or of its reference level, whichever is
    # smaller, minus 1. Below 1, its error cannot be estimated
    freedom: FloatArray

    @property
    def known(self) -> BoolArray:
        """Whether there are clusters enough for an error, shape (K,)."""
        return self.freedom >= 1.0

    @classmethod
    def of(cls, table: Table, matrix: ModelMatrix) -> "_Support":
        clusters = table.clusters
        number = int(clusters.max()) + 1
        sums = np.bincount(matrix.pattern, table.deviations(), len(matrix.values))
        rows = in_clusters = effective = matrix.counts @ matrix.values
        if number < table.rows:
            places, shape = (clusters, matrix.pattern), (number, len(matrix.values))
            rows_in = coo_array((np.ones(len(clusters)), places), shape=shape).tocsr()
            of_columns = rows_in @ matrix.values
            in_clusters, effective = (of_columns > 0.0).sum(axis=0), effective_clusters(of_columns.T)
        of_reference = {
            each.name: float(effective_clusters(np.bincount(clusters[each.codes == each.reference])))
            for each in table.factors
        }
        compared = [np.inf, *(min(of_reference[name] for name in column.factors) for column in matrix.columns)]
        freedom = np.minimum(effective, compared) - 1.0
        for factor in table.factors:
            columns = matrix.of_term(factor.name)
            if columns and not (freedom[columns] > 0.0).any() and number > 1:
                raise BvfError(
                    f"levels of {factor.name} are in one {table.cluster or 'row'} each, which does not "
                    "show how much others would differ",
                    f"leave {factor.name} out" + (", or choose another cluster" if table.cluster else ""),
                )
        return cls(number, rows.astype(np.intp), in_clusters.astype(np.intp), sums @ matrix.values / rows, freedom)


def _effects(table: Table, matrix: ModelMatrix, fit: Fit, support: _Support, level: float) -> tuple[LevelEffect, ...]:
    freedom = np.maximum(support.freedom, 1.0)
    reach = student_quantile(0.5 + level / 2.0, freedom)
    known = support.known & fit.varies
    errors = np.sqrt(np.where(known, np.diag(fit.covariance), 1.0))
    p_values = 2.0 * student_tail(np.abs(fit.coefficients) / errors, freedom)
    adjusted = np.full(len(p_values), np.nan)
    adjusted[1:][known[1:]] = holm(p_values[1:][known[1:]])

    cluster = table.cluster or "row"

    def effect(at: int, column: Column) -> LevelEffect:
        value, error, undefined = float(fit.coefficients[at]), float(errors[at]), ""
        if not known[at]:
            undefined = (
                f"nothing varies between values of {cluster} once the other factors are taken into account"
                if support.known[at]
                else f"all or most of its rows, or of its reference's, are of one {cluster}"
            )
        ends = {
            "error": error,
            "low": value - float(reach[at]) * error,
            "high": value + float(reach[at]) * error,
            "p_value": float(p_values[at]),
            "adjusted_p": float(adjusted[at]),
        }
        return LevelEffect(
            term=column.term,
            level=column.level,
            reference=_reference(table, column),
            rows=int(support.rows[at]),
            clusters=int(support.clusters[at]),
            mean=float(support.means[at]),
            coefficient=value,
            freedom=float(support.freedom[at]),
            separated=bool(fit.separated[at]),
            undefined=undefined,
            **(ends if known[at] else dict.fromkeys(ends)),
        )

    return tuple(effect(at, column) for at, column in enumerate(matrix.columns, start=1))


def _test(table: Table, matrix: ModelMatrix, fit: Fit, support: _Support, term: str) -> TermTest:
    columns = [index for index in matrix.of_term(term) if support.known[index] and fit.varies[index]]
    clusters = 1.0 + float(support.freedom[columns].min(initial=support.number - 1))
    freedom = clusters - len(columns)
    undefined = ""
    if not matrix.of_term(term):
        undefined = f"{term}: no row has a level of each that is not its reference, so there is no effect to test"
    elif not columns:
        undefined = "the error of no level can be estimated"
    elif freedom < 1.0:
        undefined = f"{len(columns)} levels cannot be tested together with {clusters:.3g} clusters: it takes more"
    covariance = fit.covariance[np.ix_(columns, columns)]
    if not undefined and np.linalg.matrix_rank(covariance, hermitian=True) < len(columns):
        undefined = f"{clusters:.3g} clusters are too few to estimate how {len(columns)} levels vary together"
    statistic = None if undefined else joint_statistic(fit.coefficients[columns], covariance, clusters)
    return TermTest(
        term=term,
        reference=_reference(table, next(each for each in (*matrix.columns, *matrix.empty) if each.term == term)),
        levels=len(columns),
        freedom=None if undefined else freedom,
        statistic=statistic,
        p_value=None if statistic is None else float(fisher.sf(statistic, len(columns), freedom)),
        undefined=undefined,
    )


def _reference(table: Table, column: Column) -> str:
    factors = [table.factor(name) for name in column.factors]
    return " : ".join(factor.levels[factor.reference] for factor in factors)
