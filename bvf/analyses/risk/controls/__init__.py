"""Controls: topics without a known stereotype, to see whether a risk is about groups or about words."""
