"""From a name or folder to a model in memory: which files, whether they may be read, whether they fit."""
