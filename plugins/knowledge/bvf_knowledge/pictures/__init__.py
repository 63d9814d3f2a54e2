"""The pictures of results of knowledge, one per file."""
