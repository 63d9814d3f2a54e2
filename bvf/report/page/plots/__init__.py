"""Pictures as plotly draws them in a browser, one function per view: data and layout as plain dictionaries."""
