"""Scores prompts with a model, and stores the probabilities."""
