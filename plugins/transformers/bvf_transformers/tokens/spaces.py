"""How vocabularies write a space: the one place to add the marker of another tokenizer."""

SPACES = (" ", "Ġ", "▁")
"""What a token begins with that begins a word: plain, in byte-level vocabularies, in those of sentencepiece."""
