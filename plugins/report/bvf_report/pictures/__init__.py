"""Pictures of results of risk, of comparisons and of controls."""

OF_ONE = "lean, heatmap, distribution, scatter, curve, variance, frames, controls, words, regression"
OF_SEVERAL = "compare, lean, density, scale, trend, contexts"
"""Kinds of pictures of results with figures of risk, the first of which shows what one run, or several, are about."""
