"""Runs as tasks of lm-evaluation-harness."""
