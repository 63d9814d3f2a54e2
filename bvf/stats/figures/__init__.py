"""Figures from probabilities: R, R^b and R^v, knowledge, words, and what describes context sets."""
