"""The pictures of an explanation."""
