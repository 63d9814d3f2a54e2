"""A site of many runs: tables of models by topic, a page of each run, comparisons, and the figures as data."""
