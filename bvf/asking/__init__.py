"""Chooses and loads a model for any kind of prompts, lets an engine score them, and names the output folder."""
