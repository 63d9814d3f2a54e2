"""Models that Python packages carry: which are known, where they lie in an installed package, and their files."""
