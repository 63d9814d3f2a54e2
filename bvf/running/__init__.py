"""Measure, analyse and store: one run or several, or more contexts until an interval is narrow enough."""
