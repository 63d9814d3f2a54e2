"""Measure, analyse and store: one run, several, until an interval is narrow enough."""
