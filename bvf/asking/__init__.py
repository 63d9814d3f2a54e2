"""Choose and load a model, let an engine ask it, and name the folder of its answers, whatever the questions are."""
