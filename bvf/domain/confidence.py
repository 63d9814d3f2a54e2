"""The default of the confidence that a miner must have in a match for it to be kept."""

MIN_CONFIDENCE = 0.93
"""By default, matches of lower confidence are dropped (docs/mining.md says what other values keep)."""
