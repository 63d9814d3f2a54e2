"""Context sets: their files, where they are from and how they were sampled."""
