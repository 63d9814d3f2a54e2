"""Commands on what is installed, and for authors of plugins."""
