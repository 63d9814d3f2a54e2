"""Compares models that were measured with the same prompts: do they differ?"""
