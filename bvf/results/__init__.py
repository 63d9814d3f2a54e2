"""What the stored results of all analyses have in common: intervals, figures by name, files, tables."""
