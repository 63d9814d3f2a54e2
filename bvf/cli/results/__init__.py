"""Commands on the folders of runs. They load no model."""
