"""Computes the predictions of a model only at the positions that are needed, each distinct one once."""
