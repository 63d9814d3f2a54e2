"""Code shared by all pictures: fonts, colours, rows, axes, names, plotly figures, and files."""
