"""Reports: a page of HTML with everything that is known about results."""
