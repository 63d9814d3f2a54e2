"""What a plugin writes: one abstract class per file."""
