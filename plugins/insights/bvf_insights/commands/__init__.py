"""The commands `bvf explain`, `bvf regress` and `bvf plan`."""
