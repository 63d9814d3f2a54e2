"""The look of tables and sentences on a terminal, in Markdown, CSV and HTML."""
