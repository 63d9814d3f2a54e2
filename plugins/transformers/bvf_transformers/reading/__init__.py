"""What a model says at some positions, computed once per distinct question."""
