"""What a run does, one stage after another, in the words of its progress."""

READING = "reading the model's files"
LOADING = "loading the weights"
CHECKING = "checking some answers"
SCORING = "scoring"
"""The stage in which prompts are counted."""
