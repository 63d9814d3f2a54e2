"""What every command is made of, those of plugins too: options, progress, and output in four formats."""
