"""Comparisons: tests, adjusted p values, ranks, agreement, and how many contexts a goal needs."""
