"""Measures, analyses and stores one run or several. It can add contexts until an interval is narrow enough."""
