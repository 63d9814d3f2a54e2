"""One HTML file with everything that is known of results: it opens from a disk, with no network and no server."""
