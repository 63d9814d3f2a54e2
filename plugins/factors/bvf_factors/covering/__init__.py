"""Which combinations of levels the prompts of a table cover, and which prompts are missing."""
