"""How sure a miner has to be."""

MIN_CONFIDENCE = 0.93
"""Of a match that is kept if nothing else is said (docs/mining.md has what other values keep)."""
