"""Reads the answers of a model at some positions, once per distinct question."""
