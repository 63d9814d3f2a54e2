"""Deviation rates of subgroups: where a model deviates more, their spread, and differences of models."""
