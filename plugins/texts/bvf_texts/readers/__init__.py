"""Readers, which turn a text that a model wrote into a class."""
