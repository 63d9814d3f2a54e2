"""Statistics of answers after thoughts."""
