"""Computes a model's predictions only at positions that are needed, each distinct one once."""
