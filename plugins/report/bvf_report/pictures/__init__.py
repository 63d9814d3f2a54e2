"""Pictures of results of risk, of comparisons and of controls."""
