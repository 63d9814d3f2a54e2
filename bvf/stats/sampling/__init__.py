"""Contexts as a sample: intervals of figures for other contexts, and what they are made of."""
