"""The concepts of the paper as frozen classes: groups, attributes, contexts, prompts. No file is read here."""
