"""Tables and sentences formatted for a terminal, Markdown, CSV and HTML."""
