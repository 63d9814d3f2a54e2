"""Chooses and loads a model, lets an engine score prompts, and names the output folder.

It does so for any kind of prompts.
"""
