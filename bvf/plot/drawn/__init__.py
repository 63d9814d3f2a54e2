"""One drawing per module: axes from a view."""
