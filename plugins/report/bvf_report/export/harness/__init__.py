"""Exports runs as tasks of lm-evaluation-harness."""
