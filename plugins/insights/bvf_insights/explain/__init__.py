"""Explains R: how much of it comes from groups, and how much from contexts?"""
