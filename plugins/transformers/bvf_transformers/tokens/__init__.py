"""From text and words to token ids."""
