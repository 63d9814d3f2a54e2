"""Computes the predictions of a model at the positions that are needed, once per distinct question."""
