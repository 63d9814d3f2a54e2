"""The commands `bvf report`, `bvf export` and `bvf plot`."""
