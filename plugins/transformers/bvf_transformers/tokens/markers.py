"""How vocabularies mark the space before a word, the continuation of a word, and bytes of a letter."""

SPACES = (" ", "Ġ", "▁")
"""How vocabularies write the space before a word: plain, byte-level, and sentencepiece."""
CONTINUES = "##"
"""Prefix of tokens that continue a word in WordPiece vocabularies; in others it is plain text."""
PART_OF_A_LETTER = "\ufffd"
"""What single bytes of a character are decoded to."""
