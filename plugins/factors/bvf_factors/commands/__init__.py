"""``bvf factors`` and its commands."""
