"""From a corpus to a context set: samples, blocks of documents, counts, outputs."""
