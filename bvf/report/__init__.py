"""What a result looks like on a terminal."""
