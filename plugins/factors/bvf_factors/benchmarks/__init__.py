"""Run a published benchmark on a model, and compute the scores that its authors define."""
