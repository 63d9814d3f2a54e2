"""Variants of the templates of a context set: frames around them, formats of the request, swaps that do not matter."""
