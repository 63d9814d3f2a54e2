"""One page of HTML with everything that is known of results."""
