"""The commands `bvf check` and `bvf new`."""
