"""What all results of analyses share: intervals, figures by name, storage in files, tables."""
