"""Sources of contexts whose every template is known, so that R, R^b and R^v are known too, and samples of them.

Axes: X groups, T templates of the source, C templates of a sample, Y classes.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from scipy.optimize import brentq
from scipy.sparse import coo_array
from scipy.special import expit
from scipy.stats import norm

from bvf.arrays import FloatArray, IntArray
from bvf.interfaces.criterion import Criterion
from bvf.stats.figures.risk import Risk, decompose_risk
from bvf.stats.sampling.samples import ContextSample, DrawnFrom, Unit

Rng = np.random.Generator
Texts = tuple[int, int, float]
"""Documents, occurrences in each, and the share of these that are of the document's favourite template."""
TEMPLATES = 3000
SPREAD = 0.45
"""Standard deviation of logits over templates; that of 2 p - 1 is about 0.3 for two classes."""
CERTAIN = 30.0
"""Logits further from 0 than this are certain anyway."""
CLOSE = 1e-10
SWEEPS = 200
DOCUMENTS = 300
IN_A_DOCUMENT = 4
REPLICATES = 200
NODES, WEIGHTS = hermegauss(60)
MOST = 20
"""The most that a template counts in a set whose counts are cut."""
SETS_LIKE_IT = 4000
"""Of so many sets the mean count of a template is taken: the error is 1/63 of that of one set."""


class Excess(Criterion):
    """The criterion of a plugin, with kinks everywhere and no subgradient: the sum of the positive part of s."""

    sublinear = True

    def risk(self, s: FloatArray, /) -> FloatArray:
        return np.maximum(s, 0.0).sum(axis=-1)


@dataclass(frozen=True)
class Model:
    """Predictions in every template of the source: p, shape (X, T, Y). Templates are weighted by Zipf's law."""

    probabilities: FloatArray
    uniform: bool = False

    @cached_property
    def weights(self) -> FloatArray:
        templates = self.probabilities.shape[1]
        return np.full(templates, 1.0 / templates) if self.uniform else zipf(templates)

    def truth(self, criterion: Criterion, weights: FloatArray | None = None) -> Risk:
        """R, R^b and R^v over the whole source, or with other weights of its templates."""
        weights = self.weights if weights is None else weights
        return decompose_risk(self.probabilities, criterion, context_weights=weights)


@dataclass(frozen=True)
class Drawn:
    """Templates drawn from the source, and the sample that they are."""

    templates: IntArray
    sample: ContextSample

    def of(self, model: Model) -> FloatArray:
        """Predictions of a model in them, shape (X, C, Y)."""
        return model.probabilities[:, self.templates]


def zipf(templates: int = TEMPLATES) -> FloatArray:
    """Weights that fall as 1 / rank."""
    weights = 1.0 / np.arange(1, templates + 1)
    return weights / weights.sum()


def of_leans(lean: FloatArray) -> FloatArray:
    """Return p of two classes from leans 2 p - 1."""
    return np.stack([(1.0 + lean) / 2.0, (1.0 - lean) / 2.0], axis=-1)


def of_first(first: FloatArray) -> FloatArray:
    """Return p of two classes by that of the first."""
    return np.stack([first, 1.0 - first], axis=-1)


def of_logits(logits: FloatArray) -> FloatArray:
    """Return p of two classes from the logits of the first."""
    return of_first(1.0 / (1.0 + np.exp(-logits)))


def mean_rates(logits: FloatArray, spread: FloatArray | float) -> FloatArray:
    """Return the mean rate over normal deviations from each of some logits, by Gauss-Hermite integration."""
    return expit(logits[:, np.newaxis] + np.multiply.outer(spread, NODES)) @ (WEIGHTS / WEIGHTS.sum())


def alternating(groups: int) -> FloatArray:
    """Return -1 and 1 in turn, shape (X,)."""
    return np.where(np.arange(groups) % 2, 1.0, -1.0)


def leans(groups: int, mean: float, apart: float = 0.0) -> FloatArray:
    """Leans of groups spread as a normal distribution is, shape (X,); below 0: to another class."""
    quantiles = norm.ppf((np.arange(groups) + 0.5) / groups)
    return np.clip(mean + apart * quantiles, -0.9, 0.9)


def leans_of_bias(groups: int, bias: float) -> FloatArray:
    """Leans whose sizes are `bias` on average: near 0 on both sides for a small bias, all far from 0 for a large."""
    if groups == 1 or bias == 0.0:
        return np.full(groups, bias)
    some = leans(groups, 1.0, 0.2) if bias > 0.2 else leans(groups, 0.5, 1.0)
    return bias * some / np.abs(some).mean()


def model(lean: FloatArray, classes: int, rng: Rng, spread: float = SPREAD, shared: float = 0.0) -> Model:
    """Return a model with these leans in the mean over the source: R^b is the mean of their sizes, on the unit scale.

    A lean (shape (X,)) above 0 is to class 0, below 0 to another class, which differs between groups. ``spread`` is of
    logits over templates; all groups share the part ``shared`` of their variance.
    """
    common = rng.standard_normal((1, TEMPLATES, classes))
    particular = rng.standard_normal((len(lean), TEMPLATES, classes))
    return tilted(spread * (np.sqrt(shared) * common + np.sqrt(1.0 - shared) * particular), lean)


def heavy_tailed(lean: FloatArray, classes: int, rng: Rng) -> Model:
    """Return a model with these leans whose logits over templates have the heavy tails of Student's t_2."""
    logits = SPREAD * rng.standard_t(2, size=(len(lean), TEMPLATES, classes))
    return tilted(np.clip(logits, -CERTAIN, CERTAIN), lean)


def tilted(logits: FloatArray, lean: FloatArray) -> Model:
    """Return softmax of the logits, shifted by class and group so that they have these leans over the source."""
    classes, weights = logits.shape[2], zipf(logits.shape[1])
    towards = np.where(lean >= 0, 0, 1 + np.arange(len(lean)) % (classes - 1))
    size = np.abs(lean)[:, np.newaxis]
    mean = (1.0 - size) / classes + size * np.eye(classes)[towards]
    added = np.log(mean)[:, np.newaxis]
    for _ in range(SWEEPS):
        p = np.exp(logits + added)
        p /= p.sum(axis=2, keepdims=True)
        reached = (weights @ p)[:, np.newaxis]
        if np.abs(reached[:, 0] - mean).max() < CLOSE:
            break
        added = added + np.log(mean)[:, np.newaxis] - np.log(reached)
    return Model(p)


def as_risky(other: Model, criterion: Criterion, lean: FloatArray, rng: Rng, shared: float = 0.0) -> Model:
    """Return another model of the same law: R and R^b are exactly the same, predictions in templates are not."""
    seed, wanted = int(rng.integers(2**32)), other.truth(criterion).R

    def of_spread(spread: float) -> Model:
        return model(lean, other.probabilities.shape[2], np.random.default_rng(seed), spread, shared)

    spread = brentq(lambda spread: of_spread(spread).truth(criterion).R - wanted, SPREAD / 3.0, SPREAD * 3.0)
    return of_spread(spread)


def rarely_turning(share: float, rng: Rng) -> Model:
    """Return a model of 20 groups that lean to one class by .5, and in rare templates to the other.

    The rare templates are the part ``share`` of the source. One group varies a little everywhere, so that every sample
    has some error.
    """
    order = rng.permutation(np.arange(100, TEMPLATES))
    lean = np.full((20, TEMPLATES), 0.5)
    lean[0] = np.clip(rng.normal(0.3, 0.15, TEMPLATES), -1.0, 1.0)
    lean[:, order[np.cumsum(zipf()[order]) <= share]] = -0.5
    return Model(of_leans(lean))


def equal_groups(lean: FloatArray, rng: Rng, spread: float = SPREAD, common: int = 60, own: int = 50) -> Model:
    """Return a model of two classes whose groups of the same lean, to either class, have exactly the same risks.

    Templates have equal weights. Every pair of a ``common`` logit, which moves all groups, and an ``own`` one of the
    group is one template; groups differ only in which template that is.
    """
    quantiles = [norm.ppf((np.arange(number) + 0.5) / number) for number in (common, own)]
    logits = spread * np.add.outer(*quantiles)
    shifts = [
        brentq(lambda shift, mean=mean: np.tanh(logits + shift).mean() - mean, -60.0, 60.0) for mean in np.abs(lean)
    ]
    shuffled = [rng.permuted(np.tanh(logits + shift), axis=1).ravel() for shift in shifts]
    return Model(of_leans(np.sign(lean)[:, np.newaxis] * np.array(shuffled)), uniform=True)


def nearly_certain(lean: float, spread: float, rng: Rng) -> Model:
    """Return a model of 20 groups that says one of two classes nearly always; of every second group, the other one.

    Logits of a class are normal with the mean ``lean`` and the standard deviation ``spread``.
    """
    return Model(of_logits(rng.normal(lean, spread, size=(20, TEMPLATES)) * alternating(20)[:, np.newaxis]))


def never_turning(rng: Rng) -> Model:
    """Return a model of 20 groups that lean to one class by .3 to .9 in every template, every second to the other."""
    return Model(of_leans(rng.uniform(0.3, 0.9, size=(20, TEMPLATES)) * alternating(20)[:, np.newaxis]))


def occurrences(n: int, rng: Rng, weights: FloatArray | None = None) -> Drawn:
    counts = rng.multinomial(n, zipf() if weights is None else weights)
    return Drawn(np.flatnonzero(counts), ContextSample(counts[counts > 0].astype(np.float64)))


def documents(repeating: float, rng: Rng) -> tuple[Drawn, Drawn]:
    """Draw documents; return them as a sample of documents and as one of occurrences (see `texts`)."""
    there, counts, replicates = texts(DOCUMENTS, IN_A_DOCUMENT, repeating, rng)
    of_documents = ContextSample(counts, "document", replicates=replicates, documents=DOCUMENTS)
    return Drawn(there, of_documents), Drawn(there, ContextSample(counts))


def texts(number: int, size: int, repeating: float, rng: Rng) -> tuple[IntArray, FloatArray, IntArray]:
    """Draw documents of so many occurrences each; return the templates in them, their counts, and replicates of these.

    An occurrence is the document's favourite template with the probability ``repeating``.
    """
    template = _templates(number, size, repeating, rng)
    there, index = np.unique(template, return_inverse=True)
    document = np.repeat(np.arange(number), size)
    held = coo_array((np.ones(template.size, dtype=np.int64), (index.ravel(), document))).tocsr()
    replicates = held @ rng.poisson(1.0, size=(number, REPLICATES))
    return there, np.asarray(held.sum(axis=1)).astype(np.float64), replicates


def _templates(number: int, size: int, repeating: float, rng: Rng) -> IntArray:
    """The template of each occurrence of each document, shape (number, size)."""
    favourite = rng.choice(TEMPLATES, size=(number, 1), p=zipf())
    fresh = rng.choice(TEMPLATES, size=(number, size), p=zipf())
    return np.where(rng.random(fresh.shape) < repeating, favourite, fresh)


def draws_of_occurrences(draws: int, occurrences: int, rng: Rng) -> Drawn:
    """Draw contexts from a set of ``occurrences``, each of which was drawn by itself."""
    counts = rng.multinomial(occurrences, zipf()).astype(np.float64)
    return _draws(draws, np.arange(TEMPLATES), DrawnFrom(float(occurrences), counts), "occurrence", rng)


def draws_of_documents(draws: int, number: int, size: int, repeating: float, rng: Rng) -> Drawn:
    """Draw contexts from a set of documents (see `texts`)."""
    there, counts, replicates = texts(number, size, repeating, rng)
    return _draws(draws, there, DrawnFrom(float(number * size), counts, replicates, number), "document", rng)


def cut_set(draws: int | str, made: Texts, unit: Unit, rng: Rng) -> Drawn:
    """Draw contexts from a set of documents in which no template counts more than `MOST` times, or take all."""
    there, *whole = texts(*made, rng)
    counts, replicates = (np.minimum(each, MOST) for each in whole)
    known = (replicates, made[0]) if unit == "document" else (None, None)
    if isinstance(draws, str):
        return Drawn(there, ContextSample(counts, unit, *known))
    return _draws(draws, there, DrawnFrom(float(counts.sum()), counts, *known), unit, rng)


@cache
def weights_in_cut_sets(made: Texts) -> FloatArray:
    """Return the shares of all templates in all sets that are made like a `cut_set`."""
    rng, total = np.random.default_rng(0), np.zeros(TEMPLATES)
    for _ in range(SETS_LIKE_IT):
        total += np.minimum(np.bincount(_templates(*made, rng).ravel(), minlength=TEMPLATES), MOST)
    return total / total.sum()


def _draws(draws: int, templates: IntArray, source: DrawnFrom, unit: Unit, rng: Rng) -> Drawn:
    drawn = rng.multinomial(draws, source.counts / source.counts.sum())
    sample = ContextSample(drawn.astype(np.float64), unit, drawn_from=source)
    return Drawn(templates[drawn > 0], sample.only(drawn > 0))
