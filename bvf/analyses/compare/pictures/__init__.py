"""What pictures of a comparison show, and how they are drawn: one file each."""
