"""The values of the paper: groups, attributes, contexts, prompts. Frozen, and no file is read here."""
