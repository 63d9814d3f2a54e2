"""Commands on what a run is made of: topics, contexts, models, corpora."""
