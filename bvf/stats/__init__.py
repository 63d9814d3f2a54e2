"""The mathematics and statistics of the framework, as functions of numpy arrays."""
