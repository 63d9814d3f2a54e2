"""The hooks that plugins implement, and the code that finds and loads plugins."""
