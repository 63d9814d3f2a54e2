"""Chooses and loads a model, lets an engine score prompts with it, and names the output folder, for any prompts."""
