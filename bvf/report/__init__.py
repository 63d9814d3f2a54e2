"""Reports: one HTML page with all that is known about results."""
