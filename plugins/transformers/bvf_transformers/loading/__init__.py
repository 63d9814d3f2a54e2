"""From a name or folder to a model in memory: finds, checks and loads its files."""
