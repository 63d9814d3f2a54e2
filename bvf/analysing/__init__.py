"""From stored answers to results."""
