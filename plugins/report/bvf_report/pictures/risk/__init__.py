"""The pictures of risk results, one per file."""
