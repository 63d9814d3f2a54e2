"""Where shards are scored: in this process, or in several."""
