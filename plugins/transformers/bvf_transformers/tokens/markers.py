"""How vocabularies mark the space before a word, the continuation of a word, and parts of a letter."""

SPACES = (" ", "Ġ", "▁")
"""How vocabularies write the space before a word: plain, byte-level, and sentencepiece."""
CONTINUES = "##"
"""The first characters of tokens that continue a word, in WordPiece vocabularies; elsewhere they are plain text."""
PART_OF_A_LETTER = "\ufffd"
"""How vocabularies write single bytes of a letter."""
