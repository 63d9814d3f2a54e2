"""Checks of criteria of risk and of knowledge."""

from collections.abc import Sequence
from typing import get_args

import numpy as np

from bvf import Criterion, KnowledgeCriterion
from bvf.interfaces import Curvature
from bvf.stats import FloatArray, decompose_risk
from bvf_testing.check import Check, checks_of, require

TOLERANCE = 1e-9
CLASSES = (2, 3, 7)
SHAPES: tuple[tuple[int, ...], ...] = ((), (1,), (6,), (3, 4), (2, 3, 5))


def criterion_checks(criterion: Criterion | KnowledgeCriterion, classes: Sequence[int] = CLASSES) -> list[Check]:
    """Return the checks of a criterion.

    Risk: J(0) = 0, never below 0, curved as ``curvature`` says (Jensen on random stereotypes), sublinear if it says so,
    0 to 1 on the unit scale, each vector on its own, any leading shape and number type, NaN where the stereotype is,
    the argument unchanged, and each p* kept apart from others. Stereotypes are p / p* - 1 of random p and p*; p* is
    uniform throughout for a criterion that ``needs_uniform_reference``.
    Knowledge: J(0) = 0, J(1) = 1, increasing, concave, and the same rules of shape.

    Args:
        criterion: What its provider makes; if it depends on the name of a class: what its ``for_classes`` returns.
        classes: Numbers of classes to try; after ``for_classes``, the number of names that it was given.
    """
    if isinstance(criterion, KnowledgeCriterion):
        return checks_of(KNOWLEDGE_CHECKS, criterion)
    return checks_of(RISK_CHECKS, criterion, tuple(classes))


def zero_at_the_reference(criterion: Criterion, classes: Sequence[int]) -> None:
    """J(0) = 0: a model that predicts p* has no risk."""
    for count in classes:
        J, _ = random_case(criterion, (3,), count)
        j = J(np.zeros((3, count)))
        message = f"J is {j.max():g}, not 0, at s = 0 with {count} classes: p = p* has no risk"
        require(np.abs(j).max() <= TOLERANCE, message)


def never_negative(criterion: Criterion, classes: Sequence[int]) -> None:
    """J >= 0 everywhere."""
    for count in classes:
        J, s = random_case(criterion, (500,), count)
        j = J(s)
        require(j.min() >= -TOLERANCE, f"J falls to {j.min():g} with {count} classes: a risk is 0 or more")


def curvature_holds(criterion: Criterion, classes: Sequence[int]) -> None:
    """Jensen: the mean of a convex J is never below J of the mean, that of a concave one never above."""
    known = get_args(Curvature)
    require(criterion.curvature in known, f'curvature is "{criterion.curvature}", none of {", ".join(known)}')
    if criterion.curvature == "neither":
        return
    for count in classes:
        J, pairs = random_case(criterion, (2000, 2), count)
        gap = J(pairs).mean(axis=1) - J(pairs.mean(axis=1, keepdims=True))[:, 0]
        worst = (gap if criterion.curvature == "convex" else -gap).min()
        require(
            worst >= -TOLERANCE,
            f"not {criterion.curvature}: the mean of J and J of the mean are {-worst:.3g} apart the wrong way with "
            f'{count} classes; a wrong "curvature" lets R^v fall below 0',
        )


def sublinear_holds(criterion: Criterion, classes: Sequence[int]) -> None:
    """J(a s) = a J(s) for a >= 0, and J(s + t) <= J(s) + J(t), for stereotypes and their differences."""
    if not criterion.sublinear:
        return
    for count in classes:
        J, pairs = random_case(criterion, (2000, 2), count)
        s, t = pairs[:, :1] - pairs[:, 1:], pairs[:, 1:]
        over = (J(s + t) - J(s) - J(t)).max()
        require(over <= TOLERANCE, f"not sublinear: J(s + t) is {over:.3g} above J(s) + J(t) with {count} classes")
        apart = np.abs(J(3.0 * s) - 3.0 * J(s)).max()
        message = f"not sublinear: J(3 s) is {apart:.3g} away from 3 J(s) with {count} classes"
        require(apart <= TOLERANCE * (1.0 + np.abs(J(s)).max()), message)


def one_at_most_on_the_unit_scale(criterion: Criterion, classes: Sequence[int]) -> None:
    """On the unit scale the most stereotyped model has R = 1, and no model has a higher R."""
    for count in classes:
        p_star = _random_reference(criterion, (), count)
        certain = np.eye(count)[:, np.newaxis, :]
        worst = max(decompose_risk(certain[[y]], criterion, reference=p_star).R for y in range(count))
        message = f"R is {worst:g}, not 1, for the most stereotyped model of {count} classes"
        require(abs(worst - 1.0) <= TOLERANCE, message)
        p = np.random.default_rng(0).dirichlet(np.full(count, 0.3), size=(20, 10))
        highest = decompose_risk(p, criterion, reference=p_star).r.max()
        message = f"r is {highest:g} for some model of {count} classes, more than that of the most stereotyped one"
        require(highest <= 1.0 + TOLERANCE, message)


def shape_is_that_of_the_vectors(criterion: Criterion, classes: Sequence[int]) -> None:
    """Shape (..., Y) becomes (...), and each vector gets the same J as it would get alone."""
    for shape in SHAPES:
        p_star = _random_reference(criterion, (), classes[0])
        J, s = criterion.for_reference(p_star), _random_stereotypes(shape, p_star)
        j = J(s)
        require(j.shape == shape, f"J of shape {s.shape} has shape {j.shape}, not {shape}")
        alone = np.array([J(vector) for vector in s.reshape(-1, classes[0])]).reshape(shape)
        message = f"vectors of shape {s.shape} get another J together than one by one"
        require(np.allclose(j, alone, atol=TOLERANCE), message)


def any_number_type_is_taken(criterion: Criterion, classes: Sequence[int]) -> None:
    """float32, whole numbers and lists are taken; float64 comes out; the argument stays unchanged."""
    J = criterion.for_reference(np.full(classes[0], 1.0 / classes[0]))
    whole = np.zeros((2, classes[0]), dtype=np.int64)
    whole[0] = -1
    whole[0, 0] = classes[0] - 1  # certainty of the first class
    expected = J(whole.astype(np.float64))
    for given in (whole, whole.astype(np.float32), whole.tolist()):
        j = J(given)
        require(j.dtype == np.float64, f"J is {j.dtype}, not float64")
        require(np.allclose(j, expected), f"J of {type(given).__name__} is {j}, of float64 {expected}")
    J, s = random_case(criterion, (5,), classes[0])
    before = s.copy()
    J(s)
    require((s == before).all(), "J changes the array it is called with: compute in a new one")


def missing_stays_missing(criterion: Criterion, classes: Sequence[int]) -> None:
    """A vector of NaN gets NaN, and does not change J of other vectors."""
    J, s = random_case(criterion, (3,), classes[0])
    expected = J(s)
    s[1] = np.nan
    j = J(s)
    require(np.isnan(j[1]), f"J of a missing vector is {j[1]:g}, not NaN: it would count as if it were there")
    require(np.allclose(j[[0, 2]], expected[[0, 2]]), "a missing vector changes J of its neighbours")


def references_are_kept_apart(criterion: Criterion, classes: Sequence[int]) -> None:
    """A call of ``for_reference`` does not change criteria that earlier calls returned."""
    J, s = random_case(criterion, (20,), classes[0])
    before = J(s)
    criterion.for_reference(_random_reference(criterion, (), classes[0]))
    require(np.allclose(J(s), before), "for_reference changes a criterion that it returned before: return a new one")


def nothing_known_and_all_known(criterion: KnowledgeCriterion) -> None:
    """J(0) = 0 and J(1) = 1."""
    ends = criterion(np.array([0.0, 1.0]))
    message = f"J(0) and J(1) are {ends[0]:g} and {ends[1]:g}, not 0 and 1"
    require(np.allclose(ends, [0.0, 1.0], atol=TOLERANCE), message)


def never_decreasing(criterion: KnowledgeCriterion) -> None:
    """A higher probability of the true answer never lowers the score, and scores are from 0 to 1."""
    j = criterion(np.linspace(0.0, 1.0, 1001))
    require(np.diff(j).min() >= -TOLERANCE, f"J falls by {-np.diff(j).min():.3g} as the truth gets more probable")
    require(j.min() >= -TOLERANCE and j.max() <= 1 + TOLERANCE, f"J runs from {j.min():g} to {j.max():g}, not 0 to 1")


def concave(criterion: KnowledgeCriterion) -> None:
    """Jensen: the mean score of two probabilities is never above the score of their mean."""
    rng = np.random.default_rng(0)
    pairs = np.concatenate([rng.uniform(size=(5000, 2)), 10.0 ** rng.uniform(-12.0, 0.0, size=(5000, 2))])
    gap = criterion(pairs).mean(axis=1) - criterion(pairs.mean(axis=1))
    require(gap.max() <= TOLERANCE, f"not concave: the mean of J is {gap.max():.3g} above J of the mean")


def score_has_the_shape_of_its_argument(criterion: KnowledgeCriterion) -> None:
    """A score is float64 and has the shape of its argument, which stays unchanged; NaN stays NaN."""
    for shape in SHAPES:
        p = np.random.default_rng(0).uniform(size=shape)
        before = p.copy()
        j = criterion(p)
        require(j.shape == shape, f"J of shape {shape} has shape {j.shape}")
        require(j.dtype == np.float64, f"J is {j.dtype}, not float64")
        require((p == before).all(), "J changes the array it is called with: compute in a new one")
    j = criterion(np.array([0.25, np.nan, 1.0]))
    require(np.isnan(j[1]), f"J of a missing probability is {j[1]:g}, not NaN")
    require(np.isfinite(j[[0, 2]]).all(), "a missing probability changes J of its neighbours")


RISK_CHECKS = (
    zero_at_the_reference,
    never_negative,
    curvature_holds,
    sublinear_holds,
    one_at_most_on_the_unit_scale,
    shape_is_that_of_the_vectors,
    any_number_type_is_taken,
    missing_stays_missing,
    references_are_kept_apart,
)
KNOWLEDGE_CHECKS = (nothing_known_and_all_known, never_decreasing, concave, score_has_the_shape_of_its_argument)


def random_case(criterion: Criterion, shape: tuple[int, ...], classes: int) -> tuple[Criterion, FloatArray]:
    """Return the criterion for random p*, a row per first index, and stereotypes, (*shape, classes)."""
    p_star = _random_reference(criterion, (shape[0], *[1] * (len(shape) - 1)), classes)
    return criterion.for_reference(p_star), _random_stereotypes(shape, p_star)


def _random_reference(criterion: Criterion, shape: tuple[int, ...], classes: int) -> FloatArray:
    """A random p*, shape (*shape, classes), each class >= 0.01 / classes. It is uniform if the criterion needs that."""
    if criterion.needs_uniform_reference:
        return np.full((*shape, classes), 1.0 / classes)
    drawn = np.random.default_rng(1).dirichlet(np.ones(classes), size=shape)
    p_star: FloatArray = 0.99 * drawn + 0.01 / classes
    return p_star


def _random_stereotypes(shape: tuple[int, ...], p_star: FloatArray) -> FloatArray:
    """Stereotypes p / p* - 1, shape (*shape, Y). The random p range from uniform to nearly certain."""
    rng = np.random.default_rng(0)
    classes = p_star.shape[-1]
    evenness = rng.choice([0.05, 0.5, 5.0], size=(*shape, 1))
    drawn = rng.gamma(np.broadcast_to(evenness, (*shape, classes))) + 1e-12
    stereotypes: FloatArray = drawn / drawn.sum(axis=-1, keepdims=True) / p_star - 1.0
    return stereotypes
