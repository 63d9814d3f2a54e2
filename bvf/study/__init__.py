"""The input of analyses: stored probabilities, and choices of their analysis, as arrays. Nothing here reads results."""
