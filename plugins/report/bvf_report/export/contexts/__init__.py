"""Exports context sets as data sets that can be cited."""
