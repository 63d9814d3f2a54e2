"""Code shared by all pictures: fonts, colours, rows, axes, names, parts of plotly figures, and files."""
