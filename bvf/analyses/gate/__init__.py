"""Are the figures of a model within given limits?"""
