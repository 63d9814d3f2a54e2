"""What pictures of factors show, and how they are drawn: one file each."""
