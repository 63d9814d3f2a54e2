"""Makes a context set of a corpus: draws a sample, mines blocks of documents, counts templates, writes files."""
