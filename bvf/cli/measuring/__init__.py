"""Commands that ask models."""
