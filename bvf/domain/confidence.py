"""How sure a miner must be of a match."""

MIN_CONFIDENCE = 0.93
"""By default, matches of lower confidence are dropped (docs/mining.md says what other values keep)."""
