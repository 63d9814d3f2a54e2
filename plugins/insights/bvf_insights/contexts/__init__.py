"""Compares context sets: do models have the same order in each?"""
