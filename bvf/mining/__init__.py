"""From a corpus to a context set: samples, pieces, counts, outputs."""
