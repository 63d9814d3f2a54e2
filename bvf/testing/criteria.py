"""What criteria of risk and of knowledge must do."""

from collections.abc import Callable, Sequence

import numpy as np

from bvf.arrays import FloatArray
from bvf.criterion import Criterion, KnowledgeCriterion
from bvf.risk import decompose_risk
from bvf.testing.check import Check, checks_of, require

TOLERANCE = 1e-9
CLASSES = (2, 3, 7)
SHAPES: tuple[tuple[int, ...], ...] = ((), (1,), (6,), (3, 4), (2, 3, 5))


def criterion_checks(criterion: Criterion | KnowledgeCriterion, classes: Sequence[int] = CLASSES) -> list[Check]:
    """Return the checks of a criterion.

    Risk: J(0) = 0, never below 0, curved as ``curvature`` says (Jensen on random stereotypes), 0 to 1 on the unit
    scale, a vector at a time, any leading shape and number type, NaN where the stereotype is, the argument left alone.
    Knowledge: J(0) = 0, J(1) = 1, increasing, concave, and the same rules of shape.

    Args:
        criterion: As `bvf.Registry` makes it; one that looks at a class by name: after ``for_classes``.
        classes: Numbers of classes to try; give the one that ``for_classes`` was called with.
    """
    if isinstance(criterion, KnowledgeCriterion):
        return checks_of(KNOWLEDGE_CHECKS, criterion)
    return checks_of(RISK_CHECKS, criterion, tuple(classes))


def zero_at_the_reference(criterion: Criterion, classes: Sequence[int]) -> None:
    """J(0) = 0: a model that predicts p* has no risk."""
    for count in classes:
        j = float(criterion(np.zeros(count)))
        require(abs(j) <= TOLERANCE, f"J is {j:g}, not 0, at s = 0 with {count} classes: p = p* is no risk")


def never_negative(criterion: Criterion, classes: Sequence[int]) -> None:
    """J >= 0 everywhere."""
    for count in classes:
        j = criterion(random_stereotypes((500,), count))
        require(j.min() >= -TOLERANCE, f"J falls to {j.min():g} with {count} classes: a risk is 0 or more")


def curvature_holds(criterion: Criterion, classes: Sequence[int]) -> None:
    """Jensen: the mean of a convex J is never below J of the mean, that of a concave one never above."""
    if criterion.curvature == "neither":
        return
    for count in classes:
        gap = jensen_gap(criterion, random_stereotypes((2000, 2), count))
        worst = (gap if criterion.curvature == "convex" else -gap).min()
        require(
            worst >= -TOLERANCE,
            f"not {criterion.curvature}: the mean of J and J of the mean are {-worst:.3g} apart the wrong way with "
            f'{count} classes; a wrong "curvature" lets R^v fall below 0',
        )


def one_at_most_on_the_unit_scale(criterion: Criterion, classes: Sequence[int]) -> None:
    """On the unit scale the worst certain model has R = 1, every model R from 0 to 1."""
    for count in classes:
        certain = np.eye(count)[:, np.newaxis, :]
        worst = max(decompose_risk(certain[[y]], criterion, scale="unit").R for y in range(count))
        require(
            abs(worst - 1.0) <= TOLERANCE, f"R is {worst:g}, not 1, for the most stereotyped model of {count} classes"
        )
        p = np.random.default_rng(0).dirichlet(np.full(count, 0.3), size=(20, 10))
        highest = decompose_risk(p, criterion, scale="unit").r.max()
        require(
            highest <= 1.0 + TOLERANCE,
            f"r is {highest:g} for some model of {count} classes, more than that of the most stereotyped one",
        )


def shape_is_that_of_the_vectors(criterion: Criterion, classes: Sequence[int]) -> None:
    """(..., Y) becomes (...), and every vector gets what it gets alone."""
    for shape in SHAPES:
        s = random_stereotypes(shape, classes[0])
        j = criterion(s)
        require(j.shape == shape, f"J of shape {s.shape} has shape {j.shape}, not {shape}")
        alone = np.array([criterion(vector) for vector in s.reshape(-1, classes[0])]).reshape(shape)
        require(
            np.allclose(j, alone, atol=TOLERANCE), f"vectors of shape {s.shape} get another J together than one by one"
        )


def any_number_type_is_taken(criterion: Criterion, classes: Sequence[int]) -> None:
    """float32, whole numbers and lists are taken; float64 comes out; the argument stays as it was."""
    whole = np.zeros((2, classes[0]), dtype=np.int64)
    whole[0, 0] = 1
    expected = criterion(whole.astype(np.float64))
    for given in (whole, whole.astype(np.float32), whole.tolist()):
        j = criterion(given)
        require(j.dtype == np.float64, f"J is {j.dtype}, not float64")
        require(np.allclose(j, expected), f"J of {type(given).__name__} is {j}, of float64 {expected}")
    s = random_stereotypes((5,), classes[0])
    before = s.copy()
    criterion(s)
    require((s == before).all(), "J changes the array it is called with: compute in a new one")


def missing_stays_missing(criterion: Criterion, classes: Sequence[int]) -> None:
    """A vector of NaN gets NaN, and its neighbours what they get without it."""
    s = random_stereotypes((3,), classes[0])
    expected = criterion(s)
    s[1] = np.nan
    j = criterion(s)
    require(np.isnan(j[1]), f"J of a missing vector is {j[1]:g}, not NaN: it would count as if it were there")
    require(np.allclose(j[[0, 2]], expected[[0, 2]]), "a missing vector changes J of its neighbours")


def nothing_known_and_all_known(criterion: KnowledgeCriterion) -> None:
    """J(0) = 0 and J(1) = 1."""
    ends = criterion(np.array([0.0, 1.0]))
    require(
        np.allclose(ends, [0.0, 1.0], atol=TOLERANCE), f"J(0) and J(1) are {ends[0]:g} and {ends[1]:g}, not 0 and 1"
    )


def never_decreasing(criterion: KnowledgeCriterion) -> None:
    """More probability for the truth is never a lower score, and scores are 0 to 1."""
    j = criterion(np.linspace(0.0, 1.0, 1001))
    require(np.diff(j).min() >= -TOLERANCE, f"J falls by {-np.diff(j).min():.3g} as the truth gets more probable")
    require(j.min() >= -TOLERANCE and j.max() <= 1 + TOLERANCE, f"J runs from {j.min():g} to {j.max():g}, not 0 to 1")


def concave(criterion: KnowledgeCriterion) -> None:
    """Jensen: doubt between contexts never scores higher than the same knowledge held evenly."""
    gap = jensen_gap(criterion, np.random.default_rng(0).uniform(size=(5000, 2)))
    require(gap.max() <= TOLERANCE, f"not concave: the mean of J is {gap.max():.3g} above J of the mean")


def score_has_the_shape_of_its_argument(criterion: KnowledgeCriterion) -> None:
    """Any shape comes back, as float64; NaN stays NaN; the argument stays as it was."""
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
    one_at_most_on_the_unit_scale,
    shape_is_that_of_the_vectors,
    any_number_type_is_taken,
    missing_stays_missing,
)
KNOWLEDGE_CHECKS = (nothing_known_and_all_known, never_decreasing, concave, score_has_the_shape_of_its_argument)


def random_stereotypes(shape: tuple[int, ...], classes: int) -> FloatArray:
    """Return p / p* - 1 of random p and uniform p*, from even to nearly certain, shape (*shape, classes)."""
    rng = np.random.default_rng(0)
    evenness = rng.choice([0.05, 0.5, 5.0], size=(*shape, 1))
    drawn = rng.gamma(np.broadcast_to(evenness, (*shape, classes))) + 1e-12
    stereotypes: FloatArray = classes * drawn / drawn.sum(axis=-1, keepdims=True) - 1.0
    return stereotypes


def jensen_gap(function: Callable[[FloatArray], FloatArray], pairs: FloatArray) -> FloatArray:
    """Return the mean of J minus J of the mean, over axis 1."""
    gap: FloatArray = function(pairs).mean(axis=1) - function(pairs.mean(axis=1))
    return gap
