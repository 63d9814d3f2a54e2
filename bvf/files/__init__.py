"""Every file format once: how it is read, checked and written."""
