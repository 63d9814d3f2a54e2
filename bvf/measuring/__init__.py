"""Asks a model, and stores what it answers."""
