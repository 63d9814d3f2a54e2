"""Stored probabilities and choices of their analysis, as arrays: the input of analyses. Nothing here reads results."""
