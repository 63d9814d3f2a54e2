"""Figures without some of the templates: without the heaviest, and without those in which neutral subjects are far."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from bvf import Study
from bvf.stats import BoolArray, FloatArray, IntArray
from bvf_insights.explain.result import WithoutTemplates

FAR = 0.15
"""A template is far if neutral subjects have a class there with a probability this much above or below the mean."""


def without_templates(study: Study, *, has_neutral: bool) -> Iterator[WithoutTemplates]:
    """Yield the figures of a study as they are, and without some of its templates, if there are several.

    Nothing is yielded where a group has no answer in those that are left. ``has_neutral`` is whether neutral subjects
    were asked in the contexts of the study.
    """
    read = study.predictions
    names, place = np.unique(read.parts_of_contexts.get("template", read.contexts), return_inverse=True)
    if len(names) < 2:
        return
    weights = np.bincount(place, read.context_weights)
    left_out: dict[str, BoolArray] = {
        "none": np.zeros(len(names), bool),
        "heaviest": np.arange(len(names)) == weights.argmax(),
    }
    if has_neutral:
        left_out["far"] = _far(study.neutral, place, read.context_weights)
    for what, without in left_out.items():
        kept = ~without[place]
        answered: BoolArray = np.asarray(~np.isnan(read.probabilities[:, kept]).any(axis=2))
        if not answered.any(axis=1).all() or without.any() == (what == "none"):
            continue
        risk = replace(study, predictions=read.in_contexts(kept)).risk
        yield WithoutTemplates.model_validate(
            {
                "without": what,
                "templates": int(without.sum()),
                "of": len(names),
                "share": float(weights[without].sum()),
                "template": str(names[without][0]) if what == "heaviest" else "",
                "R": risk.R,
                "R_bias": risk.R_bias,
                "R_volatility": risk.R_volatility,
                "particular_bias": None if risk.parts is None else risk.parts.particular_bias,
            }
        )


def _far(neutral: FloatArray, place: IntArray, weights: FloatArray) -> BoolArray:
    """Whether the mean over a template's contexts of p for neutral subjects is far from that over all, (T,)."""
    known: BoolArray = np.asarray(~np.isnan(neutral).any(axis=1))
    values, w = np.where(known[:, np.newaxis], neutral, 0.0), np.where(known, weights, 0.0)
    of_each = np.stack([np.bincount(place, w * of_class) for of_class in values.T], axis=1)
    total = np.bincount(place, w)[:, np.newaxis]
    means = np.divide(of_each, total, out=np.full_like(of_each, np.nan), where=total > 0)
    return np.asarray((np.abs(means - w @ values / w.sum()) > FAR).any(axis=1))
