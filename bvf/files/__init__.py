"""Reads, checks and writes files, with one module per file format."""
