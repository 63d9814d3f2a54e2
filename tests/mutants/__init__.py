"""Mutations: one expression changed at a time, to see which test notices. ``make mutants`` runs them."""
