"""How any table or sentence looks, on a terminal and elsewhere."""
