"""Stored answers, and how they are analysed, as arrays: the input of every analysis. Nothing here reads results."""
