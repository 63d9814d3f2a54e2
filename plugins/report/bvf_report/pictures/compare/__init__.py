"""The pictures of a comparison, one per file."""
