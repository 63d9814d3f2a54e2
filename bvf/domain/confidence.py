"""How sure a miner must be of a match."""

MIN_CONFIDENCE = 0.93
"""The least confidence of a match that is kept by default (docs/mining.md says what other values keep)."""
