"""The interfaces that plugins implement: one abstract class per file."""
