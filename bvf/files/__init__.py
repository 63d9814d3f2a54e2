"""Reads, checks and writes files. There is one module per file format."""
