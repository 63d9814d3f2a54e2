"""Is a risk about groups, or about words? Comparison with topics that have no known stereotype."""
