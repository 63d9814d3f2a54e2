"""Rows of tables, logs and runs as a table of declared factors."""
