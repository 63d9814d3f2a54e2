"""Checks of context sets."""

import numpy as np

from bvf import ContextSet
from bvf_testing.check import Check, checks_of, require


def contexts_checks(contexts: ContextSet) -> list[Check]:
    """Return the checks of a context set: templates are clean lines, weights sum to 1, and there is a source."""
    return checks_of(CONTEXTS_CHECKS, contexts)


def templates_are_clean(contexts: ContextSet) -> None:
    """Templates have one line, no space at either end and no double space: a model would see them."""
    for template in contexts.templates:
        clean = " ".join(template.text.split())
        require(template.text == clean, f"{template.text!r} has spaces or line breaks that a model would see")


def weights_are_a_distribution(contexts: ContextSet) -> None:
    """Each weight is above 0, and they sum to 1."""
    weights = contexts.weights()
    require(np.isclose(weights.sum(), 1.0), f"the weights of {contexts.name} sum to {weights.sum():g}")
    lightest = contexts.templates[int(weights.argmin())].text
    require(weights.min() > 0, f'"{lightest}" has weight 0: it would be scored and count for nothing')


def source_is_given(contexts: ContextSet) -> None:
    """The source of the counts is named."""
    require(contexts.source.strip(), f"{contexts.name} does not say where its counts are from")


CONTEXTS_CHECKS = (templates_are_clean, weights_are_a_distribution, source_is_given)
