"""Regressions: straight lines and logistic ones."""
