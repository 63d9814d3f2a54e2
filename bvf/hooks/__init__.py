"""What a plugin author reads, and what finds the plugins."""
