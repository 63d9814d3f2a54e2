"""Where variation comes from: groups, contexts, properties of contexts, swaps that should not matter."""
