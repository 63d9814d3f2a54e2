"""Choices of an analysis of risk."""

BY_NAME = [
    {},
    {"criterion": "lk:2"},
    {"criterion": "tv", "scale": "raw"},
    {"reference": "mean"},
    {"reference": "percent-women"},
    {"group_weights": "employment", "criterion": "direction:male"},
]
"""The default, and others that need no file."""
