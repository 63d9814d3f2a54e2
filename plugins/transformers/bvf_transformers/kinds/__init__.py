"""The four kinds of models, and how each scores a word in the slot of a prompt."""
