"""Put a published benchmark to a model, and compute the scores of its authors."""
