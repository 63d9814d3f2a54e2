"""What all pictures share: fonts, colours, rows, axes, names, figures of plotly, and files. No picture is here."""
