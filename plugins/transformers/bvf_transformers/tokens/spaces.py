"""How vocabularies write a space: the one place to add the marker of another tokenizer."""

SPACES = (" ", "Ġ", "▁")
"""The first character of a token that begins a word: plain, byte-level, and sentencepiece vocabularies."""
