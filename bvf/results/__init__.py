"""What the results of all analyses have in common: intervals, figures by name, storage in files, tables."""
