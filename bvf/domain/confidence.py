"""The default confidence that a miner must have in a match to keep it."""

MIN_CONFIDENCE = 0.93
"""By default, matches of lower confidence are dropped (docs/evidence/mining.md says what other values keep)."""
