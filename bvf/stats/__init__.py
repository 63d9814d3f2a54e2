"""Arrays in, arrays out: the maths of the papers."""
