"""What pictures of risk show, and how they are drawn: one file each."""
