"""What every stored result has, whatever the analysis: intervals, figures by name, files, tables."""
