"""The four kinds of models: how each is asked for a word in a slot."""
