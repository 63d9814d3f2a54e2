"""The names of the stages of a run, for progress output."""

READING = "reading the model's files"
ASKING_ENGINE = "asking the engine for its machines"
LOADING = "loading the weights"
CHECKING = "checking some answers"
SCORING = "scoring"
"""The stage whose progress is counted in prompts."""
