"""Which factors of a benchmark make a model deviate from what is desired, and whether its prompts can tell."""
