"""The interfaces that plugins implement. There is one abstract class per file."""
