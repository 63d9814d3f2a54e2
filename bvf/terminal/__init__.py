"""Building blocks of commands, those of plugins too: options, progress, and output in four formats."""
