"""The pictures of factors and how they are drawn, one file each."""
