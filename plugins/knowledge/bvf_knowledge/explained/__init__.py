"""Explains the figures of knowledge: subjects, wordings, or both?"""
