"""Controls: topics without a known stereotype. They show whether a risk is about groups or about words."""
